/** Rows → columns. In the order of their keys: so statements lock in one order, whatever that of the lines. */

import { plainArray, textArray } from '../../domain/pg-array.ts';
import type { ChunkChanges, Column, IdentityColumns } from '../parse/types.ts';
import type { DetailsRow, IdentityRow, MethodUpdate, NewMethod, Writes } from './plan/plan.ts';

export function changesOf(writes: Writes): ChunkChanges {
  return {
    users: userColumns(byUser(writes.users)),
    identities: identityColumns(writes.identities),
    updates: updateColumns(byUser([...writes.updates.values()])),
    removedIdentities: identityColumns(writes.removedIdentities),
    formerIdentities: identityColumns(writes.formerIdentities),
    details: detailsColumns(byUser(writes.details)),
  };
}

function userColumns(rows: readonly NewMethod[]): ChunkChanges['users'] {
  return {
    count: rows.length,
    userId: plainArray(rows, ({ userId }) => userId),
    primaryUserId: sparseColumn(rows, ({ primaryUserId }) => primaryUserId, plainArray),
    recipe: plainArray(rows, ({ recipe }) => recipe),
    verified: plainArray(rows, ({ verified }) => flag(verified)),
    timeJoined: plainArray(rows, ({ timeJoined }) => timeJoined),
    email: sparseColumn(rows, ({ email }) => email),
    passwordHash: sparseColumn(rows, ({ passwordHash }) => passwordHash),
    thirdPartyId: sparseColumn(rows, ({ thirdPartyId }) => thirdPartyId),
    thirdPartyUserId: sparseColumn(rows, ({ thirdPartyUserId }) => thirdPartyUserId),
    phone: sparseColumn(rows, ({ phone }) => phone),
    externalId: sparseColumn(rows, ({ externalId }) => externalId),
    base: plainArray(rows, ({ base }) => base),
  };
}

function updateColumns(rows: readonly MethodUpdate[]): ChunkChanges['updates'] {
  return {
    count: rows.length,
    userId: plainArray(rows, ({ userId }) => userId),
    primaryUserId: sparseColumn(rows, ({ primaryUserId }) => primaryUserId ?? undefined, plainArray),
    verified: plainArray(rows, ({ verified }) => flag(verified)),
    email: sparseColumn(rows, ({ email }) => email ?? undefined),
    passwordHash: sparseColumn(rows, ({ passwordHash }) => passwordHash ?? undefined),
    thirdPartyUserId: sparseColumn(rows, ({ thirdPartyUserId }) => thirdPartyUserId ?? undefined),
    phone: sparseColumn(rows, ({ phone }) => phone ?? undefined),
    externalId: sparseColumn(rows, ({ externalId }) => externalId ?? undefined),
    base: sparseColumn(rows, ({ base }) => base ?? undefined, plainArray),
  };
}

function detailsColumns(rows: readonly DetailsRow[]): ChunkChanges['details'] {
  return {
    count: rows.length,
    userId: plainArray(rows, ({ userId }) => userId),
    metadata: sparseColumn(rows, ({ metadata }) => json(metadata)),
    roles: sparseColumn(rows, ({ roles }) => json(roles)),
    totpDevices: sparseColumn(rows, ({ totpDevices }) => json(totpDevices)),
    restrictions: sparseColumn(rows, ({ restrictions }) => json(restrictions)),
  };
}

function identityColumns(rows: readonly IdentityRow[]): IdentityColumns {
  const sorted = rows.toSorted((a, b) => a.kind - b.kind || compare(a.key, b.key) || a.tenantNo - b.tenantNo);
  return {
    count: sorted.length,
    tenantNo: plainArray(sorted, ({ tenantNo }) => tenantNo),
    kind: plainArray(sorted, ({ kind }) => kind),
    key: plainArray(sorted, ({ key }) => key),
    userId: plainArray(sorted, ({ userId }) => userId),
  };
}

function byUser<Row extends { readonly userId: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => compare(a.userId, b.userId));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** `{}` when every cell is NULL. */
function sparseColumn<Row>(
  rows: readonly Row[],
  cell: (row: Row) => string | undefined,
  encode: typeof textArray = textArray,
): Column {
  return rows.some((row) => cell(row) !== undefined) ? encode(rows, cell) : '{}';
}

function flag(value: boolean): 't' | 'f' {
  return value ? 't' : 'f';
}

function json(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
