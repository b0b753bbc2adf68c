/** Every key of a record: no later record of its job may have the same one. */

import { identityKey } from '../../domain/identity.ts';
import type { ClaimOfChunk } from '../parse/types.ts';
import { identityField } from './methods.ts';
import type { BulkIdentity, BulkRecord } from './model.ts';

/** The kind of an external id's key, after those of identities; external ids have tenant number 0. */
export const externalIdKind = 5;

export interface RecordKey {
  readonly kind: BulkIdentity['kind'] | typeof externalIdKind;
  /** 32 hexadecimal digits. */
  readonly key: string;
  /** Equal for the same key only, within kind and tenant. */
  readonly text: string;
  readonly tenantNo: number;
  /** The index of the login method in the record; without meaning for an external id. */
  readonly place: number;
}

/** Identifies a key within its job. */
export interface DigestedKey extends Pick<RecordKey, 'text' | 'tenantNo'> {
  readonly kind: number;
}

/** Its key is a digest that most imports never need, so it is computed on demand. */
class ExternalIdKey implements RecordKey {
  readonly kind = externalIdKind;
  readonly tenantNo = 0;
  readonly place = 0;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get key(): string {
    return identityKey(this.text);
  }
}

/** The external id first, then the login methods in their order. */
export function keysOf({ externalUserId, methods }: BulkRecord): readonly RecordKey[] {
  const keys: RecordKey[] = [];
  if (externalUserId !== undefined) keys.push(new ExternalIdKey(externalUserId));
  for (const [place, { tenantNos, identities }] of methods.entries()) {
    for (const tenantNo of tenantNos) {
      for (const { kind, key } of identities) keys.push({ kind, key, text: key, tenantNo, place });
    }
  }
  return keys;
}

/** The path of the field that a key is made of. */
export function fieldOfKey({ kind, place }: RecordKey): string {
  return kind === externalIdKind ? 'externalUserId' : identityField(place, { kind });
}

/** @param line of the record that has used the key */
export function claimOf(used: RecordKey, line: number): ClaimOfChunk {
  const { kind, key, tenantNo } = used;
  return { kind, key, tenantNo, line, digest: digestOf(used) };
}

/** A number for each kind and tenant. */
export function groupOf({ kind, tenantNo }: DigestedKey): number {
  return tenantNo * 8 + kind;
}

/**
 * 53 bits that are the same for the same key, and otherwise only by chance: what a number holds. Two hashes of FNV-1a's form
 * (Fowler, Noll, Vo), begun at different values: they decide only which chunks wait for each other.
 */
export function digestOf(key: DigestedKey): number {
  const { text } = key;
  let low = 0x811c9dc5 ^ groupOf(key);
  let high = 0x9e3779b1 ^ groupOf(key);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
