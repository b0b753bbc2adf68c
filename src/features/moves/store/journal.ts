/** The journal of what changes here while a move leads: docs/design/moves.md. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Query } from '../../../database/database.ts';
import { isLockTimeout } from '../../../database/sqlstate.ts';
import { plainArray } from '../../../domain/pg-array.ts';
import type { Move } from '../model.ts';
import { dropPasswords, noteWritten } from './passwords.ts';
import { currentMove, numberOfRole } from './rows.ts';

/** Writes of all apps wait behind the lock of a trigger that is made. */
const lockMs = 100;
/** An import may keep a transaction open for some seconds. */
const attempts = 300;

/** Columns of a login method that an old system may have, too. */
const written = [
  'email',
  'email_verified',
  'password_hash',
  'phone',
  'external_id',
  'primary_user_id',
  'third_party_user_id',
];

/** Set by requests alone. A link changes `users`, too. */
const noted = ['restricted_at', 'details_changed_at'];

const rowOf = (of: 'new' | 'old', columns: readonly string[]): string =>
  `row(${columns.map((column) => `${of}.${column}`).join(', ')})`;
const changed = (columns: readonly string[]): string =>
  `${rowOf('new', columns)} is distinct from ${rowOf('old', columns)}`;

interface Trigger {
  readonly table: string;
  readonly event: 'insert' | 'update' | 'delete';
  readonly calls: string;
  readonly when: string;
}

/** What imports write comes from the old system: they name their job, or state a new base. */
export const triggers: readonly Trigger[] = [
  {
    table: 'users',
    event: 'insert',
    calls: 'note_change_of_login_method',
    when: 'new.import_job is null',
  },
  {
    table: 'users',
    event: 'update',
    calls: 'note_change_of_login_method',
    when: `new.base is not distinct from old.base and ${changed(written)}`,
  },
  { table: 'users', event: 'delete', calls: 'note_change_of_login_method', when: 'true' },
  {
    table: 'sign_ins',
    event: 'insert',
    calls: 'note_change_of_user',
    when: `coalesce(${noted.map((column) => `new.${column}`).join(', ')}) is not null`,
  },
  { table: 'sign_ins', event: 'update', calls: 'note_change_of_user', when: changed(noted) },
];

export const beginning = 'move_journal_';
export const prefixOf = (appNo: number, moveNo: number): string => `${beginning}${appNo}_${moveNo}_`;

export const there = `
  select t.tgname as name, t.tgrelid::regclass::text as "table" from pg_trigger t
  where t.tgname ^@ $1::text and not t.tgisinternal and t.tgrelid in ('users'::regclass, 'sign_ins'::regclass)`;

export interface MadeTrigger {
  readonly name: string;
  readonly table: string;
}

export type Transactions = Pick<Database, 'read' | 'transaction'>;

/**
 * Makes the triggers that are missing. From its end on every change is noted.
 * @returns false if the tables were locked all the time
 */
export async function raiseJournal(database: Transactions, appNo: number, moveNo: number): Promise<boolean> {
  const prefix = prefixOf(appNo, moveNo);
  const made = await database.read<MadeTrigger>(there, [prefix]);
  for (const trigger of triggers) {
    const { table, event, calls, when } = trigger;
    const name = `${prefix}${event}`;
    if (made.some((each) => each.name === name && each.table === table)) continue;
    const row = event === 'delete' ? 'old' : 'new';
    const isMade = await withLock(
      database,
      `create or replace trigger ${name} after ${event} on ${table}
       for each row when (${row}.app_no = ${appNo} and ${when}) execute function ${calls}(${moveNo})`,
    );
    if (!isMade) return false;
  }
  return true;
}

/**
 * Removes triggers of moves that have nothing to write back.
 * @param appNo left out: of all apps @returns their number
 */
export async function tidyJournals(database: Transactions, appNo?: number): Promise<number> {
  const sought = appNo === undefined ? beginning : `${beginning}${appNo}_`;
  const made = await database.read<MadeTrigger>(there, [sought]);
  if (made.length === 0) return 0;
  const open = await database.read<{ appNo: number; moveNo: number }>(
    'select m.app_no as "appNo", m.move_no as "moveNo" from moves m where m.stage in (2, 3)',
  );
  const kept = open.map(({ appNo, moveNo }) => prefixOf(appNo, moveNo));
  const left = made.filter(({ name }) => !kept.some((each) => name.startsWith(each)));
  for (const { name, table } of left) await withLock(database, `drop trigger if exists ${name} on ${table}`);
  return left.length;
}

/** Repeats the statement until its lock was free, so that writers never wait for long behind it. */
export async function withLock(database: Transactions, statement: string): Promise<boolean> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      await database.transaction(async (query) => {
        await query(`set local lock_timeout = ${lockMs}`);
        await query(statement);
      });
      return true;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      // The writers that waited behind it are first.
      await delay(lockMs);
    }
  }
  return false;
}

/** Which changes are read. */
export interface ChangesSought {
  /** Changes, not users. */
  readonly limit: number;
  /** Those that were refused, instead of those that wait. */
  readonly conflicts: boolean;
  /** The number of a change: only later numbers. */
  readonly after?: string | undefined;
  /** ms since the epoch: only changes from then on. */
  readonly since?: number | undefined;
}

/** A login method before a change. */
export interface FormerMethod {
  readonly id: string;
  /** The user did not have it: it was linked. Nothing but its ids is known then. */
  readonly isNew?: boolean;
  readonly externalId: string | null;
  readonly email: string | null;
  readonly isVerified: boolean;
  /** The first 16 bytes of SHA-256 of the hash that the old system has, in hexadecimal digits. */
  readonly passwordMark: string | null;
  /** Of the hash here; another one if a sign-in had replaced the hash. */
  readonly storedMark?: string | null;
  readonly thirdPartyId?: string | null;
  readonly thirdPartyUserId?: string | null;
}

/** A user who changed here. */
export interface ChangedUser {
  /** The id of the head. */
  readonly id: string;
  /** Numbers of the changes. */
  readonly changes: readonly string[];
  /** Of the first change. */
  readonly since: number;
  /** Of every changed login method, the oldest first. */
  readonly was: readonly FormerMethod[];
  /** The key of the row that was made there for the user. */
  readonly oldId: string | null;
  readonly conflict: string | null;
  /** Whether a login method was removed, also by a change after these. */
  readonly isRemoval: boolean;
}

const next = `
  with found as materialized (
    select c.* from move_changes c
    where c.app_no = $1::int and c.move_no = $2::int and (c.conflict is not null) = $4::boolean
      and c.change_no > $5::bigint and c.at >= $6::bigint
    order by c.change_no limit $3::int
  )
  select f.user_id as id, json_agg(f.change_no::text order by f.change_no) as changes, min(f.at) as since,
    coalesce(jsonb_agg(f.was order by f.change_no) filter (where f.was is not null), '[]') as was,
    (
      select w.old_id from move_written w
      where w.app_no = $1 and w.move_no = $2 and w.user_id = f.user_id
    ) as "oldId",
    max(f.conflict) as conflict, exists (
      select 1 from move_changes r
      where r.app_no = $1 and r.move_no = $2 and r.user_id = f.user_id and r.is_removal
      offset 0
    ) as "isRemoval"
  from found f group by f.user_id order by min(f.change_no)`;

const confirm = `
  delete from move_changes c
  where c.app_no = $1::int and c.move_no = $2::int and c.change_no = any($3::bigint[])
  returning c.was->>'passwordMark' as mark`;

/** Earlier conflicts of a user who is written now are settled. */
const settle = `
  delete from move_changes c
  where c.app_no = $1::int and c.move_no = $2::int and c.conflict is not null and c.user_id = $3::uuid`;

const refuse = `
  update move_changes c set conflict = $4::text
  where c.app_no = $1::int and c.move_no = $2::int and c.change_no = any($3::bigint[])`;

const remember = `
  insert into move_written as w (app_no, move_no, user_id, old_id) values ($1::int, $2::int, $3::uuid, $4::text)
  on conflict (app_no, move_no, user_id) do update set old_id = excluded.old_id where w.old_id <> excluded.old_id`;

/** From now on the user is one of the source, like those that its imports brought. */
const belongs = `
  insert into sign_ins as s (app_no, user_id, written_to, written_at)
  select u.app_no, u.user_id, $3::text, clock_ms() from users u where u.app_no = $1::int and u.user_id = $2::uuid
  on conflict (app_no, user_id) do update set written_to = excluded.written_to, written_at = excluded.written_at`;

/** Held until the commit: a claim by another process waits for it. */
const holdLease = `
  select 1 from move_leases l
  where l.app_no = $1::int and l.move_no = $2::int and l.role = ${numberOfRole('write-back')} and l.fence = $3::bigint
  for share`;

/** What became of the changes of a user. */
export interface Settled {
  readonly id: string;
  readonly changes: readonly string[];
  /** The key of the row that was made there. */
  readonly oldId?: string | undefined;
  /** Why it was not written; left out: it is. */
  readonly conflict?: string | undefined;
  /** Mark of the hash here whose password the old system has by now. */
  readonly passwordMark?: string | undefined;
}

/** With the end of the move nothing of it is left. */
export async function dropJournal(
  query: Query,
  appNo: number,
  { moveNo }: Pick<Move, 'moveNo'>,
): Promise<void> {
  for (const table of ['move_changes', 'move_written'])
    await query(`delete from ${table} where app_no = $1::int and move_no = $2::int`, [appNo, moveNo]);
  await dropPasswords(query, appNo, moveNo);
}

async function settleOne(
  query: Query,
  appNo: number,
  { moveNo, source }: Move,
  { id, changes, oldId, conflict, passwordMark: mark }: Settled,
): Promise<void> {
  const of = [appNo, moveNo] as const;
  const numbers = plainArray(changes, String);
  if (conflict !== undefined) {
    await query(refuse, [...of, numbers, conflict]);
    return;
  }
  const confirmed = await query<{ mark: string | null }>(confirm, [...of, numbers]);
  await query(settle, [...of, id]);
  if (oldId !== undefined) {
    await query(remember, [...of, id, oldId]);
    await query(belongs, [appNo, id, source.label]);
  }
  const former = confirmed.flatMap((each) => each.mark ?? []);
  await noteWritten(query, of, { userId: id, mark, former });
}

/** The journal of an app's move. */
export function journalStore({ read, transaction }: Pick<Database, 'read' | 'transaction'>) {
  return {
    raise: (appNo: number, moveNo: number) => raiseJournal({ read, transaction }, appNo, moveNo),

    tidy: (appNo: number) => tidyJournals({ read, transaction }, appNo),

    /** The first changes, by user. */
    next: (appNo: number, moveNo: number, sought: ChangesSought): Promise<ChangedUser[]> => {
      const { limit, conflicts, after = '0', since = 0 } = sought;
      return read<ChangedUser>(next, [appNo, moveNo, limit, conflicts, after, since]);
    },

    /** @returns false if another process has the lease: nothing is stored then */
    settle: (appNo: number, fence: number, settled: readonly Settled[]): Promise<boolean> =>
      transaction(async (query) => {
        const move = await currentMove(query, appNo, 'use');
        if (move === undefined) return false;
        const of = [appNo, move.moveNo] as const;
        if ((await query(holdLease, [...of, fence])).length === 0) return false;
        for (const each of settled) await settleOne(query, appNo, move, each);
        return true;
      }),
  };
}

export type JournalStore = ReturnType<typeof journalStore>;
