/** Writes one user of a core into the table of users of an old system, unless the row changed there meanwhile. */

import { createHash } from 'node:crypto';
import type { WrittenUsers } from '../../providers/database.ts';
import type { DatabaseProvider } from '../../providers/provider.ts';
import type { WritingEngine } from '../engines/engine.ts';
import { RowRefused, SourceFault } from '../fault.ts';
import { Catalog, findTable, namesOf, type Naming } from '../find.ts';
import { type Assignment, folded, type FoundRow, Rows, type UserNow, type UserTable } from './rows.ts';

export type { UserTable } from './rows.ts';

/** A login method as it was before a change here. */
export interface FormerMethod {
  readonly externalId: string | null;
  readonly email: string | null;
  readonly isVerified: boolean;
  /** The first 16 bytes of SHA-256 of its hash, in hexadecimal digits. */
  readonly passwordMark: string | null;
}

/** A user who changed here. */
export interface UserChange {
  /** As the user is now; undefined: removed. */
  readonly now: UserNow | undefined;
  /** The states that the old system may have, the oldest first; empty for a user who is new. */
  readonly was: readonly FormerMethod[];
  /** The key of the row there; undefined for a user who is not there yet. */
  readonly key: string | undefined;
}

export type Conflict = 'CHANGED_THERE' | 'REMOVED_THERE' | 'EMAIL_TAKEN' | 'REFUSED_THERE' | 'NO_EMAIL';

export interface Outcome {
  readonly conflict?: Conflict;
  /** The key of the row. */
  readonly key?: string;
  /** The old system cannot verify the password of here. */
  readonly mustReset?: boolean;
}

/** @throws SourceFault if it is not the provider's */
export async function openUserTable(
  provider: DatabaseProvider,
  engine: WritingEngine,
  naming: Naming,
): Promise<UserTable> {
  const { database } = provider;
  const [users] = database.tables;
  const { writes } = database;
  if (writes === undefined || users === undefined) throw new Error(`${provider.name} is not written`);
  const columns = await engine.columns(namesOf(database, naming));
  const schema = naming.schema ?? engine.schema ?? database.schema ?? 'public';
  const catalog = new Catalog(columns, schema);
  const found = findTable(users, provider, catalog, naming);
  if (found === undefined) throw new SourceFault('There is no table of users');
  const there = catalog.columnsOf(found.table).map(({ column }) => column);
  const { table, key, hasIntegerKey } = found;
  return { engine, writes, schema, table, key, hasIntegerKey, columns: new Set(there) };
}

/**
 * In a transaction of its own; a second time it changes nothing.
 * @param now ms since the epoch
 * @param dryRun takes everything back
 */
export async function writeUser(
  table: UserTable,
  change: UserChange,
  { now, dryRun = false }: { readonly now: number; readonly dryRun?: boolean },
): Promise<Outcome> {
  const run = (text: string) => table.engine.change({ text, parameters: [] });
  await run('begin');
  try {
    const outcome = await decide(new Rows(table, now), change);
    await run(dryRun || outcome.conflict !== undefined ? 'rollback' : 'commit');
    return outcome;
  } catch (error) {
    await run('rollback').catch(() => undefined);
    if (error instanceof RowRefused) return { conflict: error.isTaken ? 'EMAIL_TAKEN' : 'REFUSED_THERE' };
    throw error;
  }
}

async function decide(rows: Rows, { now, was, key }: UserChange): Promise<Outcome> {
  if (now === undefined) return removed(rows, was, key);
  if (key === undefined) return added(rows, now, was);
  const row = await rows.find('key', key);
  if (row === undefined || row.isDeleted) return { conflict: 'REMOVED_THERE' };
  return changed(rows, { now, was, key, row });
}

async function removed(rows: Rows, was: UserChange['was'], key: string | undefined): Promise<Outcome> {
  // Without a key the user was removed before the row was made, or before its key was confirmed.
  const email = was.findLast((each) => each.email !== null)?.email ?? undefined;
  const row = key === undefined ? email && (await rows.find('email', email)) : await rows.find('key', key);
  if (row === undefined || row === '' || row.isDeleted) return {};
  const isSame = was.length === 0 || was.some((each) => folded(each.email) === folded(row.email));
  const isOwn = key !== undefined || was.some((each) => each.passwordMark === markOf(row.password));
  if (!isSame || !isOwn) return { conflict: 'CHANGED_THERE' };
  await rows.remove(row.key);
  return {};
}

async function added(rows: Rows, now: UserNow, was: UserChange['was']): Promise<Outcome> {
  const { writes } = rows;
  const hash = now.passwordHash === undefined ? undefined : writes.hashOf(now.passwordHash);
  for (const email of [now.email, ...was.flatMap((each) => each.email ?? [])]) {
    const row = await rows.find('email', email);
    if (row === undefined) continue;
    // Written before, but not confirmed: it has the password of now, or of then.
    const isOwn = row.password === hash || was.some((each) => each.passwordMark === markOf(row.password));
    return isOwn && !row.isDeleted
      ? changed(rows, { now, was, key: row.key, row })
      : { conflict: 'EMAIL_TAKEN' };
  }
  await rows.insert(now, hash ?? writes.unusable());
  const made = await rows.find('email', now.email);
  if (made === undefined) throw new Error('a row that was made is not there');
  return { key: made.key, mustReset: hash === undefined };
}

interface Changed {
  readonly now: UserNow;
  readonly was: UserChange['was'];
  readonly key: string;
  readonly row: FoundRow;
}

/** Each field three-way: as it was here, as it is here, as it is there. */
async function changed(rows: Rows, { now, was, key, row }: Changed): Promise<Outcome> {
  const { writes } = rows;
  const set: Assignment[] = [];
  const emailChanged = was.some((each) => folded(each.email) !== folded(now.email));
  if (emailChanged && folded(row.email) !== folded(now.email)) {
    if (!was.some((each) => folded(each.email) === folded(row.email))) return { conflict: 'CHANGED_THERE' };
    set.push([writes.email, now.email]);
  }
  const password = passwordOf(now.passwordHash, was, row, writes);
  if (password === 'conflict') return { conflict: 'CHANGED_THERE' };
  if (password.hash !== undefined) set.push([writes.password, password.hash]);
  const verifiedChanged = emailChanged || was.some((each) => each.isVerified !== now.isVerified);
  if (verifiedChanged && row.isVerified !== now.isVerified)
    set.push([writes.verifiedAt, now.isVerified ? 'now' : undefined]);
  await rows.update(key, set);
  return { key, mustReset: password.mustReset };
}

interface NewPassword {
  /** Undefined: the one there stays. */
  readonly hash: string | undefined;
  readonly mustReset: boolean;
}

function passwordOf(
  stored: string | undefined,
  was: UserChange['was'],
  row: FoundRow,
  writes: WrittenUsers,
): NewPassword | 'conflict' {
  const mark = stored === undefined ? null : markOf(stored);
  const hash = stored === undefined ? undefined : writes.hashOf(stored);
  if (was.every((each) => each.passwordMark === mark)) return { hash: undefined, mustReset: false };
  const mustReset = hash === undefined;
  if (row.password === hash) return { hash: undefined, mustReset };
  // A hash of here may have been written there with another prefix.
  const marks = [markOf(row.password), markOf(row.password.replace(/^\$2y\$/, '$2b$'))];
  const isKnown = was.some((each) => each.passwordMark !== null && marks.includes(each.passwordMark));
  return isKnown ? { hash, mustReset } : 'conflict';
}

function markOf(hash: string): string {
  return createHash('sha256').update(hash).digest('hex').slice(0, 32);
}
