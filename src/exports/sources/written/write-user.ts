/** Writes one user of a core into the table of users of an old system, unless the row changed there meanwhile. */

import type { WrittenUser } from '../../providers/database.ts';
import { RowRefused } from '../fault.ts';
import { folded } from './cells.ts';
import { EmailHolders } from './holders.ts';
import { addParts, type LeftOut, removeLogin } from './parts.ts';
import { type FormerPassword, Password, type SecondHashes } from './password.ts';
import { type Assignment, type FoundRow, Rows } from './rows.ts';
import type { UserTable } from './table.ts';

/** A login method as it was before a change here. */
export interface FormerMethod extends FormerPassword {
  readonly id?: string;
  /** The user did not have it: it was linked. Nothing but its ids is known then. */
  readonly isNew?: boolean;
  readonly externalId: string | null;
  readonly email: string | null;
  readonly isVerified: boolean;
  readonly thirdPartyId?: string | null;
  readonly thirdPartyUserId?: string | null;
}

/** A user who changed here. */
export interface UserChange {
  /** Of the core; default: none, and a row that was written without a confirmation is recognised by its password alone. */
  readonly id?: string;
  /** As the user is now; undefined: removed. */
  readonly now: WrittenUser | 'no email' | undefined;
  /** The login method that the row there stands for, and all that the user has. */
  readonly methodId?: string | undefined;
  readonly methodIds?: readonly string[];
  /** The states that the old system may have, the oldest first; empty for a user who is new. */
  readonly was: readonly FormerMethod[];
  /** The key of the row there; undefined for a user who is not there yet. */
  readonly key: string | undefined;
  /** A write-back made the row. */
  readonly isMade?: boolean;
  /** Not removed, but one user with another one by now, who is written instead. */
  readonly isLinked?: boolean;
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
  /** What of the user is not there. */
  readonly leftOut?: readonly LeftOut[];
}

interface How {
  /** ms since the epoch */
  readonly now: number;
  /** Takes everything back. */
  readonly dryRun?: boolean;
  /** Of hashes that the old system makes; null: not known. */
  readonly hashKind?: string | null;
}

/**
 * Each user in a transaction; a second time they change nothing.
 * @returns the outcomes, of those first who are gone: another user may have their email by now
 */
export async function* writeUsers<Change extends UserChange>(
  table: UserTable,
  changes: readonly Change[],
  how: How,
): AsyncGenerator<{ readonly change: Change; readonly outcome: Outcome }, void> {
  const emails = changes.flatMap((change) => emailsSought(table, change));
  const holders = await EmailHolders.find(table, [...new Set(emails)]);
  const goneFirst = changes.toSorted((one, other) => Number(isThere(one)) - Number(isThere(other)));
  for (const change of goneFirst)
    yield { change, outcome: await writeUser(table, change, { ...how, holders }) };
}

const isThere = ({ now }: UserChange): boolean => now !== undefined;

/** Of users who have no row there as far as it is known; and of changed emails where no constraint keeps them unique. */
function emailsSought({ writes }: UserTable, { now, was, key }: UserChange): readonly string[] {
  const former = was.flatMap(({ email }) => email ?? []);
  if (now === 'no email') return [];
  if (now === undefined) return key === undefined ? former : [];
  const { email, otherAddresses = [] } = now;
  if (key === undefined || was.some(isJoining))
    return [email, ...former, ...otherAddresses.map((each) => each.email)];
  const isChanged = former.some((each) => folded(each) !== folded(email));
  return isChanged && writes.username !== undefined ? [email] : [];
}

async function writeUser(
  table: UserTable,
  change: UserChange,
  { now, dryRun = false, hashKind = null, holders }: How & { readonly holders: EmailHolders },
): Promise<Outcome> {
  const run = (text: string) => table.engine.change({ text, parameters: [] });
  await run('begin');
  try {
    const outcome = await decide(new Rows(table, holders, now), change, hashKind);
    await run(dryRun || outcome.conflict !== undefined ? 'rollback' : 'commit');
    return outcome;
  } catch (error) {
    await run('rollback').catch(() => undefined);
    if (error instanceof RowRefused) return { conflict: error.isTaken ? 'EMAIL_TAKEN' : 'REFUSED_THERE' };
    throw error;
  }
}

async function decide(rows: Rows, change: UserChange, hashKind: string | null): Promise<Outcome> {
  const { now, key, isMade = false, secondHashes = {} } = change;
  if (now === 'no email') return { conflict: 'NO_EMAIL' };
  const own = ownOf(change, now?.passwordHash !== undefined);
  const stored = now?.passwordHash;
  const known = { stored, former: own, secondHashes: rows.hasPasswords ? secondHashes : {}, hashKind };
  const password = new Password(rows.hashes, known);
  if (now === undefined) return gone(rows, change, password);
  const added = { now, own, change, password, noPassword: noPasswordOf(rows, change) };
  const row = key === undefined ? undefined : await rows.find('key', key);
  // A row that a write-back made is gone again if its user was linked, and is not linked any more.
  const isNew = key === undefined || (row === undefined && isMade && change.was.some(isJoining));
  const outcome = await (isNew ? add(rows, added) : found(rows, row, { ...added, isMade }));
  return outcome.key === undefined ? outcome : withParts(rows, outcome.key, change, outcome);
}

/** The states of the login method that the row stands for, and of passwords that the user has no longer. */
function ownOf({ was, methodId, methodIds = [] }: UserChange, hasPassword: boolean): readonly FormerMethod[] {
  const own = was.filter(({ id }) => id === methodId);
  if (hasPassword && own.length === 0) return [];
  const left = was.filter(
    ({ id, passwordMark }) =>
      passwordMark !== null && id !== undefined && id !== methodId && !methodIds.includes(id),
  );
  return [...own, ...left];
}

const isJoining = ({ isNew }: FormerMethod): boolean => isNew === true;

/** The same for a user each time: so a row that was written without a confirmation is recognised. */
function noPasswordOf({ writes }: Rows, { id = '' }: UserChange): string {
  return writes.hashes.unusable(id);
}

async function found(rows: Rows, row: FoundRow | undefined, added: Omit<Changed, 'row'>): Promise<Outcome> {
  if (row === undefined || isGone(rows, row)) return { conflict: 'REMOVED_THERE' };
  return changed(rows, { ...added, row });
}

/** An inactive row is still its user's: the user may be banned. */
function isGone({ writes }: Rows, row: FoundRow): boolean {
  return row.isRemoved && writes.removal?.mark === 'time';
}

/** Removed here, or linked to another user: then a row that a write-back made would keep the email from that user. */
async function gone(rows: Rows, change: UserChange, password: Password): Promise<Outcome> {
  const { was, key, isLinked = false } = change;
  const row = await rowOfGone(rows, change);
  if (row === undefined || row.isRemoved || isSecondRow(change)) return {};
  const isSame = was.length === 0 || was.some((each) => folded(each.email) === folded(row.email));
  const isOwn = isUnconfirmed(rows, row, { change, password });
  if (!isSame || (key === undefined && !isOwn)) return isLinked ? {} : { conflict: 'CHANGED_THERE' };
  await (isLinked ? rows.delete(row.key) : rows.remove(row.key));
  return {};
}

/** Two rows of one person, which the old system has made: both stay. */
function isSecondRow({ key, isLinked = false, isMade = false }: UserChange): boolean {
  return isLinked && key !== undefined && !isMade;
}

/** Without a key the user was removed before the row was made, or before its key was confirmed. */
async function rowOfGone(rows: Rows, { key, was }: UserChange): Promise<FoundRow | undefined> {
  if (key !== undefined) return rows.find('key', key);
  const email = was.findLast((each) => each.email !== null)?.email ?? '';
  return (await rows.withEmail(email))[0];
}

interface Added {
  readonly now: WrittenUser;
  /** States of the login method that the row stands for. */
  readonly own: readonly FormerMethod[];
  readonly change: UserChange;
  readonly password: Password;
  /** As the hash of a user without a password. */
  readonly noPassword: string;
}

async function add(rows: Rows, added: Added): Promise<Outcome> {
  const { now, change, password, noPassword } = added;
  for (const email of [now.email, ...change.was.flatMap((each) => each.email ?? [])]) {
    const [row] = await rows.withEmail(email);
    if (row === undefined) continue;
    return isUnconfirmed(rows, row, added) && !isGone(rows, row)
      ? changed(rows, { ...added, row, isMade: true })
      : { conflict: 'EMAIL_TAKEN' };
  }
  if (await rows.isShownByAnother(now.email, undefined)) return { conflict: 'EMAIL_TAKEN' };
  const { key } = await rows.insert(now, password.hash ?? noPassword, change.id ?? '');
  return { key, mustReset: password.isLost, ...(password.hash !== undefined && markOf(password)) };
}

/** Whether it was written before, but not confirmed: it has the key that the user gets, or the password of now, or of then. */
function isUnconfirmed(
  rows: Rows,
  row: FoundRow,
  { change, password }: Pick<Added, 'change' | 'password'>,
): boolean {
  const key = rows.newKey(change.id ?? '');
  if (key !== undefined) return row.key === key;
  // Many users have no password.
  if (row.password === '') return false;
  return (
    [password.hash, noPasswordOf(rows, change)].includes(row.password) || password.wasThere(row.password)
  );
}

interface Changed extends Added {
  readonly row: FoundRow;
  readonly isMade: boolean;
}

/** Each field three-way: as it was here, as it is here, as it is there. */
async function changed(rows: Rows, given: Changed): Promise<Outcome> {
  const { now, own, row } = given;
  const isNewEmail = own.some((each) => folded(each.email) !== folded(now.email));
  const isMoved = isNewEmail && folded(row.email) !== folded(now.email);
  const conflict = isMoved ? await obstacleTo(rows, given) : undefined;
  if (conflict !== undefined) return { conflict };
  const password = newPassword(rows, given);
  if (password === 'conflict') return { conflict: 'CHANGED_THERE' };
  const set = isMoved
    ? [...rows.emailCells(now.email), ...newName(rows, now, row), ...(await newId(rows, now, row))]
    : [];
  await rows.update(row.key, set, password.hash);
  await writeElsewhere(rows, given, { isNewEmail, isMoved, hasNewHash: password.hash !== undefined });
  const isThere = (password.hash ?? row.password) === given.password.hash;
  return { key: row.key, mustReset: password.mustReset, ...(isThere && markOf(given.password)) };
}

/** The email and whether it is verified, wherever they are besides the column of the row. */
async function writeElsewhere(
  rows: Rows,
  given: Changed,
  { isNewEmail, isMoved, hasNewHash }: Readonly<Record<'isNewEmail' | 'isMoved' | 'hasNewHash', boolean>>,
): Promise<void> {
  const { now, own, row } = given;
  const former = isMoved ? formerEmails(given) : [];
  if (isMoved || hasNewHash)
    await rows.setEmailRows(row.key, isMoved ? now.email : row.email, { former, isNew: false });
  const isNewProof = isNewEmail || own.some((each) => each.isVerified !== now.isVerified);
  if (isMoved || (isNewProof && row.isVerified !== now.isVerified)) await rows.verify(row.key, now, former);
}

/** Why the new email cannot be written. */
async function obstacleTo(rows: Rows, { now, row, change: { was } }: Changed): Promise<Conflict | undefined> {
  const known = [...was, ...addressesOf(now)].map(({ email }) => folded(email ?? null));
  if (!known.includes(folded(row.email))) return 'CHANGED_THERE';
  if (!row.hasPlace) return 'REFUSED_THERE';
  return (await isTaken(rows, now.email, row)) ? 'EMAIL_TAKEN' : undefined;
}

/** Those that the user has no longer. */
function formerEmails({ now, row, change: { was } }: Changed): readonly string[] {
  const kept = new Set(addressesOf(now).map(({ email }) => folded(email ?? null)));
  return [...was.flatMap(({ email }) => email ?? []), row.email].filter((each) => !kept.has(folded(each)));
}

/** All emails of a user but the one in the row. */
function addressesOf({
  logins = [],
  otherAddresses = [],
}: WrittenUser): readonly { readonly email?: string | undefined }[] {
  return [...logins, ...otherAddresses];
}

/** Rows of other tables, for a user who is new or has got or lost a login. */
async function withParts(rows: Rows, key: string, change: UserChange, outcome: Outcome): Promise<Outcome> {
  const { now, was, methodIds = [] } = change;
  if (now === undefined || now === 'no email') return outcome;
  for (const { id, thirdPartyId: provider, thirdPartyUserId: userId } of was) {
    const isLost = id !== undefined && !methodIds.includes(id);
    if (isLost && provider && userId) await removeLogin(rows, key, { provider, userId });
  }
  const isChanged = change.key === undefined || was.some(isJoining);
  const leftOut = isChanged ? await addParts(rows, key, now) : [];
  const all: LeftOut[] = [...(outcome.mustReset === true ? (['PASSWORD'] as const) : []), ...leftOut];
  return all.length === 0 ? outcome : { ...outcome, leftOut: all };
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

/** Of a user whose id in the app is the email. */
async function newId(rows: Rows, { email }: WrittenUser, { key }: FoundRow): Promise<readonly Assignment[]> {
  return Object.entries((await rows.loginPair?.newEmail(key, email)) ?? {});
}

interface NewPassword {
  /** Undefined: the one there stays. */
  readonly hash: string | undefined;
  readonly mustReset: boolean;
}

function newPassword(
  { writes, hasPasswords }: Rows,
  { password, noPassword, row, isMade }: Changed,
): NewPassword | 'conflict' {
  const { hash, isUnchanged, isLost: mustReset } = password;
  if (isUnchanged) return { hash: undefined, mustReset: false };
  if (!hasPasswords) return { hash: undefined, mustReset };
  const isNone = writes.hashes.isUnusable(row.password);
  if (row.password === hash || (password.isNone && isNone)) return { hash: undefined, mustReset };
  // Without a password it is as it was here, or as a write-back made it.
  if (!(isMade && isNone) && !password.wasNone(row.password) && !password.wasThere(row.password))
    return 'conflict';
  // One that the user has no longer opens the row no longer.
  return { hash: password.isNone ? noPassword : hash, mustReset };
}
