/** What changed here, for the process that writes it back to the old system. */
import { hashMark } from '../../domain/digests.ts';
import { storedKind } from '../../hashes/recognise.ts';
import { asStated } from '../../hashes/transforms/transforms.ts';
import type { Tenant } from '../../domain/model.ts';
import type { ExportOperations, SingleRecord } from '../../operations/export.ts';
import type { MoveContext } from './context.ts';
import type { Waiting } from './model.ts';
import type { ChangedUser, Settled } from './store/journal.ts';
import { noMove, type NoMove } from './take-step.ts';

export interface ChangesInput {
  /** Changes, not users. */
  readonly limit?: number | undefined;
  /** Those that were refused, instead of those that wait. */
  readonly conflicts?: boolean | undefined;
  /** The greatest number of the page before: of a reader that does not confirm each page. */
  readonly after?: string | undefined;
  /** ms since the epoch */
  readonly changedSince?: number | undefined;
}

export interface ChangesAnswer {
  readonly status: 'OK';
  readonly changes: readonly (ChangedUser & {
    /** As the user is now; null: removed, or linked to another user. */
    readonly record: object | null;
    /** Of its login methods, in their order. */
    readonly methods: SingleRecord['methods'];
    /** Of passwords that were set here, as the old system hashes them, by the marks of their hashes here. */
    readonly secondHashes: Readonly<Record<string, string>>;
  })[];
  /** The kind of hash that the old system makes; null: not known. */
  readonly hashKind: string | null;
  readonly waiting: Waiting;
  readonly now: number;
}

const usualLimit = 500;

/** @throws Refusal HASH_EXPORT_NOT_ALLOWED */
export async function readChanges(
  { stores: { moves, journal, passwords, hashRules } }: MoveContext,
  exports: Pick<ExportOperations, 'recordsOf'>,
  tenant: Tenant,
  { limit = usualLimit, conflicts = false, after, changedSince: since }: ChangesInput,
): Promise<ChangesAnswer | NoMove> {
  const facts = await moves.facts(tenant.appNo);
  if (facts === undefined) return noMove;
  const sought = { limit, conflicts, after, since };
  const changed = await journal.next(tenant.appNo, facts.move.moveNo, sought);
  // Read after the journal: a change that is confirmed is in the record.
  const ids = changed.map(({ id }) => id);
  const records = await exports.recordsOf(tenant, ids);
  const marked = changed.map((each) => {
    const { record = null, methods = [] } = records.get(each.id) ?? {};
    return { change: { ...each, record, methods }, marks: marksOf(record, each.was) };
  });
  const found = await passwords.find(
    tenant.appNo,
    facts.move.moveNo,
    marked.flatMap(({ marks }) => marks),
  );
  const changes = marked.map(({ change, marks }) => ({ ...change, secondHashes: ofMarks(found, marks) }));
  const { model } = (await hashRules.find(tenant.appNo)) ?? {};
  const hashKind = (model && storedKind(model)) ?? null;
  return { status: 'OK', changes, hashKind, waiting: facts.waiting, now: facts.now };
}

/** Of the hashes that the user has, and had before. */
function marksOf(record: object | null, was: ChangedUser['was']): readonly string[] {
  const { loginMethods = [] }: { loginMethods?: readonly HashOfRecord[] } = record ?? {};
  const own = loginMethods.flatMap(storedHashes).map(hashMark);
  return [...new Set([...own, ...was.flatMap(({ passwordMark }) => passwordMark ?? [])])];
}

interface HashOfRecord {
  readonly passwordHash?: string;
  readonly passwordTransforms?: string;
}

function storedHashes({ passwordHash: hash, passwordTransforms: forms }: HashOfRecord): readonly string[] {
  return hash === undefined ? [] : [asStated({ forms, hash })];
}

function ofMarks(found: ReadonlyMap<string, string>, marks: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    marks.flatMap((mark) => {
      const hash = found.get(mark);
      return hash === undefined ? [] : [[mark, hash]];
    }),
  );
}

export type SettledAnswer = { readonly status: 'OK' } | { readonly status: 'LEASE_LOST_ERROR' };

export async function settleChanges(
  { stores: { journal } }: MoveContext,
  { appNo }: Tenant,
  { fence, settled }: { readonly fence: number; readonly settled: readonly Settled[] },
): Promise<SettledAnswer> {
  return (await journal.settle(appNo, fence, settled)) ? { status: 'OK' } : { status: 'LEASE_LOST_ERROR' };
}
