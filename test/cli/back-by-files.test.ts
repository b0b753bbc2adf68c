/** The real command: what changed here while a move leads goes back as files, which the old system's own format reads. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { BackFolder } from '../../src/cli/move/files/folder.ts';
import { findBackFormat } from '../../src/exports/back/index.ts';
import { newIdOf } from '../../src/exports/back/person.ts';
import type { Place } from '../helpers/carryover.ts';
import type { TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { knownHash, knownPassword, newApp, signIn, userOf } from '../helpers/people.ts';
import { useCoreAndPlace, withTestKey as key } from '../helpers/use-core.ts';

const settings = {
  ALLOW_HASH_EXPORT: 'true',
  PASSWORD_HASHING_ALG: 'BCRYPT',
  BCRYPT_PREFIX: '2b',
  BCRYPT_LOG_ROUNDS: '4',
};

let core: TestCore;
let place: Place;
useCoreAndPlace(
  (used) => {
    ({ core, place } = used);
  },
  { settings },
);

let app: string;
let folders = 0;
beforeEach(async () => {
  app = await newApp(core);
});

const ok = async (url: string, input: object) => {
  const { body, text } = await core.post(`${app}${url}`, input);
  expect([body.status, text]).toEqual(['OK', text]);
  return body;
};

/** From an old system that is read from files, without a process that follows it. */
async function start(system: string): Promise<void> {
  await ok('/move', { system });
  await ok('/move/plan', { users: 1 });
  await ok('/move/next', {});
}

async function compared(): Promise<void> {
  await ok('/move/comparison', { users: 1, unexplained: 0, tookMs: 1 });
  await ok('/move/way-back', { users: 1, without: 0, tookMs: 1 });
}

async function lead(system: string, share = 100): Promise<void> {
  await start(system);
  await compared();
  await ok('/move/next', { share, refusedBefore: 1 });
}

async function imported(externalUserId: string, email: string): Promise<void> {
  const method = { recipeId: 'emailpassword', email, passwordHash: knownHash, isVerified: true };
  await ok('/bulk-import/import', {
    externalUserId,
    loginMethods: [{ ...method, hashingAlgorithm: 'bcrypt' }],
  });
}

const signUp = async (email: string, password: string) =>
  userOf(await core.post(`${app}/recipe/signup`, { email, password })).id;
const changed = (recipeUserId: string, input: object) =>
  core.put(`${app}/recipe/user`, { recipeUserId, ...input });
const remove = (userId: string) => ok('/user/remove', { userId, removeAllLinkedAccounts: true });
const verify = async (userId: string, email: string) => {
  const { token } = await ok('/recipe/user/email/verify/token', { userId, email });
  await ok('/recipe/user/email/verify', { method: 'token', token });
};

const flags = (of = app) => ['--url', core.url, '--app', of.replace('/appid-', '')];
const run = (args: readonly string[], of = app) => place.run([...args, ...flags(of)], key);
const asked = (system: string, ...more: string[]) => {
  const out = `back-${folders++}`;
  return { out, args: ['export', '--as', system, '-o', out, '--json', ...more] };
};

interface Answer {
  readonly users: number;
  readonly changed: number;
  readonly removed: number;
  readonly mustReset: number;
  readonly leftOut: number;
  readonly files: readonly string[];
}

/** @returns what it said, and its folder */
async function exported(system: string, ...more: string[]) {
  const { out, args } = asked(system, ...more);
  const { code, stdout, stderr } = await run(args);
  expect([code, stderr]).toEqual([0, stderr]);
  return { out, answer: JSON.parse(stdout) as Answer };
}

async function refused(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(['export', ...args]);
  expect([code, stdout]).toEqual([2, '']);
  return stderr;
}

const lines = async (file: string): Promise<Record<string, unknown>[]> =>
  (await place.read(file))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('back to Firebase, whose import replaces users', () => {
  beforeEach(async () => {
    for (const [id, name] of ['ada', 'bob', 'eve', 'dan'].entries())
      await imported(`fb-${id}`, `${name}@example.com`);
    await lead('firebase');
  });

  it('go sign-ups, changes and removals, and a list of the removed', async () => {
    const id = await signUp('new@example.com', 'a new password');
    await changed('fb-0', { email: 'lovelace@example.com' });
    await changed('fb-1', { password: 'another password' });
    await remove('fb-2');
    await remove(await signUp('ghost@example.com', 'never seen'));
    const { out, answer } = await exported('firebase', '--changed-since', 'move');
    expect(answer).toMatchObject({ users: 3, changed: 0, removed: 1, mustReset: 0, leftOut: 0 });
    expect(answer.files).toEqual(['users-bcrypt.json', 'written.ndjson', 'removed.ndjson']);
    expect(await lines(`${out}/removed.ndjson`)).toEqual([{ id: 'fb-2', email: 'eve@example.com' }]);
    for (const file of answer.files)
      expect((await stat(path.join(place.folder, out, file))).mode & 0o777).toBe(0o600);

    // As Firebase would have them: read by its own format, and judged by their passwords.
    const there = await newApp(core);
    const file = `${out}/users-bcrypt.json`;
    const read = await run(['import', file, '--from', 'firebase', '--yes'], there);
    expect([read.code, read.stderr]).toEqual([0, read.stderr]);
    for (const [email, password] of [
      ['new@example.com', 'a new password'],
      ['lovelace@example.com', knownPassword],
      ['bob@example.com', 'another password'],
    ] as const)
      expect([email, await signIn(core, email, password, there)]).toEqual([email, 'OK']);
    const users = JSON.parse(await place.read(file)) as { users: { localId: string }[] };
    expect(users.users.map(({ localId }) => localId).sort()).toEqual([newIdOf(id), 'fb-0', 'fb-1'].sort());
  });

  it('leaves accounts there that are one user here by now', async () => {
    const primary = { recipeUserId: 'fb-0' };
    await ok('/recipe/accountlinking/user/primary', primary);
    await ok('/recipe/accountlinking/user/link', { recipeUserId: 'fb-1', primaryUserId: 'fb-0' });
    const { out, answer } = await exported('firebase');
    expect(answer).toMatchObject({ removed: 0, leftOut: 1 });
    expect(await lines(`${out}/left-out.ndjson`)).toEqual([
      { id: 'fb-1', email: 'bob@example.com', reason: 'LINKED' },
    ]);
  });

  it('a later file has what changed since, with the ids of the earlier one', async () => {
    const id = await signUp('new@example.com', 'a new password');
    const first = await exported('firebase');
    expect(await status()).toMatchObject({ waiting: { users: 1 } });
    const recorded = await run(['move', 'record', `${first.out}/written.ndjson`]);
    expect([recorded.code, recorded.stdout]).toEqual([0, expect.stringContaining('1 user')]);
    expect(await status()).toMatchObject({ waiting: { users: 0, since: null } });
    expect((await exported('firebase')).answer).toMatchObject({ users: 0, files: ['written.ndjson'] });

    await changed(id, { email: 'newer@example.com' });
    const second = await exported('firebase');
    const [user] = (JSON.parse(await place.read(`${second.out}/users-bcrypt.json`)) as { users: object[] })
      .users;
    expect(user).toMatchObject({ localId: newIdOf(id), email: 'newer@example.com' });
    await remove(id);
    expect((await exported('firebase')).answer).toMatchObject({ users: 0, removed: 1 });
  });

  it('keeps for the next file what changed after a file was written', async () => {
    const id = await signUp('new@example.com', 'a new password');
    const { out } = await exported('firebase');
    await changed(id, { password: 'a newer password' });
    await run(['move', 'record', `${out}/written.ndjson`]);
    expect(await status()).toMatchObject({ waiting: { users: 1 } });
    expect((await exported('firebase')).answer).toMatchObject({ users: 1 });
  });

  it('an export of the old system afterwards copies no user', async () => {
    await signUp('new@example.com', 'a new password');
    await changed('fb-0', { email: 'lovelace@example.com' });
    const { out } = await exported('firebase');
    await run(['move', 'record', `${out}/written.ndjson`]);
    const again = await run(['import', `${out}/users-bcrypt.json`, '--from', 'firebase', '--yes']);
    expect([again.code, again.stderr, again.stdout]).toEqual([0, again.stderr, again.stdout]);
    expect((await core.get(`${app}/users/count`)).body.count).toBe(5);
    expect(await signIn(core, 'new@example.com', 'a new password', app)).toBe('OK');
    expect(await status()).toMatchObject({ waiting: { users: 0 } });
  });

  it('has each of many users once, though the core answers them in several parts', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 260; n++) ids.push(await signUp(`many-${n}@example.com`, 'a new password'));
    for (const id of ids) await changed(id, { email: `x${newIdOf(id)}@example.com` });
    const { out, answer } = await exported('firebase');
    const { users } = JSON.parse(await place.read(`${out}/users-bcrypt.json`)) as {
      users: { localId: string; email: string }[];
    };
    expect(answer.users).toBe(260);
    expect(users.map(({ localId }) => localId).sort()).toEqual(ids.map(newIdOf).sort());
    expect(users.every(({ localId, email }) => email === `x${localId}@example.com`)).toBe(true);
    await run(['move', 'record', `${out}/written.ndjson`]);
    expect(await status()).toMatchObject({ waiting: { users: 0 } });
  });

  it('has only who changed since a time, if that is asked for', async () => {
    const now = async () => Number((await core.get(`${app}/move/changes`)).body.now);
    await changed('fb-0', { email: 'lovelace@example.com' });
    const since = (await now()) + 1;
    await expect.poll(now).toBeGreaterThanOrEqual(since);
    await changed('fb-1', { email: 'bobby@example.com' });
    const text = new Date(since).toISOString();
    expect((await exported('firebase', '--changed-since', text)).answer).toMatchObject({ users: 1 });
    expect((await exported('firebase', '--changed-since', 'move')).answer).toMatchObject({ users: 2 });
  });
});

describe.each([
  ['auth0', 'users.json', 'auth0|7'],
  ['fusionauth', 'users.json', '0190aaaa-0000-7000-8000-000000000007'],
  ['supertokens', 'users.json', 'st-7'],
] as const)('back to %s, whose import makes new users only', (system, file, old) => {
  it('go sign-ups; changes are listed for its API, and who must reset', async () => {
    await imported(old, 'ada@example.com');
    await imported(`${old}0`, 'bob@example.com');
    await lead(system);
    await signUp('new@example.com', 'a new password');
    await changed(old, { email: 'lovelace@example.com' });
    await changed(`${old}0`, { password: 'another password' });
    const { out, answer } = await exported(system);
    expect(answer).toMatchObject({ users: 1, changed: 2, removed: 0, mustReset: 1, leftOut: 0 });
    expect(await lines(`${out}/must-reset.ndjson`)).toEqual([
      { id: `${old}0`, email: 'bob@example.com', reason: 'NOT_SET_THERE' },
    ]);
    const listed = await lines(`${out}/changed.ndjson`);
    expect(listed.map(({ id, changed: fields }) => [id, fields])).toEqual([
      [old, ['email']],
      [`${old}0`, ['password']],
    ]);
    expect(JSON.stringify(listed)).not.toContain('$2b$');
    expect(JSON.stringify(listed[0]?.user)).toContain('lovelace@example.com');

    const there = await newApp(core);
    const read = await run(['import', `${out}/${file}`, '--from', system, '--yes'], there);
    expect([read.code, read.stderr]).toEqual([0, read.stderr]);
    expect(await signIn(core, 'new@example.com', 'a new password', there)).toBe('OK');
  });
});

it('back to Cognito, which takes no hashes, go sign-ups as CSV, and all of them must reset', async () => {
  await imported('sub-7', 'ada@example.com');
  await lead('cognito');
  const id = await signUp('new@example.com', 'a new password');
  await verify(id, 'new@example.com');
  await signUp('unverified@example.com', 'a new password');
  await changed('sub-7', { email: 'lovelace@example.com' });
  const { out, answer } = await exported('cognito');
  expect(answer).toMatchObject({ users: 1, changed: 1, mustReset: 1, leftOut: 1 });
  expect(await lines(`${out}/must-reset.ndjson`)).toMatchObject([
    { email: 'new@example.com', reason: 'HASH_NOT_TAKEN' },
  ]);
  expect(await lines(`${out}/left-out.ndjson`)).toMatchObject([
    { email: 'unverified@example.com', reason: 'EMAIL_NOT_VERIFIED' },
  ]);
  const there = await newApp(core);
  const read = await run(['import', `${out}/users.csv`, '--from', 'cognito', '--yes'], there);
  expect([read.code, read.stderr]).toEqual([0, read.stderr]);
  const found = await core.get(`${there}/users/by-accountinfo`, { email: 'new@example.com' });
  expect(found.body.users).toHaveLength(1);
});

it('Keycloak’s file has no user that the realm has: its import would give a new id', async () => {
  await imported('kc-7', 'ada@example.com');
  await lead('keycloak');
  await signUp('new@example.com', 'a new password');
  await changed('kc-7', { email: 'lovelace@example.com' });
  const { out, answer } = await exported('keycloak');
  // The core makes bcrypt here, which Keycloak does not read.
  expect(answer).toMatchObject({ users: 1, changed: 1, mustReset: 1 });
  const body = JSON.parse(await place.read(`${out}/users.json`)) as { users: object[] };
  expect(body).toMatchObject({ ifResourceExists: 'SKIP', users: [{ username: 'new@example.com' }] });
});

it('Auth0 gets several files, each small enough for one import', async () => {
  const format = findBackFormat('auth0');
  if (format === undefined) throw new Error('no Auth0');
  const folder = await BackFolder.make('parts', place.folder, format);
  const users = Array.from({ length: 3000 }, (_, n) => ({ user_id: String(n), name: 'ä'.repeat(150) }));
  for (const user of users) await folder.addUser('', user);
  const files = await folder.finish();
  expect(files).toEqual(['users.json', 'users-2.json', 'users-3.json']);
  const read: unknown[] = [];
  for (const name of files) {
    expect((await stat(path.join(place.folder, 'parts', name))).size).toBeLessThanOrEqual(500_000);
    read.push(...(JSON.parse(await place.read(`parts/${name}`)) as unknown[]));
  }
  expect(read).toEqual(users);
});

describe('a move by files', () => {
  it('needs no process: a share grows while what changed here is no older than a day', async () => {
    await imported('fb-0', 'ada@example.com');
    await lead('firebase', 5);
    await changed('fb-0', { email: 'lovelace@example.com' });
    await ok('/move/next', { share: 25, dryRun: true });
    await ok('/move/next', { share: 25 });
    await withSql(
      core.database.connection,
      (sql) => sql`update carryover.move_changes set at = at - 90000000`,
    );
    const late = (await core.post(`${app}/move/next`, { share: 50 })).body;
    expect(late).toMatchObject({ status: 'STEP_REFUSED_ERROR', objections: [{ code: 'WRITER_LAG' }] });
    const { out } = await exported('firebase');
    expect((await run(['move', 'record', `${out}/written.ndjson`])).code).toBe(0);
    await ok('/move/next', { share: 50 });
    // And back, with nothing left behind.
    await ok('/move/back', {});
    await ok('/move/back', {});
  });
});

describe('export --as is refused', () => {
  it('without a folder, or one that is there', async () => {
    await lead('firebase');
    expect(await refused('--as', 'firebase')).toContain('--out');
    await place.write('there/file', '');
    expect(await refused('--as', 'firebase', '-o', 'there')).toContain('there is one already');
  });

  it('without a move, before its first share, and for another system', async () => {
    expect(await refused('--as', 'firebase', '-o', 'x')).toContain('move start');
    await start('firebase');
    expect(await refused('--as', 'firebase', '-o', 'x')).toContain('from its first share on');
    await compared();
    await ok('/move/next', { share: 5, refusedBefore: 1 });
    expect(await refused('--as', 'auth0', '-o', 'x')).toContain('moves from firebase');
    expect(await refused('--as', 'firebase', '-o', 'x', '--changed-since', '2020-01-01')).toContain(
      'was not noted',
    );
    expect(await place.list(path.join(place.folder, 'x'))).toEqual([]);
  });

  it('for a file of another move', async () => {
    await lead('firebase');
    const { out } = await exported('firebase');
    await place.write(
      'other.ndjson',
      (await place.read(`${out}/written.ndjson`)).replace('"moveNo":1', '"moveNo":2'),
    );
    const { code, stderr } = await run(['move', 'record', 'other.ndjson']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('another move')]);
  });
});

it('export --changed-since move has native records of who changed since the first share', async () => {
  await imported('fb-0', 'ada@example.com');
  await signUp('before@example.com', 'a new password');
  await lead('firebase');
  await signUp('after@example.com', 'a new password');
  const { code, stdout } = await run(['export', '--changed-since', 'move']);
  expect([code, stdout.match(/[a-z]+@example\.com/g)]).toEqual([0, ['after@example.com']]);
});

const status = async () => (await core.get(`${app}/move/status`)).body;
