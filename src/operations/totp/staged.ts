import type { Sealer } from '../../process/sealer.ts';
import type {
  ImportedCode,
  ImportedDevice,
  SealedDevice,
  StagedCodes,
  StagedDevice,
  StagedFactor,
} from '../ports/ports.ts';
import { defaultShape } from '../../hashes/parts/one-time-code.ts';
import { type BackupCode, openCodes } from './backup-codes.ts';
import { openSecret } from './secret.ts';

/** Second factors that an import has left with the user's details, in clear (earlier versions) or sealed. */

export type AnyDevice = ImportedDevice | StagedDevice;

export function devicesIn(staged: readonly StagedFactor[]): AnyDevice[] {
  return staged.filter((each) => 'secretKey' in each || 'sealed' in each);
}

/** @returns the codes that are sealed, and those in clear */
export function codesIn(staged: readonly StagedFactor[]): {
  readonly sealed: StagedCodes | undefined;
  readonly inClear: readonly ImportedCode[];
} {
  return {
    sealed: staged.find((each): each is StagedCodes => 'codes' in each),
    inClear: staged.filter((each): each is ImportedCode => 'backupCode' in each),
  };
}

/** @throws SealedOtherwise */
export function openStagedCodes(
  sealer: Sealer,
  appNo: number,
  staged: readonly StagedFactor[],
): readonly BackupCode[] {
  const { sealed, inClear } = codesIn(staged);
  const kept = sealed && { id: sealed.id, sealedSecret: Buffer.from(sealed.codes, 'base64') };
  return [...inClear.map(({ backupCode }) => ({ hash: backupCode })), ...openCodes(sealer, appNo, kept)];
}

/** As the import stated it. @throws SealedOtherwise */
export function openDevice(sealer: Sealer, appNo: number, device: AnyDevice): ImportedDevice {
  if ('secretKey' in device) return device;
  const { id, sealed, ...shape } = device;
  return {
    secretKey: openSecret(sealer, appNo, { id, sealedSecret: Buffer.from(sealed, 'base64') }),
    ...shape,
  };
}

/** The row of a device that is sealed for it. The defaults are those of the SDKs. */
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
