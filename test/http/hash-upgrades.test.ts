/** Weak hashes are replaced after a sign-in: over the wire, with real threads and a real database. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { uploadClient } from '../helpers/bulk-client.ts';
import { metric } from '../helpers/metrics.ts';
import { importUser, knownHash, knownPassword, newApp, newEmail, signIn } from '../helpers/people.ts';
import { openStoreOn, type TestStore } from '../helpers/store.ts';
import { readVectors } from '../helpers/vectors.ts';

const made = '$argon2id$v=19$m=64,t=1,p=1$';
/** Limits for guessing are tested elsewhere. */
const on = { UPGRADE_PASSWORD_HASHES: 'true' };

let core: TestCore;
let store: TestStore;
let app: string;
beforeAll(async () => {
  core = await startTestCore({ settings: on });
  store = await openStoreOn(core.database.connection);
});
afterAll(async () => {
  await store.dispose();
  await core.stop();
});
beforeEach(async () => {
  app = await newApp(core);
});

async function hashOf(email: string): Promise<string> {
  const [row] = await store.sql<{ hash: string }>(
    'select password_hash as hash from users where email = $1',
    [email],
  );
  return row?.hash ?? '';
}

const ended = (of: TestCore, outcome?: string) =>
  metric(of, 'carryover_hash_upgrades_total', outcome === undefined ? {} : { outcome });

/** Resolves once this number of upgrades more than `before` has ended. */
async function endsAfter(before: number, count: number): Promise<void> {
  while ((await ended(core)) < before + count);
}

/** Resolves once every offered upgrade has ended: they are processed in order, and this is one more. */
async function allEnded(): Promise<void> {
  const [email, before] = [newEmail(), await ended(core, 'upgraded')];
  await importUser(core, email, app);
  await signIn(core, email, knownPassword, app);
  while ((await ended(core, 'upgraded')) === before);
}

describe('a first sign-in', () => {
  test('upgrades the hash; the password still works, and no other', async () => {
    const [email, before] = [newEmail(), await ended(core)];
    await importUser(core, email, app);
    expect(await signIn(core, email, knownPassword, app)).toBe('OK');
    await endsAfter(before, 1);
    expect(await hashOf(email)).toContain(made);
    expect(await signIn(core, email, knownPassword, app)).toBe('OK');
    expect(await signIn(core, email, 'wrong', app)).toBe('WRONG_CREDENTIALS_ERROR');
    expect(await ended(core)).toBe(before + 1);
  });

  test('of 100 at the same time: all succeed, one upgrades', async () => {
    const [email, before, upgraded] = [newEmail(), await ended(core), await ended(core, 'upgraded')];
    await importUser(core, email, app);
    const all = Array.from({ length: 100 }, () => signIn(core, email, knownPassword, app));
    expect(new Set(await Promise.all(all))).toEqual(new Set(['OK']));
    await endsAfter(before, 1);
    const hash = await hashOf(email);
    expect(hash).toContain(made);
    await allEnded();
    expect([await hashOf(email), await ended(core, 'upgraded')]).toEqual([hash, upgraded + 2]);
    expect(await signIn(core, email, knownPassword, app)).toBe('OK');
  });

  test('with a password beyond 72 bytes of bcrypt signs in, and upgrades nothing', async () => {
    const { hash = '', password = '' } = readVectors().find(({ id }) => id === '006') ?? {};
    const [email, usual, before] = [newEmail(), newEmail(), await ended(core)];
    await core.post(`${app}/recipe/user/passwordhash/import`, { email, passwordHash: hash });
    await importUser(core, usual, app);
    for (const equal of [password, password.slice(0, 72), `${password.slice(0, 72)} and anything`])
      expect(await signIn(core, email, equal, app)).toBe('OK');
    // Offers are processed in order: this one would come after the others.
    expect(await signIn(core, usual, knownPassword, app)).toBe('OK');
    await endsAfter(before, 1);
    expect(await hashOf(usual)).toContain(made);
    expect([await hashOf(email), await ended(core)]).toEqual([hash, before + 1]);
  });
});

describe('imports afterwards', () => {
  test('of the same hash, singly, leave the better one and answer as before', async () => {
    const [email, before] = [newEmail(), await ended(core)];
    const user = await importUser(core, email, app);
    await signIn(core, email, knownPassword, app);
    await endsAfter(before, 1);
    const hash = await hashOf(email);
    const path = `${app}/recipe/user/passwordhash/import`;
    const again = await core.post(path, { email, passwordHash: knownHash });
    expect(again.body).toMatchObject({ status: 'OK', didUserAlreadyExist: true, user: { id: user.id } });
    expect(await hashOf(email)).toBe(hash);
    const other = knownHash.replace('$2b$', '$2a$');
    await core.post(path, { email, passwordHash: other });
    expect(await hashOf(email)).toBe(other);
  });

  test('of the same file find all users unchanged', async () => {
    const emails = Array.from({ length: 10 }, () => newEmail());
    const file = Buffer.from(
      emails
        .map((email) =>
          JSON.stringify({ loginMethods: [{ recipeId: 'emailpassword', email, passwordHash: knownHash }] }),
        )
        .join('\n'),
    );
    expect(await importFile(file)).toMatchObject({ created: 10 });
    const before = await ended(core);
    for (const email of emails.slice(0, 5)) expect(await signIn(core, email, knownPassword, app)).toBe('OK');
    await endsAfter(before, 5);
    const hashes = await Promise.all(emails.map(hashOf));
    expect(hashes.filter((hash) => hash.startsWith(made))).toHaveLength(5);
    expect(await importFile(file)).toMatchObject({ created: 0, updated: 0, unchanged: 10, rejected: 0 });
    expect(await Promise.all(emails.map(hashOf))).toEqual(hashes);
  });

  async function importFile(file: Buffer): Promise<unknown> {
    const client = uploadClient(core.port, testApiKey);
    const path = await client.create(app, file.length);
    await client.resume(path, file);
    return (await core.get(path)).body.job;
  }
});

describe('another core', () => {
  let other: TestCore | undefined;
  afterEach(async () => {
    await other?.stop();
    other = undefined;
  });

  test('with the setting off leaves hashes as they are', async () => {
    other = await startTestCore({ settings: { UPGRADE_PASSWORD_HASHES: 'false' }, database: core.database });
    const email = newEmail();
    await importUser(other, email, app);
    expect(await signIn(other, email, knownPassword, app)).toBe('OK');
    await other.close();
    expect(await hashOf(email)).toBe(knownHash);
  });

  test('that is closed with upgrades waiting closes at once and loses nothing', async () => {
    other = await startTestCore({ settings: on, database: core.database });
    const emails = Array.from({ length: 20 }, () => newEmail());
    for (const email of emails) await importUser(other, email, app);
    const closed = other;
    const words = await Promise.all(emails.map((email) => signIn(closed, email, knownPassword, app)));
    await other.close();
    expect(new Set(words)).toEqual(new Set(['OK']));
    // Whatever the present hash: the password matches it.
    for (const email of emails) expect(await signIn(core, email, knownPassword, app)).toBe('OK');
  });
});
