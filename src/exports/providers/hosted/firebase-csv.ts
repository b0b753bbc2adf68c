/** The columns of `firebase auth:export --format=csv`, which has no header row. */

import { objectOf, textOf } from '../parts/fields.ts';
import type { SourceRow } from '../provider.ts';

/** Providers in the order of their four columns each; the last six came later. */
const early = ['google.com', 'facebook.com', 'twitter.com', 'github.com'] as const;
const late = [
  'apple.com',
  'microsoft.com',
  'gc.apple.com',
  'playgames.google.com',
  'linkedin.com',
  'yahoo.com',
] as const;

const fieldsOf = (provider: string) =>
  ['rawId', 'email', 'displayName', 'photoUrl'].map((field) => `${provider} ${field}`);

/** 52 columns and the empty one after the comma that ends each row. */
export const firebaseColumns: readonly string[] = [
  'localId',
  'email',
  'emailVerified',
  'passwordHash',
  'salt',
  'displayName',
  'photoUrl',
  ...early.flatMap(fieldsOf),
  'createdAt',
  'lastSignedInAt',
  'phoneNumber',
  'disabled',
  'customAttributes',
  ...late.flatMap(fieldsOf),
  'end',
];

/** What versions of the command write: without and with the late providers, without and with the last comma. */
const cellCounts: ReadonlySet<number> = new Set([28, 29, 52, 53]);

/** Whether the first row of a file is one of its users: there is no header to tell by. */
export function isFirebaseCsv(cells: readonly string[]): boolean {
  return cellCounts.has(cells.length) && (cells[2] === 'true' || cells[2] === 'false');
}

/** The row as the JSON export has it; a JSON row as it is. `isShifted` when cells do not stand in their columns. */
export function fromCells(row: SourceRow): SourceRow {
  if (!('google.com rawId' in row)) return row;
  const isShifted = !cellCounts.has(Object.keys(row).length) || (row.end ?? '') !== '';
  const providerUserInfo = [...early, ...late].flatMap((providerId) => {
    const rawId = textOf(row[`${providerId} rawId`]);
    return rawId === undefined ? [] : [{ providerId, rawId, email: row[`${providerId} email`] }];
  });
  return { ...row, providerUserInfo, isShifted };
}

/**
 * Custom claims from their JSON text; undefined where they cannot be read. The CSV leaves a quote after a backslash
 * undoubled, so that a reader takes the cell for ended there and keeps the rest as it stands, its outer quotes too.
 */
export function claimsOf(text: string): SourceRow | undefined {
  const inner = /^"(.*)"$/s.exec(text)?.[1] ?? text;
  return objectOf(text) ?? objectOf(inner.replace(/(\\")|""/g, (_pair, escaped?: string) => escaped ?? '"'));
}
