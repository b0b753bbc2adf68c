import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { v7 as uuidv7 } from 'uuid';

/** The same users twice: as an export in our native record, and as finished rows of the reference's two tables. */
export interface BulkFiles {
  readonly users: number;
  readonly export: string;
  readonly referenceUsers: string;
  readonly referenceIdentities: string;
  remove(): Promise<void>;
}

const linesAtOnce = 2000;
const job = uuidv7();
const firstJoin = Date.UTC(2020, 0, 1);
/** Radix-64 characters of bcrypt. */
const radix64 = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

interface BenchUser {
  readonly externalId: string;
  readonly email: string;
  readonly hash: string;
  readonly timeJoined: number;
  /** In the metadata, if there is one. */
  readonly name?: string;
}

/** @param users the number; each has a password, an external id and a verified email */
export async function writeBulkFiles(users: number): Promise<BulkFiles> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-bench-files-'));
  const file = (name: string): string => path.join(folder, name);
  const files = {
    users,
    export: file('users.ndjson'),
    referenceUsers: file('users.copy'),
    referenceIdentities: file('identities.copy'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
  const ids = Array.from({ length: users }, (_, n) => uuidv7({ msecs: firstJoin + n }));
  await writeLines(files.export, users, (n) => nativeLine(benchUser(n)));
  await writeLines(files.referenceUsers, users, (n) => referenceUser(benchUser(n), ids[n] ?? ''));
  await writeLines(files.referenceIdentities, users, (n) => referenceIdentity(benchUser(n), ids[n] ?? ''));
  return files;
}

/** One part of an export. */
export interface PartFile {
  readonly export: string;
  remove(): Promise<void>;
}

/** @param users the number, from number `from` on: those of `writeBulkFiles`, as native records alone */
export async function writePartFile(from: number, users: number): Promise<PartFile> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-bench-files-'));
  const file = path.join(folder, 'users.ndjson');
  await writeLines(file, users, (n) => nativeLine(benchUser(from + n)));
  return { export: file, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** An export, and the next one of the same system. */
export interface DeltaFiles {
  readonly users: number;
  /** The number of new users at the beginning of the next one, and of the others with a changed password. */
  readonly added: number;
  readonly changed: number;
  readonly export: string;
  readonly delta: string;
  remove(): Promise<void>;
}

const newUsers = 200;
/** One of this number changes. Not in the same positions of all chunks. */
const changesOneOf = 100;

/** @param users the number in the first export; a multiple of 100 */
export async function writeDeltaFiles(users: number): Promise<DeltaFiles> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-bench-files-'));
  const [first, delta] = [path.join(folder, 'users.ndjson'), path.join(folder, 'delta.ndjson')];
  await writeLines(first, users, (n) => nativeLine(benchUser(n)));
  await writeLines(delta, newUsers + users, (n) =>
    n < newUsers ? nativeLine(benchUser(users + n)) : nativeLine(laterUser(n - newUsers)),
  );
  const remove = () => rm(folder, { recursive: true, force: true });
  return { users, added: newUsers, changed: users / changesOneOf, export: first, delta, remove };
}

/** An export, and what the source has later. */
export interface ComparedFiles {
  readonly users: number;
  readonly export: string;
  readonly later: string;
  remove(): Promise<void>;
}

/** The change of a user at the source. */
export type ChangeThere = 'gone' | 'password' | 'email';

/**
 * @param users the number in the first export
 * @param changes by the number of the user
 * @param added the number of users that only the later one has, at its end
 */
export async function writeComparedFiles(
  users: number,
  changes: ReadonlyMap<number, ChangeThere>,
  added: number,
): Promise<ComparedFiles> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-bench-files-'));
  const [first, later] = [path.join(folder, 'users.ndjson'), path.join(folder, 'later.ndjson')];
  await writeLines(first, users, (n) => nativeLine(namedUser(n)));
  await writeLines(later, users + added, (n) => lineThere(n, changes.get(n)));
  return { users, export: first, later, remove: () => rm(folder, { recursive: true, force: true }) };
}

function lineThere(n: number, change: ChangeThere | undefined): string {
  const user = namedUser(n);
  if (change === 'gone') return '';
  if (change === 'password') return nativeLine({ ...user, hash: otherHash(n) });
  return nativeLine(change === 'email' ? { ...user, email: `moved-${user.email}` } : user);
}

export function externalIdOf(n: number): string {
  return benchUser(n).externalId;
}

export function emailOf(n: number): string {
  return benchUser(n).email;
}

function otherHash(n: number): string {
  return `$2b$10$${bcryptCharacters(n + 1_000_000_000)}`;
}

function laterUser(n: number): BenchUser {
  const isChanged = n % changesOneOf === Math.floor(n / changesOneOf) % changesOneOf;
  return isChanged ? { ...benchUser(n), hash: otherHash(n) } : benchUser(n);
}

function benchUser(n: number): BenchUser {
  return {
    externalId: `legacy-${n}`,
    email: `user-${n}@example.com`,
    hash: `$2b$10$${bcryptCharacters(n)}`,
    timeJoined: firstJoin + n,
  };
}

function namedUser(n: number): BenchUser {
  return { ...benchUser(n), name: `User ${n}` };
}

/** 22 characters of salt and 31 of hash, different for each n. The hash parses; no user signs in with it. */
function bcryptCharacters(n: number): string {
  let text = '';
  for (let state = n * 2_654_435_761 + 1; text.length < 53; state = (state * 48_271) % 2_147_483_647) {
    text += radix64[state % 64] ?? '.';
  }
  return text;
}

function nativeLine({ externalId, email, hash, timeJoined, name }: BenchUser): string {
  const metadata = name === undefined ? '' : `"userMetadata":{"name":"${name}"},`;
  return `{"externalUserId":"${externalId}",${metadata}"loginMethods":[{"recipeId":"emailpassword","email":"${email}","passwordHash":"${hash}","hashingAlgorithm":"bcrypt","isVerified":true,"timeJoinedInMSSinceEpoch":${timeJoined}}]}\n`;
}

function referenceUser({ externalId, email, hash, timeJoined }: BenchUser, id: string): string {
  const cells = ['public', id, id, 1, email, '\\N', '\\N', hash, 't', timeJoined, externalId, job];
  return `${cells.join('\t')}\n`;
}

function referenceIdentity({ email }: BenchUser, id: string): string {
  return `${['public', 'public', 1, email, id].join('\t')}\n`;
}

/** @param line with its line end */
export async function writeLines(file: string, count: number, line: (n: number) => string): Promise<void> {
  function* pieces(): Generator<string> {
    for (let from = 0; from < count; from += linesAtOnce) {
      const length = Math.min(linesAtOnce, count - from);
      yield Array.from({ length }, (_, n) => line(from + n)).join('');
    }
  }
  // Otherwise the kernel writes it to the disk later, during a measurement.
  await pipeline(Readable.from(pieces()), createWriteStream(file, { flush: true }));
}
