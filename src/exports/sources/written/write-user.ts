/** Writes one user of a core into the table of users of an old system, unless the row changed there meanwhile. */

import type { WrittenUser } from '../../providers/database.ts';
import { RowRefused } from '../fault.ts';
import { folded } from './cells.ts';
import { EmailHolders } from './holders.ts';
import { Password, type SecondHashes } from './password.ts';
import { type Assignment, type FoundRow, Rows } from './rows.ts';
import type { UserTable } from './table.ts';

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
  readonly now: WrittenUser | 'no email' | undefined;
  /** The states that the old system may have, the oldest first; empty for a user who is new. */
  readonly was: readonly FormerMethod[];
  /** The key of the row there; undefined for a user who is not there yet. */
  readonly key: string | undefined;
  /** A write-back made the row. */
  readonly isMade?: boolean;
  /** Hashes of the same passwords as the system makes them, by the marks of the hashes here. */
  readonly secondHashes?: SecondHashes;
}

export type Conflict = 'CHANGED_THERE' | 'REMOVED_THERE' | 'EMAIL_TAKEN' | 'REFUSED_THERE' | 'NO_EMAIL';

export interface Outcome {
  readonly conflict?: Conflict;
  /** The key of the row. */
  readonly key?: string;
  /** The old system cannot verify the password of here. */
  readonly mustReset?: boolean;
  /** Of the hash here whose password is there now. */
  readonly passwordMark?: string;
}

interface How {
  /** ms since the epoch */
  readonly now: number;
  /** Takes everything back. */
  readonly dryRun?: boolean;
}

/**
 * Each user in a transaction; a second time they change nothing.
 * @returns the outcomes, in the order of the users
 */
export async function* writeUsers<Change extends UserChange>(
  table: UserTable,
  changes: readonly Change[],
  how: How,
): AsyncGenerator<{ readonly change: Change; readonly outcome: Outcome }, void> {
  const emails = changes.flatMap((change) => emailsSought(table, change));
  const holders = await EmailHolders.find(table, [...new Set(emails)]);
  for (const change of changes)
    yield { change, outcome: await writeUser(table, change, { ...how, holders }) };
}

/** Of users who have no row there as far as it is known; and of changed emails where no constraint keeps them unique. */
function emailsSought({ writes }: UserTable, { now, was, key }: UserChange): readonly string[] {
  const former = was.flatMap(({ email }) => email ?? []);
  if (now === 'no email') return [];
  if (key === undefined) return now === undefined ? former : [now.email, ...former];
  const isChanged = now !== undefined && former.some((each) => folded(each) !== folded(now.email));
  return isChanged && writes.username !== undefined ? [now.email] : [];
}

async function writeUser(
  table: UserTable,
  change: UserChange,
  { now, dryRun = false, holders }: How & { readonly holders: EmailHolders },
): Promise<Outcome> {
  const run = (text: string) => table.engine.change({ text, parameters: [] });
  await run('begin');
  try {
    const outcome = await decide(new Rows(table, holders, now), change);
    await run(dryRun || outcome.conflict !== undefined ? 'rollback' : 'commit');
    return outcome;
  } catch (error) {
    await run('rollback').catch(() => undefined);
    if (error instanceof RowRefused) return { conflict: error.isTaken ? 'EMAIL_TAKEN' : 'REFUSED_THERE' };
    throw error;
  }
}

async function decide(rows: Rows, change: UserChange): Promise<Outcome> {
  const { now, was, key, isMade = false, secondHashes = {} } = change;
  if (now === 'no email') return { conflict: 'NO_EMAIL' };
  const former = was.map(({ passwordMark }) => passwordMark);
  const password = new Password(rows.writes.hashes, { stored: now?.passwordHash, former, secondHashes });
  if (now === undefined) return removed(rows, change, password);
  if (key === undefined) return added(rows, { now, was, password });
  const row = await rows.find('key', key);
  if (row === undefined || isGone(rows, row)) return { conflict: 'REMOVED_THERE' };
  return changed(rows, { now, was, password, row, isMade });
}

/** An inactive row is still its user's: the user may be banned. */
function isGone({ writes }: Rows, row: FoundRow): boolean {
  return row.isRemoved && writes.removal.mark === 'time';
}

async function removed(rows: Rows, { was, key }: UserChange, password: Password): Promise<Outcome> {
  // Without a key the user was removed before the row was made, or before its key was confirmed.
  const email = was.findLast((each) => each.email !== null)?.email ?? undefined;
  const [row] = key === undefined ? await rows.withEmail(email ?? '') : [await rows.find('key', key)];
  if (row === undefined || row.isRemoved) return {};
  const isSame = was.length === 0 || was.some((each) => folded(each.email) === folded(row.email));
  const isOwn = key !== undefined || password.wasThere(row.password);
  if (!isSame || !isOwn) return { conflict: 'CHANGED_THERE' };
  await rows.remove(row.key);
  return {};
}

interface Added {
  readonly now: WrittenUser;
  readonly was: UserChange['was'];
  readonly password: Password;
}

async function added(rows: Rows, { now, was, password }: Added): Promise<Outcome> {
  for (const email of [now.email, ...was.flatMap((each) => each.email ?? [])]) {
    const [row] = await rows.withEmail(email);
    if (row === undefined) continue;
    // Written before, but not confirmed: it has the password of now, or of then.
    const isOwn = row.password === password.hash || password.wasThere(row.password);
    return isOwn && !isGone(rows, row)
      ? changed(rows, { now, was, password, row, isMade: true })
      : { conflict: 'EMAIL_TAKEN' };
  }
  if (await rows.isShownByAnother(now.email, undefined)) return { conflict: 'EMAIL_TAKEN' };
  const { hash } = password;
  const { key } = await rows.insert(now, hash ?? rows.writes.hashes.unusable());
  return { key, mustReset: hash === undefined, ...(hash !== undefined && markOf(password)) };
}

interface Changed extends Added {
  readonly row: FoundRow;
  readonly isMade: boolean;
}

/** Each field three-way: as it was here, as it is here, as it is there. */
async function changed(rows: Rows, change: Changed): Promise<Outcome> {
  const { writes } = rows;
  const { now, was, row } = change;
  const { key } = row;
  const set: Assignment[] = [];
  const isNewEmail = was.some((each) => folded(each.email) !== folded(now.email));
  const isMoved = isNewEmail && folded(row.email) !== folded(now.email);
  if (isMoved) {
    if (!was.some((each) => folded(each.email) === folded(row.email))) return { conflict: 'CHANGED_THERE' };
    if (await isTaken(rows, now.email, row)) return { conflict: 'EMAIL_TAKEN' };
    set.push([writes.email, now.email], ...newName(rows, now, row));
  }
  const password = newPassword(rows, change);
  if (password === 'conflict') return { conflict: 'CHANGED_THERE' };
  if (password.hash !== undefined) set.push([writes.password, password.hash]);
  await rows.update(key, set);
  const isNewProof = isNewEmail || was.some((each) => each.isVerified !== now.isVerified);
  if (isMoved || (isNewProof && row.isVerified !== now.isVerified)) {
    const former = was.flatMap((each) => each.email ?? []);
    await rows.verify(key, now, isMoved ? [...former, row.email] : []);
  }
  const isThere = (password.hash ?? row.password) === change.password.hash;
  return { key, mustReset: password.mustReset, ...(isThere && markOf(change.password)) };
}

function markOf({ mark }: Password): Pick<Outcome, 'passwordMark'> {
  return mark === undefined ? {} : { passwordMark: mark };
}

/** A database may allow two rows with the same email; of those that do not, the constraint would refuse the row. */
async function isTaken(rows: Rows, email: string, row: FoundRow): Promise<boolean> {
  const others = (await rows.withEmail(email)).filter(({ key }) => key !== row.key);
  return others.length > 0 || (await rows.isShownByAnother(email, row.key));
}

/** Of a user whose name was the email: they sign in there with it. */
function newName(
  { writes: { username } }: Rows,
  { email }: WrittenUser,
  row: FoundRow,
): readonly Assignment[] {
  if (username === undefined || row.username === '' || folded(row.username) !== folded(row.email)) return [];
  return [[username.column, email]];
}

interface NewPassword {
  /** Undefined: the one there stays. */
  readonly hash: string | undefined;
  readonly mustReset: boolean;
}

function newPassword({ writes }: Rows, { password, row, isMade }: Changed): NewPassword | 'conflict' {
  const { hash, isUnchanged } = password;
  if (isUnchanged) return { hash: undefined, mustReset: false };
  const mustReset = hash === undefined;
  if (row.password === hash) return { hash: undefined, mustReset };
  // Without a password it is as it was here, or as a write-back made it.
  const isNone = isMade && writes.hashes.isUnusable(row.password);
  return isNone || password.wasNone(row.password) || password.wasThere(row.password)
    ? { hash, mustReset }
    : 'conflict';
}
