import type { Sealer } from '../../process/sealer.ts';
import type { KeptCodes, StagedFactor } from '../../operations/ports/ports.ts';
import type { TotpStore } from './model.ts';
import { openCodes, restatedCodes, sealCodes } from '../../operations/factors/backup-codes.ts';
import { nameDevices } from './names.ts';
import { devicesIn, openStagedCodes, rowOf } from '../../operations/factors/staged.ts';

export interface ImportedDevicesContext {
  readonly totp: Pick<TotpStore, 'sealImported'>;
  readonly sealer: Sealer;
  readonly now: () => number;
  /** The digest by which imports compare devices. */
  readonly digestOf: (stated: readonly StagedFactor[]) => string;
}

/**
 * Turns the devices that an import left in the user's details into rows. They were verified at the source.
 * @throws Refusal ENCRYPTION_KEY_MISSING
 */
export async function sealImported(
  { totp, sealer, now, digestOf }: ImportedDevicesContext,
  appNo: number,
  userKey: string,
): Promise<void> {
  await totp.sealImported(appNo, userKey, (stated, taken, former) => ({
    devices: nameDevices(devicesIn(stated), taken).map(rowOf),
    backupCodes: codesOf(sealer, appNo, stated, former),
    digest: digestOf(stated),
    createdAt: now(),
  }));
}

function codesOf(
  sealer: Sealer,
  appNo: number,
  stated: readonly StagedFactor[],
  former: KeptCodes | undefined,
): KeptCodes | undefined {
  const codes = restatedCodes(openStagedCodes(sealer, appNo, stated), openCodes(sealer, appNo, former));
  return codes.length === 0 ? undefined : sealCodes(sealer, appNo, codes);
}

interface UnsealedUser {
  readonly appNo: number;
  readonly userKey: string;
}

/**
 * Devices become rows also if no request needs them. Without a key nothing can be done.
 * @returns the number of users with such devices
 */
export async function sealAllImported(
  context: ImportedDevicesContext,
  users: AsyncIterable<UnsealedUser>,
): Promise<number> {
  if (!context.sealer.canSeal) return 0;
  let count = 0;
  for await (const { appNo, userKey } of users) {
    await sealImported(context, appNo, userKey);
    count++;
  }
  return count;
}
