/** Everything that a record is known by: what no later record of its job may be known by. */

import { identityKey } from '../../identity.ts';
import { identityField } from './methods.ts';
import type { BulkIdentity, BulkRecord } from './model.ts';

/** The kind of an external id's key, after those of identities; external ids have tenant number 0. */
export const externalIdKind = 5;

export interface RecordKey {
  readonly kind: BulkIdentity['kind'] | typeof externalIdKind;
  /** 32 hexadecimal digits. */
  readonly key: string;
  readonly tenantNo: number;
  /** Of the login method in the record; of no meaning for an external id. */
  readonly place: number;
}

/** The external id first, then the login methods in their order. */
export function keysOf({ externalUserId, methods }: BulkRecord): readonly RecordKey[] {
  const keys: RecordKey[] = [];
  if (externalUserId !== undefined) {
    keys.push({ kind: externalIdKind, key: identityKey(externalUserId), tenantNo: 0, place: 0 });
  }
  for (const [place, { tenantNos, identities }] of methods.entries()) {
    for (const tenantNo of tenantNos) {
      for (const { kind, key } of identities) keys.push({ kind, key, tenantNo, place });
    }
  }
  return keys;
}

/** The path of the field that a key is made of. */
export function fieldOfKey({ kind, place }: RecordKey): string {
  return kind === externalIdKind ? 'externalUserId' : identityField(place, { kind });
}

/** What is the same for the same key only. */
export function exactKey({ kind, tenantNo, key }: RecordKey): string {
  return `${kind}:${tenantNo}:${key}`;
}

/**
 * 53 bits that are the same for the same key, and by chance only for others: what a number holds. The factor is odd, so
 * that kinds and tenants of one text stay apart (2^32 / golden ratio: Knuth, TAOCP 3, 6.4).
 */
export function digestOf({ kind, tenantNo, key }: RecordKey): number {
  const low = Number.parseInt(key.slice(0, 8), 16) ^ Math.imul(tenantNo * 8 + kind, 0x9e3779b1);
  const high = Number.parseInt(key.slice(8, 14), 16) & 0x1f_ffff;
  return high * 2 ** 32 + (low >>> 0);
}
