/** Stops the writes of one app in a database, whichever core sends them. */
import { setTimeout as delay } from 'node:timers/promises';
import { isLockTimeout } from '../../database/sqlstate.ts';
import type { Database, Query } from '../../database/database.ts';
import { tablesOfApps } from './replication.ts';

/** Other apps' writes wait behind the lock of a trigger that is made. */
const lockMs = 100;

const name = (appNo: number): string => `held_app_${appNo}`;

/** Makes the triggers, which look at `apps.held` for each row of the app. Without effect until it is held. */
export async function raise(database: Database, appNo: number): Promise<void> {
  for (const table of await tablesOfApps(database)) {
    for (const [event, row] of [
      ['insert or update', 'new'],
      ['delete', 'old'],
    ] as const)
      await withLock(
        database,
        `create or replace trigger ${name(appNo)}_${row} before ${event} on ${table}
         for each row when (${row}.app_no = ${appNo}) execute function refuse_held_app()`,
      );
  }
}

export async function lower(database: Database, appNo: number): Promise<void> {
  for (const table of await tablesOfApps(database))
    for (const row of ['new', 'old'])
      await withLock(database, `drop trigger if exists ${name(appNo)}_${row} on ${table}`);
}

/** Repeats the statement until its lock was free, so that writers never wait for long behind it. */
async function withLock(database: Database, statement: string): Promise<void> {
  for (;;) {
    try {
      await database.transaction(async (query) => {
        await query(`set local lock_timeout = ${lockMs}`);
        await query(statement);
      });
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      // The writers that waited behind it are first.
      await delay(lockMs);
    }
  }
}

/** Writes of the app fail from now on, or no longer. Those under way may still be committed: see `drained`. */
export async function setHeld(
  { write }: Pick<Database, 'write'>,
  appNo: number,
  held: boolean,
): Promise<void> {
  await write('update apps set held = $2 where app_no = $1 and held <> $2', [appNo, held]);
}

/** @returns whether all transactions have ended that were under way at the first call, which made `marker` */
export async function drained({ read }: Pick<Database, 'read'>, marker: string): Promise<boolean> {
  const [row] = await read<{ done: boolean }>(
    'select pg_snapshot_xmin(pg_current_snapshot()) > $1::text::xid8 as done',
    [marker],
  );
  return row?.done === true;
}

/** The number of a transaction that begins now. */
export async function markerOf({ write }: Pick<Database, 'write'>): Promise<string> {
  const [row] = await write<{ id: string }>('select pg_current_xact_id()::text as id');
  return row?.id ?? '0';
}

/** A transaction that may write rows of a held app. */
export function asMover<Result>(
  database: Database,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  return database.transaction(
    async (query) => {
      await query(`select set_config('carryover.mover', 'on', true)`);
      return work(query);
    },
    { statementTimeoutMs: 1_800_000 },
  );
}
