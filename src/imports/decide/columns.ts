/** Rows → columns, in the order of their keys, so that statements lock in one order, whatever the order of the lines. */

import { arraysOf, type Columns, type CountedArraysOf, type RowIn } from '../../domain/columns.ts';
import { detailsColumns, identityColumns, methodColumns, updateColumns } from '../../domain/user-columns.ts';
import type { FactorSealer } from '../record/seal-factors.ts';
import type { ChunkChanges, IdentityColumns } from '../parse/types.ts';
import type { IdentityRow, Writes } from './plan/plan.ts';

/** @param factors seals new factors; existing ones are sealed already */
export function changesOf(writes: Writes, factors: FactorSealer): ChunkChanges {
  const details = writes.details.map((row) => ({ ...row, totpDevices: factors.seal(row.totpDevices) }));
  return {
    users: counted(methodColumns, byUser(writes.users)),
    identities: byKey(writes.identities),
    updates: counted(updateColumns, byUser([...writes.updates.values()])),
    removedIdentities: byKey(writes.removedIdentities),
    formerIdentities: byKey(writes.formerIdentities),
    details: counted(detailsColumns, byUser(details)),
    takenOver: writes.takenOver,
  };
}

function counted<All extends Columns>(columns: All, rows: readonly RowIn<All>[]): CountedArraysOf<All> {
  return { count: rows.length, ...arraysOf(columns, rows) };
}

function byKey(rows: readonly IdentityRow[]): IdentityColumns {
  const sorted = rows.toSorted((a, b) => a.kind - b.kind || compare(a.key, b.key) || a.tenantNo - b.tenantNo);
  return counted(identityColumns, sorted);
}

function byUser<Row extends { readonly userId: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => compare(a.userId, b.userId));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
