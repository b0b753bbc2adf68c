import { randomUUID } from 'node:crypto';
import type { Tenant } from '../../domain/model.ts';
import type { PasswordlessInputs } from './schema.ts';
import type { PasswordlessContext } from './context.ts';
import type { Contact, NewSentCode } from './model.ts';
import { goneTenant } from '../../operations/users/removals.ts';
import { contactOf, isGiven, requireDeviceId, requireOne } from './inputs.ts';
import { digest, linkCodeOf, newInputCode, newSecret, preAuthSessionIdOf } from './secrets.ts';

export interface CodeOperations {
  /** Makes a code: for a contact with a new device, or another one for a device. The caller sends it. */
  createCode(
    tenant: Tenant,
    input: PasswordlessInputs['createCode'],
  ): Promise<
    CreatedCode | { status: 'RESTART_FLOW_ERROR' } | { status: 'USER_INPUT_CODE_ALREADY_USED_ERROR' }
  >;
}

interface CreatedCode {
  readonly status: 'OK';
  readonly preAuthSessionId: string;
  readonly codeId: string;
  readonly deviceId: string;
  readonly userInputCode: string;
  readonly linkCode: string;
  readonly timeCreated: number;
  readonly codeLifetime: number;
}

/** A code, and its secrets. */
interface Made {
  readonly stored: NewSentCode;
  readonly shown: CreatedCode;
}

/** There are a million codes, so this number of draws fails only if nearly all are in use on one device. */
const maxDraws = 100;

export function codeOperations({ passwordless, now }: PasswordlessContext): CodeOperations {
  return {
    async createCode(tenant, input) {
      const { email, phoneNumber, deviceId, userInputCode } = input;
      requireOne(
        [email, phoneNumber, deviceId],
        'Please provide exactly one of email, phoneNumber or deviceId',
      );
      const contact = contactOf(input);
      if (contact !== undefined) return forContact(tenant, contact, userInputCode ?? newInputCode());
      return forDevice(tenant, requireDeviceId(deviceId ?? ''), userInputCode);
    },
  };

  async function forContact(tenant: Tenant, contact: Contact, userInputCode: string): Promise<CreatedCode> {
    const salt = newSecret();
    const { stored, shown } = made(tenant, newSecret(), salt, userInputCode);
    if ((await passwordless.createDevice({ ...stored, contact, salt })) === 'tenant-gone') throw goneTenant();
    return shown;
  }

  async function forDevice(tenant: Tenant, deviceId: Buffer, given: string | null | undefined) {
    const device = await passwordless.findDevice(tenant, digest(deviceId));
    if (device === undefined) return { status: 'RESTART_FLOW_ERROR' } as const;
    for (let draws = 0; draws < maxDraws; draws++) {
      const { stored, shown } = made(tenant, deviceId, device.salt, given ?? newInputCode());
      const outcome = await passwordless.addCode(stored);
      if (outcome === 'added') return shown;
      if (outcome === 'unknown-device') break;
      if (isGiven(given)) return { status: 'USER_INPUT_CODE_ALREADY_USED_ERROR' } as const;
    }
    return { status: 'RESTART_FLOW_ERROR' } as const;
  }

  function made(tenant: Tenant, deviceId: Buffer, salt: Buffer, userInputCode: string): Made {
    const linkCode = linkCodeOf(deviceId, salt, userInputCode);
    const timeCreated = now();
    const codeLifetime = tenant.settings.passwordlessCodeLifetimeMs;
    const deviceHash = digest(deviceId);
    const codeId = randomUUID();
    return {
      stored: {
        tenant,
        deviceHash,
        codeId,
        linkHash: digest(linkCode),
        createdAt: timeCreated,
        expiresAt: timeCreated + codeLifetime,
      },
      shown: {
        status: 'OK',
        preAuthSessionId: preAuthSessionIdOf(deviceHash),
        codeId,
        deviceId: deviceId.toString('base64'),
        userInputCode,
        linkCode: linkCode.toString('base64url'),
        timeCreated,
        codeLifetime,
      },
    };
  }
}
