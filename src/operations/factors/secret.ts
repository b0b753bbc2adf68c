import { factorPlace, type Sealer } from '../../process/sealer.ts';
import type { SealedDevice } from '../ports/ports.ts';

/** @param secretKey as text, because exports return it unchanged */
export function sealSecret(sealer: Sealer, appNo: number, id: string, secretKey: string): Buffer {
  return sealer.seal(factorPlace(appNo, id), Buffer.from(secretKey));
}

/** @returns the text that was sealed */
export function openSecret(
  sealer: Sealer,
  appNo: number,
  { id, sealedSecret }: Pick<SealedDevice, 'id' | 'sealedSecret'>,
): string {
  return sealer.open(factorPlace(appNo, id), sealedSecret).toString();
}
