/**
 * Second factors of records as they are stored until they become rows of totp_devices: an array of
 *
 *   {digest}                    compared by imports: see base.ts
 *   {id, sealed, …}             a device, with its declared fields
 *   {id, codes}                 the backup codes together
 *
 * Each is sealed for the row that it becomes, so that it need not be opened for that.
 */

import { randomUUID } from 'node:crypto';
import { factorPlace, Sealer } from '../../process/sealer.ts';
import { devicesDigest } from '../parse/base.ts';
import type { FactorSealing } from '../tasks.ts';
import type { KeptCode } from './model.ts';
import type { NativeTotpDevice } from './native-record.ts';

type Factor = NativeTotpDevice | KeptCode;

/** Serves one chunk; undefined if records are checked and not stored. */
export class FactorSealer {
  readonly #sealing: FactorSealing | undefined;
  #sealer: Sealer | undefined;

  constructor(sealing: FactorSealing | undefined) {
    this.#sealing = sealing;
  }

  /** @param factors as records or the database have them: sealed ones, and undefined, are returned unchanged */
  seal(factors: unknown): unknown {
    if (this.#sealing === undefined || !isInClear(factors)) return factors;
    const { appNo, keys } = this.#sealing;
    const sealer = (this.#sealer ??= new Sealer(keys));
    const sealed = (secret: string) => {
      const id = randomUUID();
      return [id, sealer.seal(factorPlace(appNo, id), Buffer.from(secret)).toString('base64')] as const;
    };
    const codes = factors.filter(isCode).map(({ backupCode }) => ({ hash: backupCode }));
    const devices = factors.filter(isDevice).map(({ secretKey, ...shape }) => {
      const [id, secret] = sealed(secretKey);
      return { id, sealed: secret, ...shape };
    });
    const list: object[] = [{ digest: devicesDigest(factors) }, ...devices];
    if (codes.length === 0) return list;
    const [id, secret] = sealed(JSON.stringify(codes));
    return [...list, { id, codes: secret }];
  }
}

function isInClear(factors: unknown): factors is readonly Factor[] {
  return (
    Array.isArray(factors) && factors.some((each: object) => 'secretKey' in each || 'backupCode' in each)
  );
}

function isDevice(factor: Factor): factor is NativeTotpDevice {
  return !isCode(factor);
}

function isCode(factor: Factor): factor is KeptCode {
  return 'backupCode' in factor;
}
