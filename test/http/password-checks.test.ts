/** Checking a password without signing in: for the old system to mirror its sign-ins to, before the cut-over. */
import { expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { metric } from '../helpers/metrics.ts';
import {
  importUser,
  knownHash,
  knownPassword,
  newEmail,
  newTenant,
  refusalOf,
  signIn,
  signInUp,
} from '../helpers/people.ts';
import { withAdmin } from '../helpers/postgres.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;
useCoreAndApps((used) => {
  ({ core, app } = used);
});

const path = '/recipe/user/passwordhash/verify';
const wrong = { status: 'WRONG_CREDENTIALS_ERROR' };

async function check(email: string, password: string, prefix = app): Promise<unknown> {
  const { http, body } = await core.post(prefix + path, { email, password });
  expect(http).toBe(200);
  return body;
}

interface Stored {
  readonly password_hash: string;
  readonly last_at: string | null;
  readonly is_proven: boolean | null;
  readonly refusals: number | null;
}

async function storedOf(email: string): Promise<Stored> {
  let rows: Stored[] = [];
  await withAdmin(core.database.connection, async (sql) => {
    rows = await sql<Stored[]>`
      select u.password_hash, s.last_at, s.proven_hash = carryover.hash_mark(u.password_hash) as is_proven, s.refusals
      from carryover.users u left join carryover.sign_ins s using (app_no, user_id)
      where u.email = ${email} and u.recipe = 1`;
  });
  const [row] = rows;
  if (!row) throw new Error('no such user');
  return row;
}

const backlog = { operation: 'note-password-check' };

/** Checks are noted after they are answered. */
async function notes(count: number): Promise<void> {
  const noted = () => metric(core, 'carryover_batch_size_sum', backlog);
  await expect.poll(noted).toBe(count);
}

test('says whether the password is right, and notes it: no user is signed in, no hash is changed', async () => {
  const email = newEmail();
  await importUser(core, email, app);
  const before = await metric(core, 'carryover_batch_size_sum', backlog);
  expect(await storedOf(email)).toEqual({
    password_hash: knownHash,
    last_at: null,
    is_proven: null,
    refusals: null,
  });

  expect(await check(email, 'another')).toEqual(wrong);
  await notes(before + 1);
  const refused = { password_hash: knownHash, last_at: '0', is_proven: null, refusals: 1 };
  expect(await storedOf(email)).toEqual(refused);

  expect(await check(email, knownPassword)).toEqual({ status: 'OK' });
  await notes(before + 2);
  expect(await storedOf(email)).toEqual({ ...refused, is_proven: true, refusals: 0 });
});

test('a hash that is imported again is unproven', async () => {
  const email = newEmail();
  const before = await metric(core, 'carryover_batch_size_sum', backlog);
  await importUser(core, email, app);
  expect(await check(email, knownPassword)).toEqual({ status: 'OK' });
  await notes(before + 1);
  const passwordHash = knownHash.replace('$2b$', '$2y$');
  await core.post(`${app}/recipe/user/passwordhash/import`, { email, passwordHash });
  expect(await storedOf(email)).toMatchObject({ password_hash: passwordHash, is_proven: false });
});

test('knows no unknown email, no social user and no user of another tenant, and notes nothing of them', async () => {
  const [email, social] = [newEmail(), newEmail()];
  await importUser(core, email, app);
  await signInUp(core, 'g-1', { id: social }, app);
  const before = await metric(core, 'carryover_batch_size_sum', backlog);
  const verified = () => metric(core, 'carryover_pool_task_duration_seconds_count', { kind: 'verify' });
  const tasks = await verified();
  expect(await check(newEmail(), knownPassword)).toEqual(wrong);
  expect(await check(social, knownPassword)).toEqual(wrong);
  expect(await check(email, knownPassword, await newTenant(core, app))).toEqual(wrong);
  expect(await verified()).toBe(tasks + 3);
  expect(await check(email, knownPassword)).toEqual({ status: 'OK' });
  await notes(before + 1);
});

test('a sign-in with a wrong password is noted alike, a right one proves the hash at once', async () => {
  const email = newEmail();
  await importUser(core, email, app);
  const before = await metric(core, 'carryover_batch_size_sum', backlog);
  expect(await signIn(core, email, 'another', app)).toBe('WRONG_CREDENTIALS_ERROR');
  await notes(before + 1);
  expect(await storedOf(email)).toMatchObject({ last_at: '0', is_proven: null, refusals: 1 });
  expect(await signIn(core, email, knownPassword, app)).toBe('OK');
  expect(await storedOf(email)).toMatchObject({ is_proven: true, refusals: 0 });
  expect(Number((await storedOf(email)).last_at)).toBeGreaterThan(0);
});

test('takes what a sign-in takes', async () => {
  expect(refusalOf(await core.post(app + path, { email: newEmail() }))).toEqual([
    400,
    'INVALID_FIELD',
    "Field name 'password' is invalid in JSON input",
  ]);
  expect((await core.get(app + path)).http).toBe(405);
});

test('what was answered is noted before the core is closed', async () => {
  const other = await startTestCore({ database: core.database });
  const emails = Array.from({ length: 30 }, newEmail);
  for (const email of emails) await importUser(core, email, app);
  const answers = await Promise.all(
    emails.map((email) => other.post(app + path, { email, password: knownPassword })),
  );
  await other.close();
  expect(answers.map(({ body }) => body.status)).toEqual(emails.map(() => 'OK'));
  for (const email of emails) expect(await storedOf(email)).toMatchObject({ is_proven: true });
});

test('a note that cannot be written is logged, without the user', async () => {
  const other = await startTestCore();
  const rename = (from: string, to: string) =>
    withAdmin(other.database.connection, async (sql) => {
      await sql`alter table carryover.${sql(from)} rename to ${sql(to)}`;
    });
  try {
    const email = newEmail();
    await importUser(other, email);
    await rename('sign_ins', 'elsewhere');
    const { body } = await other.post(path, { email, password: knownPassword });
    expect(body).toEqual({ status: 'OK' });
    await expect.poll(() => other.log.join('')).toContain('a password check could not be noted');
    expect(other.log.join('')).not.toContain(email);
  } finally {
    await other.stop();
  }
});
