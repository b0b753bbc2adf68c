/** Brings what changed here to the old system, as the holder of the move's lease. */
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type FormerMethod,
  type Outcome,
  type UserChange,
  writeUsers,
} from '../../exports/sources/written/write-user.ts';
import type { UserTable } from '../../exports/sources/written/table.ts';
import type { CoreClient } from '../client/core-client.ts';
import type { SourceView } from '../client/moves.ts';
import { CommandError } from '../command-error.ts';
import { noMove } from './options.ts';
import type { Surroundings } from '../surroundings.ts';

/** Written within a lease, also by a slow database. */
const changesAtOnce = 100;
const pauseMs = 1000;
const heldPauseMs = 5000;

interface ChangeView {
  readonly id: string;
  readonly changes: readonly string[];
  readonly since: number;
  readonly was: readonly FormerMethod[];
  readonly oldId: string | null;
  readonly record: RecordView | null;
  readonly secondHashes: Readonly<Record<string, string>>;
}

interface RecordView {
  readonly externalUserId?: string;
  readonly userMetadata?: Readonly<Record<string, unknown>>;
  readonly loginMethods: readonly {
    readonly recipeId: string;
    readonly email?: string;
    readonly passwordHash?: string;
    readonly isVerified?: boolean;
    readonly timeJoinedInMSSinceEpoch?: number;
  }[];
}

export interface ChangesView {
  readonly status: string;
  readonly changes: readonly ChangeView[];
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
}

/** @throws CommandError @throws SourceFault */
export async function writeBack(
  client: CoreClient,
  table: UserTable,
  options: WriteBackOptions,
  surroundings: Surroundings,
): Promise<Tally> {
  const tally: Tally = { written: 0, conflicts: 0, mustReset: 0 };
  const batch = { client, table, options, surroundings, tally };
  if (options.dryRun) {
    await writeBatch({ ...batch, fence: undefined });
    return tally;
  }
  const fence = await claim(client, options.source, surroundings);
  try {
    while (!surroundings.interrupt.aborted) {
      const isMore = await writeBatch({ ...batch, fence });
      if (isMore) continue;
      if (options.once || options.again) break;
      await pause(pauseMs, surroundings.interrupt);
    }
  } finally {
    const input = { role: 'write-back', fence };
    await client
      .call({ method: 'POST', path: '/move/lease/release', input, signal: AbortSignal.timeout(3000) })
      .catch(() => undefined);
  }
  return tally;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

interface ClaimView {
  readonly status: string;
  readonly fence?: number;
  readonly holder?: string;
}

/** Waits while another process has the lease. @throws CommandError */
export async function claim(
  client: CoreClient,
  { system, address, label }: SourceView,
  { interrupt, stderr }: Surroundings,
): Promise<number> {
  const holder = `${os.hostname()} ${process.pid}`.slice(0, 128);
  const input = { role: 'write-back', holder, system, address, source: label };
  for (let attempt = 1; ; attempt++) {
    const answer = await client.call<ClaimView>({
      method: 'POST',
      path: '/move/lease',
      input,
      signal: interrupt,
    });
    if (answer.fence !== undefined) return answer.fence;
    if (answer.status !== 'LEASE_HELD_ERROR') throw notClaimed(answer.status);
    if (attempt === 1) stderr.write(`${answer.holder ?? 'Another process'} writes back: waiting for it\n`);
    await pause(heldPauseMs, interrupt);
    interrupt.throwIfAborted();
  }
}

function notClaimed(code: string): CommandError {
  if (code === 'NO_MOVE_ERROR') return noMove();
  if (code === 'OTHER_SOURCE_ERROR')
    return new CommandError(
      "The move is from another system or address: give the ones that 'carryover move status' shows, and --source if its imports have a label",
      { code, field: 'address' },
    );
  return new CommandError('The move is in a stage in which nothing is written back: it begins with a share', {
    code,
  });
}

interface Batch {
  readonly client: CoreClient;
  readonly table: UserTable;
  readonly options: WriteBackOptions;
  readonly surroundings: Surroundings;
  readonly tally: Tally;
  /** Undefined for a dry run. */
  readonly fence: number | undefined;
}

/** @returns whether there may be more @throws CommandError if the lease is lost */
async function writeBatch({ client, table, options, surroundings, tally, fence }: Batch): Promise<boolean> {
  const signal = surroundings.interrupt;
  const path = `/move/changes?limit=${changesAtOnce}${options.again ? '&conflicts=true' : ''}`;
  const found = await client.call<ChangesView>({ method: 'GET', path, signal });
  if (found.status !== 'OK') throw noMove();
  const settled = [];
  const users = found.changes.map((view) => ({ ...changeOf(view, options.idPrefix), view }));
  const how = { now: surroundings.now(), dryRun: options.dryRun };
  for await (const { change, outcome } of writeUsers(table, users, how)) {
    const { id, changes, record } = change.view;
    count(tally, outcome);
    if (outcome.conflict !== undefined)
      surroundings.stderr.write(`${record?.externalUserId ?? id}: ${outcome.conflict}\n`);
    settled.push({
      id,
      changes,
      ...(record !== null && { oldId: outcome.key }),
      conflict: outcome.conflict,
      passwordMark: outcome.passwordMark,
    });
  }
  if (fence === undefined) return false;
  if (settled.length > 0) await settle(client, { fence, settled }, signal);
  await renew(client, fence, signal);
  return settled.length > 0 && !options.again;
}

function count(tally: Tally, { conflict, mustReset = false }: Outcome): void {
  if (conflict === undefined) tally.written += 1;
  else tally.conflicts += 1;
  if (mustReset) tally.mustReset += 1;
}

export async function settle(client: CoreClient, input: object, signal: AbortSignal): Promise<void> {
  const path = '/move/changes/settled';
  const { status } = await client.call<{ status: string }>({ method: 'POST', path, input, signal });
  if (status !== 'OK') throw lost();
}

/** With what waits after the batch. */
export async function renew(client: CoreClient, fence: number, signal: AbortSignal): Promise<void> {
  const path = '/move/changes?limit=1';
  const { waiting, now } = await client.call<ChangesView>({ method: 'GET', path, signal });
  const lagMs = waiting.since === null ? 0 : Math.max(0, now - waiting.since);
  const input = { role: 'write-back', fence, lagMs, lagRecords: waiting.users };
  const answer = await client.call<{ status: string }>({ method: 'PUT', path: '/move/lease', input, signal });
  if (answer.status !== 'OK') throw lost();
}

function lost(): CommandError {
  return new CommandError('Another process writes back by now, so this one stops', {
    code: 'LEASE_LOST_ERROR',
  });
}

/** The login method with a password stands for the user: one row there has one email. */
function changeOf(change: ChangeView, idPrefix: string): UserChange {
  const { record, was, oldId, secondHashes } = change;
  const own = (id: string | null | undefined): string | undefined =>
    id?.startsWith(idPrefix) === true ? id.slice(idPrefix.length) : undefined;
  const key = oldId ?? own(record?.externalUserId ?? was.findLast((each) => each.externalId)?.externalId);
  const method =
    record?.loginMethods.find(({ recipeId }) => recipeId === 'emailpassword') ??
    record?.loginMethods.find(({ email }) => email !== undefined);
  if (record === null) return { now: undefined, was, key, secondHashes };
  if (method?.email === undefined) return { now: 'no email', was, key };
  const now = {
    email: method.email,
    isVerified: method.isVerified === true,
    passwordHash: method.passwordHash,
    metadata: record.userMetadata ?? {},
    timeJoined: method.timeJoinedInMSSinceEpoch ?? 0,
  };
  return { now, was, key, isMade: oldId !== null, secondHashes };
}
