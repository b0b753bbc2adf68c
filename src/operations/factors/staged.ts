import type { Sealer } from '../../process/sealer.ts';
import type { ImportedDevice, SealedDevice, StagedDevice, StagedFactor } from '../ports/ports.ts';
import { defaultShape } from '../../hashes/parts/one-time-code.ts';
import { type BackupCode, openCodes } from './backup-codes.ts';
import { openSecret } from './secret.ts';

/** Second factors that an import stored, sealed, with the user's details. */

export function devicesIn(staged: readonly StagedFactor[]): StagedDevice[] {
  return staged.filter((each) => 'sealed' in each);
}

/** @throws SealedOtherwise */
export function openStagedCodes(
  sealer: Sealer,
  appNo: number,
  staged: readonly StagedFactor[],
): readonly BackupCode[] {
  const found = staged.find((each) => 'codes' in each);
  return openCodes(
    sealer,
    appNo,
    found && { id: found.id, sealedSecret: Buffer.from(found.codes, 'base64') },
  );
}

/** @returns the device as the import stated it @throws SealedOtherwise */
export function openDevice(
  sealer: Sealer,
  appNo: number,
  { id, sealed, ...shape }: StagedDevice,
): ImportedDevice {
  return {
    secretKey: openSecret(sealer, appNo, { id, sealedSecret: Buffer.from(sealed, 'base64') }),
    ...shape,
  };
}

/** The row of a device whose secret is sealed for it. Defaults are those of the SDKs. */
export function rowOf({
  id,
  name,
  sealed,
  period = 30,
  skew = 1,
  algorithm = defaultShape.algorithm,
  digits = defaultShape.digits,
}: StagedDevice & { readonly name: string }): SealedDevice {
  const sealedSecret = Buffer.from(sealed, 'base64');
  return { id, name, isVerified: true, period, skew, algorithm, digits, sealedSecret };
}
