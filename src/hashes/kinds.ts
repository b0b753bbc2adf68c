/** The registry: one row a kind. Verifiers have a table of their own, in algorithms/, that only workers reach. */

import type { HashKind } from './parsed.ts';
import { bcryptRows } from './rows/bcrypt.ts';
import { cryptRows } from './rows/crypt.ts';
import { digestRows } from './rows/digests.ts';
import { memoryHardRows } from './rows/memory-hard.ts';
import { pbkdf2Rows } from './rows/pbkdf2.ts';
import type { KindRows } from './rows/row.ts';

export type { KindRow } from './rows/row.ts';

export const kinds: KindRows = {
  ...bcryptRows,
  ...memoryHardRows,
  ...pbkdf2Rows,
  ...cryptRows,
  ...digestRows,
};

/** The row of `kind`, for callers that hold a kind they do not know. */
export function rowOf<Kind extends HashKind>(kind: Kind): KindRows[Kind] {
  return kinds[kind];
}

export function isKind(name: string): name is HashKind {
  return Object.hasOwn(kinds, name);
}
