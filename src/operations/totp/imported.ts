import { randomUUID } from 'node:crypto';
import type { Sealer } from '../../process/sealer.ts';
import type {
  ImportedCode,
  ImportedDevice,
  ImportedFactor,
  SealedDevice,
  TotpStore,
} from '../ports/ports.ts';
import { defaultShape } from '../../hashes/parts/one-time-code.ts';
import { openCodes, restatedCodes, sealCodes } from './backup-codes.ts';
import { nameDevices } from './names.ts';
import { sealSecret } from './secret.ts';

export interface ImportedDevicesContext {
  readonly totp: Pick<TotpStore, 'sealImported'>;
  readonly sealer: Sealer;
  readonly now: () => number;
  /** What imports compare devices by. */
  readonly digestOf: (stated: readonly ImportedFactor[]) => string;
}

/**
 * Seals the devices that an import left with the user's details, and makes them devices like others. They were proved at
 * the source.
 * @throws Refusal ENCRYPTION_KEY_MISSING
 */
export async function sealImported(
  { totp, sealer, now, digestOf }: ImportedDevicesContext,
  appNo: number,
  userKey: string,
): Promise<void> {
  await totp.sealImported(appNo, userKey, (stated, taken, former) => {
    const codes = restatedCodes(stated.filter(isCode), openCodes(sealer, appNo, former));
    return {
      devices: nameDevices(stated.filter(isDevice), taken).map((device) => sealed(sealer, appNo, device)),
      backupCodes: codes.length === 0 ? undefined : sealCodes(sealer, appNo, codes),
      digest: digestOf(stated),
      createdAt: now(),
    };
  });
}

function isCode(stated: ImportedFactor): stated is ImportedCode {
  return 'backupCode' in stated;
}

function isDevice(stated: ImportedFactor): stated is ImportedDevice {
  return !isCode(stated);
}

/** The defaults are those of the SDKs. */
function sealed(
  sealer: Sealer,
  appNo: number,
  { secretKey, ...device }: ImportedDevice & { readonly name: string },
): SealedDevice {
  const id = randomUUID();
  const shape = { ...defaultShape, period: 30, skew: 1, ...device };
  return { ...shape, id, isVerified: true, sealedSecret: sealSecret(sealer, appNo, id, secretKey) };
}

interface UnsealedUser {
  readonly appNo: number;
  readonly userKey: string;
}

/**
 * So that nothing that was imported stays in clear because nobody asks for it. Without a key nothing can be done.
 * @returns of how many users devices were sealed
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
