/** What changed here, for the process that writes it back to the old system. */
import type { Tenant } from '../../domain/model.ts';
import type { ExportOperations } from '../../operations/export.ts';
import type { MoveContext } from './context.ts';
import type { Waiting } from './model.ts';
import type { ChangedUser, Settled } from './store/journal.ts';
import { noMove, type NoMove } from './take-step.ts';

export interface ChangesInput {
  /** Changes, not users. */
  readonly limit?: number | undefined;
  /** Those that were refused, instead of those that wait. */
  readonly conflicts?: boolean | undefined;
}

export interface ChangesAnswer {
  readonly status: 'OK';
  readonly changes: readonly (ChangedUser & {
    /** As the user is now; null: removed. */
    readonly record: object | null;
  })[];
  readonly waiting: Waiting;
  readonly now: number;
}

const usualLimit = 500;

/** @throws Refusal HASH_EXPORT_NOT_ALLOWED */
export async function readChanges(
  { stores: { moves, journal } }: MoveContext,
  exports: Pick<ExportOperations, 'recordsOf'>,
  tenant: Tenant,
  { limit = usualLimit, conflicts = false }: ChangesInput,
): Promise<ChangesAnswer | NoMove> {
  const facts = await moves.facts(tenant.appNo);
  if (facts === undefined) return noMove;
  const changed = await journal.next(tenant.appNo, facts.move.moveNo, limit, conflicts);
  // Read after the journal: a change that is confirmed is in the record.
  const ids = changed.map(({ id }) => id);
  const records = await exports.recordsOf(tenant, ids);
  const changes = changed.map((each) => ({ ...each, record: records.get(each.id) ?? null }));
  return { status: 'OK', changes, waiting: facts.waiting, now: facts.now };
}

export type SettledAnswer = { readonly status: 'OK' } | { readonly status: 'LEASE_LOST_ERROR' };

export async function settleChanges(
  { stores: { journal } }: MoveContext,
  { appNo }: Tenant,
  { fence, settled }: { readonly fence: number; readonly settled: readonly Settled[] },
): Promise<SettledAnswer> {
  return (await journal.settle(appNo, fence, settled)) ? { status: 'OK' } : { status: 'LEASE_LOST_ERROR' };
}
