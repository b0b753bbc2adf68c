/** A stolen key leaves traces: taking over accounts, or changing their owners, leaves entries in the audit log. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withSql } from '../helpers/database-door.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { importUser, newApp, newEmail, signInUp } from '../helpers/people.ts';

const shop = 'the-key-of-the-backend-of-the-shop';
const named = [{ name: 'shop', scopes: ['sign-in', 'admin', 'read', 'import'], key: shop }];

interface Entry {
  readonly who: string;
  readonly what: string;
  readonly address?: string;
  readonly outcome?: string;
  readonly count?: number;
  readonly details: Readonly<Record<string, unknown>>;
}

let core: TestCore;
beforeAll(async () => {
  core = await startTestCore({ settings: { NAMED_KEYS: JSON.stringify(named) } });
});
afterAll(() => core.stop());

type Body = Record<string, unknown>;

async function send(method: string, path: string, input: object, rid?: string): Promise<Body> {
  const headers = { 'api-key': shop, ...(rid !== undefined && { rid }) };
  const response = await fetch(core.url + path, { method, headers, body: JSON.stringify(input) });
  const text = await response.text();
  expect(text, `${method} ${path}`).toMatch(/^\{/);
  return { ...(JSON.parse(text) as Body), http: response.status };
}

async function entries(app: string): Promise<Entry[]> {
  return (await core.get(`${app}/config/audit`)).body.entries as Entry[];
}

const told = (found: readonly Entry[]) => found.map(({ what, outcome, details }) => [what, outcome, details]);

test('a password or an email that a key changes is an entry, without either', async () => {
  const app = await newApp(core);
  const { id } = await importUser(core, newEmail(), app);
  const email = newEmail();
  await send('PUT', `${app}/recipe/user`, { recipeUserId: id, password: 'a new passw0rd', email });
  await send('PUT', `${app}/recipe/user`, { recipeUserId: 'no user', password: 'a new passw0rd' });
  const found = await entries(app);
  expect(told(found)).toEqual([
    ['user.change', 'UNKNOWN_USER_ID_ERROR', { recipeUserId: 'no user', changes: ['password'] }],
    ['user.change', 'OK', { recipeUserId: id, changes: ['email', 'password'] }],
  ]);
  expect(found[0]).toMatchObject({ who: 'shop', address: '127.0.0.1' });
  expect(JSON.stringify(found)).not.toContain('passw0rd');
  expect(JSON.stringify(found)).not.toContain(email);
});

test('so are an id mapped and unmapped, and users linked and unlinked', async () => {
  const app = await newApp(core);
  const { id } = await importUser(core, newEmail(), app);
  const social = await signInUp(core, 'g-1', { id: newEmail() }, app);
  await send('POST', `${app}/recipe/userid/map`, { superTokensUserId: id, externalUserId: 'theirs' });
  await send('POST', `${app}/recipe/userid/map/remove`, { userId: 'theirs', force: true });
  await send('POST', `${app}/recipe/accountlinking/user/primary`, { recipeUserId: id });
  const pair = { recipeUserId: social.id, primaryUserId: id };
  await send('POST', `${app}/recipe/accountlinking/user/link`, pair);
  await send('POST', `${app}/recipe/accountlinking/user/unlink`, { recipeUserId: social.id });
  expect(told(await entries(app))).toEqual([
    ['user.unlink', 'OK', { recipeUserId: social.id }],
    ['user.link', 'OK', pair],
    ['user.id.unmap', 'OK', { userId: 'theirs', force: true }],
    ['user.id.map', 'OK', { superTokensUserId: id, externalUserId: 'theirs' }],
  ]);
});

test('so are a TOTP device that is removed, and a sign-in to the dashboard', async () => {
  const app = await newApp(core);
  await send('POST', `${app}/recipe/totp/device/remove`, { userId: 'u', deviceName: 'phone' });
  const [email, password] = [newEmail(), 'hunter2hunter2'];
  await core.post(`${app}/recipe/dashboard/user`, { email, password });
  await send('POST', `${app}/recipe/dashboard/signin`, { email, password: 'wrong-wrong-1' });
  await send('POST', `${app}/recipe/dashboard/signin`, { email, password });
  expect(told(await entries(app))).toEqual([
    ['dashboard.sign-in', 'OK', { email }],
    ['dashboard-user.add', 'OK', { email }],
    ['totp.device.remove', 'OK', { userId: 'u', deviceName: 'phone' }],
  ]);
});

test('an entry that cannot be kept: the account is not changed', async () => {
  const app = await newApp(core);
  const email = newEmail();
  const { id } = await importUser(core, email, app);
  await withSql(core.database.connection, async (sql) => {
    await sql`alter table carryover.audit rename to audit_away`;
    try {
      const changed = await send('PUT', `${app}/recipe/user`, { recipeUserId: id, email: newEmail() });
      expect(changed.http).toBe(500);
    } finally {
      await sql`alter table carryover.audit_away rename to audit`;
    }
  });
  const { body } = await core.get(`${app}/user/id`, { userId: id });
  expect(body).toMatchObject({ user: { emails: [email] } });
});

test('what a backend does all day is counted by key and act, without an address', async () => {
  const other = await startTestCore({ settings: { NAMED_KEYS: JSON.stringify(named) } });
  const ask = (method: string, path: string, input: object) =>
    fetch(other.url + path, { method, headers: { 'api-key': shop }, body: JSON.stringify(input) });
  const { id } = await importUser(other, newEmail());
  const session = { userId: 'anybody', enableAntiCsrf: false, userDataInJWT: {}, userDataInDatabase: {} };
  for (let n = 0; n < 3; n++) await ask('POST', '/recipe/session', session);
  const jwt = { algorithm: 'RS256', jwksDomain: 'https://a.example', payload: {}, validity: 60 };
  await ask('POST', '/recipe/jwt', jwt);
  await ask('PUT', '/recipe/user/metadata', { userId: id, metadataUpdate: { a: 1 } });
  await ask('POST', '/recipe/user/password/reset/token', { userId: id, email: '' });
  await ask('POST', '/recipe/user/email/verify/remove', { userId: id, email: newEmail() });
  await ask('POST', '/recipe/signinup/code', { email: newEmail() });
  await ask('POST', '/recipe/dashboard/signin', { email: newEmail(), password: 'wrong-wrong-1' });
  await other.close();
  const kept = await withSql(
    other.database.connection,
    (sql) =>
      sql`select who, what, outcome, count::int, address from carryover.audit where who = 'shop' order by what`,
  );
  await other.stop();
  expect(kept.map((row) => Object.values<unknown>(row))).toEqual([
    ['shop', 'dashboard.sign-in', 'INVALID_CREDENTIALS_ERROR', 1, null],
    ['shop', 'email.unverify', 'OK', 1, null],
    ['shop', 'jwt.sign', 'OK', 1, null],
    ['shop', 'password.reset-token', 'OK', 1, null],
    ['shop', 'passwordless.code', 'OK', 1, null],
    ['shop', 'session.create', 'OK', 3, null],
    ['shop', 'user.metadata.put', 'OK', 1, null],
  ]);
});
