import type { Sealer } from '../../process/sealer.ts';
import type { StagedFactor, PasswordHasher } from '../../operations/ports/ports.ts';
import type { FoundDevices, TotpStore } from './model.ts';
import { sealImported } from './imported.ts';

export interface TotpContext {
  readonly totp: TotpStore;
  readonly sealer: Sealer;
  /** Verifies backup codes that a source hashed. */
  readonly hasher: Pick<PasswordHasher, 'verify'>;
  /** ms since the epoch */
  readonly now: () => number;
  /** See ImportedDevicesContext. */
  readonly digestOf: (stated: readonly StagedFactor[]) => string;
}

/** The user's devices, including imported ones, which are sealed first. */
export async function findDevices(
  context: TotpContext,
  appNo: number,
  userId: string,
): Promise<FoundDevices> {
  const found = await context.totp.devices(appNo, userId);
  if (!found.hasUnsealed) return found;
  await sealImported(context, appNo, found.userKey);
  return context.totp.devices(appNo, userId);
}

export interface UnknownDevice {
  readonly status: 'UNKNOWN_DEVICE_ERROR';
}
export interface DeviceExists {
  readonly status: 'DEVICE_ALREADY_EXISTS_ERROR';
}
