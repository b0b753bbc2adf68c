import { randomBytes, randomUUID } from 'node:crypto';
import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import type { TotpInputs } from './schema.ts';
import type { CodeShape, TotpDevice } from '../../operations/ports/ports.ts';
import { base32Of, bytesOfBase32, defaultShape } from '../../hashes/parts/one-time-code.ts';
import { type DeviceExists, findDevices, type TotpContext, type UnknownDevice } from './context.ts';
import { freeName } from './names.ts';
import { sealSecret } from '../../operations/factors/secret.ts';

const secretBytes = 20;

interface ListedDevice {
  readonly name: string;
  readonly period: number;
  readonly skew: number;
  readonly verified: boolean;
}

type MadeDevice = { readonly status: 'OK'; readonly deviceName: string } | DeviceExists;

export interface DeviceOperations {
  /** Creates a device with a new secret, which a code has yet to verify. Replaces one that is not verified. */
  create(
    tenant: Tenant,
    input: TotpInputs['createTotpDevice'],
  ): Promise<(Extract<MadeDevice, { status: 'OK' }> & { readonly secret: string }) | DeviceExists>;
  /** Stores a device of another system, with its secret: it was verified there. */
  import(tenant: Tenant, input: TotpInputs['importTotpDevice']): Promise<MadeDevice>;
  rename(
    tenant: Tenant,
    input: TotpInputs['renameTotpDevice'],
  ): Promise<{ readonly status: 'OK' } | UnknownDevice | DeviceExists>;
  remove(
    tenant: Tenant,
    input: TotpInputs['removeTotpDevice'],
  ): Promise<{ status: 'OK'; didDeviceExist: boolean }>;
  /** Without their secrets. */
  list(
    tenant: Tenant,
    query: TotpInputs['listDevices'],
  ): Promise<{ status: 'OK'; devices: readonly ListedDevice[] }>;
}

export function deviceOperations(context: TotpContext): DeviceOperations {
  const { totp } = context;
  return {
    async create(tenant, input) {
      const secret = base32Of(randomBytes(secretBytes));
      const device = { ...defaultShape, ...input, secretKey: secret, isVerified: false };
      const made = await make(context, tenant, device);
      return made.status === 'OK' ? { ...made, secret } : made;
    },

    async import(tenant, input) {
      if (bytesOfBase32(input.secretKey) === undefined)
        throw new Refusal('INVALID_FIELD', "Field name 'secretKey' is invalid in JSON input: must be Base32");
      return make(context, tenant, { ...defaultShape, ...input, isVerified: true });
    },

    async rename({ appNo }, { userId, existingDeviceName, newDeviceName }) {
      await findDevices(context, appNo, userId);
      const outcome = await totp.rename(appNo, userId, existingDeviceName, newDeviceName);
      if (outcome === 'unknown') return { status: 'UNKNOWN_DEVICE_ERROR' };
      return outcome === 'taken' ? exists : { status: 'OK' };
    },

    async remove({ appNo }, { userId, deviceName }) {
      await findDevices(context, appNo, userId);
      return { status: 'OK', didDeviceExist: await totp.remove(appNo, userId, deviceName) };
    },

    async list({ appNo }, { userId }) {
      const { devices } = await findDevices(context, appNo, userId);
      return { status: 'OK', devices: devices.map(listed) };
    },
  };
}

const exists: DeviceExists = { status: 'DEVICE_ALREADY_EXISTS_ERROR' };

function listed({ name, period, skew, isVerified }: TotpDevice): ListedDevice {
  return { name, period, skew, verified: isVerified };
}

/** Each verified device is tried with each code. Unverified ones do not count: a set-up may be abandoned. */
const mostDevices = 10;

function tooMany(): Refusal {
  return new Refusal(
    'INVALID_FIELD',
    `Field name 'userId' is invalid in JSON input: the user has ${mostDevices} devices: remove one before`,
  );
}

interface Wanted extends CodeShape {
  readonly userId: string;
  readonly deviceName?: string | null;
  readonly secretKey: string;
  readonly period: number;
  readonly skew: number;
  readonly isVerified: boolean;
}

async function make(
  context: TotpContext,
  { appNo }: Tenant,
  { deviceName, secretKey, ...wanted }: Wanted,
): Promise<MadeDevice> {
  const { totp, sealer, now } = context;
  const { devices } = await findDevices(context, appNo, wanted.userId);
  const verified = new Set(devices.filter(({ isVerified }) => isVerified).map(({ name }) => name));
  if (verified.size >= mostDevices && !verified.has(deviceName ?? '')) throw tooMany();
  for (;;) {
    const name = deviceName ?? freeName(verified, verified.size);
    const id = randomUUID();
    const sealedSecret = sealSecret(sealer, appNo, id, secretKey);
    const device = { ...wanted, appNo, id, name, createdAt: now(), sealedSecret };
    if (await totp.put(device)) return { status: 'OK', deviceName: name };
    if (typeof deviceName === 'string') return exists;
    verified.add(name); // by another request, in the meantime
  }
}
