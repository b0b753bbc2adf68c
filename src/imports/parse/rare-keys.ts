/**
 * Keys that few records of an app have: those of users who were removed here, and external ids for which roles, metadata or TOTP
 * devices are stored before their user exists. A record that may have such a key is decided individually; its neighbours are not.
 *
 * The database stores a keyed mark of each such key (`rare_mark`), and all marks of an app are in a filter that the threads
 * share. An app without any has no filter, and its records are not checked.
 */

import { hash } from 'node:crypto';
import { mayHoldDigest } from './block-filter.ts';
import { externalIdKind, type RecordKey } from '../record/keys.ts';
import type { RareKeyFilter } from './types.ts';

/** 13 hexadecimal digits: what a number holds, and what the filter needs. */
const digitsOfMark = 13;

/**
 * The mark of a key. Must equal the SQL function `rare_mark`, whose `what` begins with `k` for an identity and `x` for an
 * external id; a test compares the two.
 * @returns 52 bits
 */
export function rareMark({ secret, appNo }: Omit<RareKeyFilter, 'words'>, what: string): number {
  return Number.parseInt(hash('sha256', `${secret} ${appNo} ${what}`, 'hex').slice(0, digitsOfMark), 16);
}

/** The rare keys among those of a chunk's records. */
export class RareKeys {
  readonly #filter: RareKeyFilter;
  /** The marks of the keys of records without a rare one. */
  readonly #others: number[] = [];

  constructor(filter: RareKeyFilter) {
    this.#filter = filter;
  }

  /** Whether the record with these keys may have a rare one. */
  isAmong(keys: readonly RecordKey[]): boolean {
    const marks = keys.map(({ kind, text }) =>
      rareMark(this.#filter, (kind === externalIdKind ? 'x' : 'k') + text),
    );
    if (marks.some((mark) => mayHoldDigest(this.#filter.words, mark))) return true;
    this.#others.push(...marks);
    return false;
  }

  /** Marks of all keys of the records for which `isAmong` was false, ascending. */
  marksOfOthers(): Float64Array {
    return Float64Array.from(this.#others).sort();
  }
}
