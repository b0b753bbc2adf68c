/** Brings what changed here to the old system, as the holder of the move's lease. */
import type { LeftOut } from '../../exports/sources/written/parts.ts';
import type { UserTable } from '../../exports/sources/written/table.ts';
import { type Outcome, writeUsers } from '../../exports/sources/written/write-user.ts';
import type { CoreClient } from '../client/core-client.ts';
import type { SourceView } from '../client/moves.ts';
import { plural, printable } from '../output/format.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Lease, LeaseLost } from './lease.ts';
import { noMove } from './options.ts';
import { type MoveProcess, runProcess, type Work } from './process.ts';
import { type ChangeView, userChangeOf } from './user-change.ts';

/** Written within a lease, also by a slow database. */
const changesAtOnce = 100;
const intervalMs = 1000;

export interface ChangesView {
  readonly status: string;
  readonly changes: readonly ChangeView[];
  /** Which the old system makes; null: not known. */
  readonly hashKind: string | null;
  readonly waiting: { readonly users: number; readonly conflicts: number; readonly since: number | null };
  readonly now: number;
}

export interface WriteBackOptions {
  readonly source: SourceView;
  readonly idPrefix: string;
  readonly once: boolean;
  readonly dryRun: boolean;
  /** Tries again what was refused. */
  readonly again: boolean;
}

export interface Tally {
  written: number;
  conflicts: number;
  /** Users whose password the old system cannot verify. */
  mustReset: number;
  /** Users by what of them the old system has no place for. */
  readonly leftOut: Partial<Record<LeftOut, number>>;
}

/** @returns and throws as runProcess, with what it did */
export async function writeBack(
  client: CoreClient,
  table: UserTable,
  options: WriteBackOptions,
  surroundings: Surroundings,
): Promise<{ readonly ended: 'done' | 'closed'; readonly tally: Tally }> {
  const { source, dryRun, again } = options;
  const once = options.once || again;
  const tally: Tally = { written: 0, conflicts: 0, mustReset: 0, leftOut: {} };
  const batch = { client, table, options, surroundings, tally };
  if (dryRun) {
    await writeBatch({ ...batch, lease: undefined });
    return { ended: 'done', tally };
  }
  let hasRead = false;
  const begin = (lease: Lease): Work => ({
    async look() {
      const before = tally.written;
      const isMore = await writeBatch({ ...batch, lease });
      hasRead = true;
      if (!once && tally.written > before)
        surroundings.stderr.write(`Written: ${plural(tally.written - before, 'user')}\n`);
      return isMore;
    },
    get hasRead() {
      return hasRead;
    },
  });
  const process: MoveProcess = { client, role: 'write-back', source, intervalMs, once, begin };
  return { ended: await runProcess(process, surroundings), tally };
}

interface Batch {
  readonly client: CoreClient;
  readonly table: UserTable;
  readonly options: WriteBackOptions;
  readonly surroundings: Surroundings;
  readonly tally: Tally;
  /** Undefined for a dry run. */
  readonly lease: Lease | undefined;
}

/** @returns whether there may be more @throws LeaseLost */
async function writeBatch({ client, table, options, surroundings, tally, lease }: Batch): Promise<boolean> {
  const signal = surroundings.interrupt;
  const path = `/move/changes?limit=${changesAtOnce}${options.again ? '&conflicts=true' : ''}`;
  const found = await client.call<ChangesView>({ method: 'GET', path, signal });
  if (found.status !== 'OK') throw noMove();
  const settled = [];
  const users = found.changes.map((view) => ({ ...userChangeOf(view, options.idPrefix), view }));
  const how = { now: surroundings.now(), dryRun: options.dryRun, hashKind: found.hashKind };
  for await (const { change, outcome } of writeUsers(table, users, how)) {
    const { id, changes, record } = change.view;
    const leftOut = [...change.leftOut, ...(outcome.leftOut ?? [])];
    count(tally, { ...outcome, leftOut }, change.isLinked);
    const name = printable(record?.externalUserId ?? id);
    if (outcome.conflict !== undefined) surroundings.stderr.write(`${name}: ${outcome.conflict}\n`);
    else if (leftOut.length > 0) surroundings.stderr.write(`${name}: not written: ${leftOut.join(', ')}\n`);
    settled.push({
      id,
      changes,
      ...(record !== null && outcome.key !== change.key && { oldId: outcome.key }),
      conflict: outcome.conflict,
      passwordMark: outcome.passwordMark,
    });
  }
  if (lease === undefined) return false;
  if (settled.length > 0) await settle(client, { fence: lease.fence, settled }, signal);
  await reportWaiting(client, lease, surroundings);
  return settled.length > 0 && !options.again;
}

function count(
  tally: Tally,
  { conflict, mustReset = false, leftOut = [] }: Outcome,
  isLinked: boolean,
): void {
  if (conflict !== undefined) {
    tally.conflicts += 1;
    return;
  }
  if (!isLinked) tally.written += 1;
  if (mustReset) tally.mustReset += 1;
  for (const reason of leftOut) tally.leftOut[reason] = (tally.leftOut[reason] ?? 0) + 1;
}

/** @throws LeaseLost */
export async function settle(client: CoreClient, input: object, signal: AbortSignal): Promise<void> {
  const path = '/move/changes/settled';
  const { status } = await client.call<{ status: string }>({ method: 'POST', path, input, signal });
  if (status !== 'OK') throw new LeaseLost();
}

/** What waits after a batch. The core's clock may differ from the one here. @throws LeaseLost */
export async function reportWaiting(
  client: CoreClient,
  lease: Lease,
  { now, interrupt: signal }: Surroundings,
): Promise<void> {
  const path = '/move/changes?limit=1';
  const { waiting, now: there } = await client.call<ChangesView>({ method: 'GET', path, signal });
  const lagMs = waiting.since === null ? 0 : Math.max(0, there - waiting.since);
  await lease.report({ asOf: now() - lagMs, records: waiting.users });
}
