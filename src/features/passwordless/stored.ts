import type { Tenant } from '../../domain/model.ts';
import type { PasswordlessInputs } from './schema.ts';
import type { PasswordlessContext } from './context.ts';
import type { Contact, DeviceSearch, ListedDevice } from './model.ts';
import { contactOf, invalid, isGiven, requireDeviceId, requireOne } from './inputs.ts';
import { deviceHashOf, digest, preAuthSessionIdOf } from './secrets.ts';

export interface StoredCodeOperations {
  listCodes(
    tenant: Tenant,
    query: PasswordlessInputs['listCodes'],
  ): Promise<{ status: 'OK'; devices: ShownDevice[] }>;
  removeCode(tenant: Tenant, input: PasswordlessInputs['removeCode']): Promise<{ status: 'OK' }>;
  removeCodes(tenant: Tenant, input: PasswordlessInputs['removeCodes']): Promise<{ status: 'OK' }>;
}

type ShownDevice = Contact & {
  readonly preAuthSessionId: string;
  readonly failedCodeInputAttemptCount: number;
  readonly codes: readonly {
    readonly codeId: string;
    readonly timeCreated: number;
    readonly codeLifetime: number;
  }[];
};

export function storedCodeOperations({ passwordless }: PasswordlessContext): StoredCodeOperations {
  return {
    async listCodes(tenant, query) {
      const search = searchOf(query);
      const found = search === undefined ? [] : await passwordless.list(tenant, search);
      return { status: 'OK', devices: found.map((device) => shown(device, tenant)) };
    },

    async removeCode(tenant, { codeId, preAuthSessionId }) {
      const names = "'codeId' or 'preAuthSessionId'";
      if (!isGiven(codeId) && !isGiven(preAuthSessionId)) throw invalid(`Please provide either ${names}`);
      requireOne([codeId, preAuthSessionId], `Please provide only one of ${names}`);
      const deviceHash = isGiven(preAuthSessionId) ? deviceHashOf(preAuthSessionId) : undefined;
      if (isGiven(codeId)) await passwordless.removeCode(tenant, codeId);
      else if (deviceHash !== undefined) await passwordless.removeDevices(tenant, { deviceHash });
      return { status: 'OK' };
    },

    async removeCodes(tenant, input) {
      requireOne([input.email, input.phoneNumber], 'Please provide exactly one of email or phoneNumber');
      const contact = contactOf(input);
      if (contact !== undefined) await passwordless.removeDevices(tenant, contact);
      return { status: 'OK' };
    },
  };
}

/** @returns undefined for a text that cannot be the id of a device */
function searchOf({
  email,
  phoneNumber,
  deviceId,
  preAuthSessionId,
}: PasswordlessInputs['listCodes']): DeviceSearch | undefined {
  requireOne(
    [email, phoneNumber, deviceId, preAuthSessionId],
    'Please provide exactly one of email, phoneNumber, deviceId or preAuthSessionId',
  );
  const contact = contactOf({ email, phoneNumber });
  if (contact !== undefined) return contact;
  if (deviceId !== undefined) return { deviceHash: digest(requireDeviceId(deviceId)) };
  const deviceHash = deviceHashOf(preAuthSessionId ?? '');
  return deviceHash === undefined ? undefined : { deviceHash };
}

function shown({ deviceHash, contact, failed, codes }: ListedDevice, { settings }: Tenant): ShownDevice {
  const codeLifetime = settings.passwordlessCodeLifetimeMs;
  return {
    preAuthSessionId: preAuthSessionIdOf(deviceHash),
    failedCodeInputAttemptCount: failed,
    ...contact,
    codes: codes.map(({ codeId, createdAt }) => ({ codeId, timeCreated: createdAt, codeLifetime })),
  };
}
