/** An old system that answers about another user than the one in question. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { metric } from '../helpers/metrics.ts';
import { knows, type OldSystem, ownSource, startOldSystem } from '../helpers/old-system.ts';
import { newApp, newEmail, signIn, userOf } from '../helpers/people.ts';
import { withAdmin } from '../helpers/postgres.ts';

let core: TestCore;
let old: OldSystem;
let app: string;
beforeAll(async () => {
  [core, old] = await Promise.all([startTestCore(), startOldSystem(knows('theirs'))]);
});
afterAll(() => Promise.all([core.stop(), old.close()]));

const useSource = async (more: object = {}) => {
  app = await newApp(core, { legacy_sources: [ownSource(old.url, more)] });
};
beforeEach(() => useSource());

async function imported(email: string, more: object = {}): Promise<string> {
  const loginMethods = [{ recipeId: 'emailpassword', email, legacy: 'old' }];
  return userOf(await core.post(`${app}/bulk-import/import`, { ...more, loginMethods })).id;
}

/** The old system knows one password, and names its user. */
function answers(externalUserId: string | undefined, email?: string): void {
  const loginMethods = email === undefined ? [] : [{ recipeId: 'emailpassword', email, isVerified: true }];
  old.answer(knows('theirs', { externalUserId, loginMethods }));
}

/** The status of a sign-in with the password that the old system calls right. */
const enter = (email: string) => signIn(core, email, 'theirs', app);
const wrong = 'WRONG_CREDENTIALS_ERROR';

async function hashOf(email: string): Promise<string | undefined> {
  let found: { password_hash: string }[] = [];
  await withAdmin(core.database.connection, async (sql) => {
    found = await sql`select password_hash from carryover.users where email = ${email}`;
  });
  return found[0]?.password_hash;
}

const warnings = () => core.log.filter((line) => line.includes('knows another user by this login'));

describe('another id', () => {
  test('is a wrong password: nothing of the answer is stored', async () => {
    const email = newEmail();
    await imported(email, { externalUserId: `victim-${email}` });
    answers(`attacker-${email}`, `attacker-${email}`);
    expect(await enter(email)).toBe(wrong);
    expect(await hashOf(email)).toBe('$legacy$old');
    answers(`victim-${email}`, email);
    expect(await signIn(core, email, 'other', app)).toBe(wrong);
    old.answer(knows('own', { externalUserId: `victim-${email}`, loginMethods: [] }));
    expect(await signIn(core, email, 'own', app)).toBe('OK');
  });

  test('is a wrong password with the email that was typed: it has another owner there by now', async () => {
    const email = newEmail();
    await imported(email, { externalUserId: `former-${email}` });
    answers(`later-${email}`, email);
    expect(await enter(email)).toBe(wrong);
  });

  test('is a wrong password where another user has it here', async () => {
    const [email, other] = [newEmail(), newEmail()];
    await imported(other, { externalUserId: `other-${other}` });
    await imported(email);
    answers(`other-${other}`);
    expect(await enter(email)).toBe(wrong);
    expect(await hashOf(email)).toBe('$legacy$old');
  });

  test('is compared with the prefix of the source', async () => {
    await useSource({ user_id_prefix: 'crm|' });
    const [email, other] = [newEmail(), newEmail()];
    await imported(email, { externalUserId: `crm|${email}` });
    await imported(other, { externalUserId: other });
    answers(email, 'new-address@example.com');
    expect(await enter(email)).toBe('OK');
    answers(other, other);
    expect(await enter(other)).toBe(wrong);
  });

  test('says nothing where ids are dropped: then the email decides', async () => {
    await useSource({ user_ids: 'drop' });
    const [email, other] = [newEmail(), newEmail()];
    await imported(email, { externalUserId: `export-${email}` });
    await imported(other, { externalUserId: `export-${other}` });
    answers('42', email);
    expect(await enter(email)).toBe('OK');
    answers('43', 'somebody-else@example.com');
    expect(await enter(other)).toBe(wrong);
  });

  test('of a linked user may be that of any of their login methods', async () => {
    const email = newEmail();
    const google = { recipeId: 'thirdparty', email, thirdPartyId: 'google', thirdPartyUserId: email };
    const marked = { recipeId: 'emailpassword', email, legacy: 'old', isPrimary: true };
    const record = { externalUserId: `linked-${email}`, loginMethods: [google, marked] };
    userOf(await core.post(`${app}/bulk-import/import`, record));
    answers(`stranger-${email}`, email);
    expect(await enter(email)).toBe(wrong);
    old.answer(knows('own', { externalUserId: `linked-${email}`, loginMethods: [] }));
    expect(await signIn(core, email, 'own', app)).toBe('OK');
  });
});

describe('another email', () => {
  test('is a wrong password where no id proves the user', async () => {
    const [email, second] = [newEmail(), newEmail()];
    await imported(email);
    answers(undefined, 'attacker@example.com');
    expect(await enter(email)).toBe(wrong);
    await imported(second, { externalUserId: `own-${second}` });
    expect(await enter(second)).toBe(wrong);
    answers('an-id-of-nobody', 'attacker@example.com');
    const third = newEmail();
    await imported(third);
    expect(await enter(third)).toBe(wrong);
    expect(await hashOf(third)).toBe('$legacy$old');
  });

  test('is not another user in other capitals, with white space, or in another Unicode form', async () => {
    const email = newEmail();
    await imported(email);
    answers(undefined, `  ${email.toUpperCase()} `);
    expect(await enter(email)).toBe('OK');
    const composed = `andr\u00e9-${newEmail()}`;
    await imported(composed);
    answers(undefined, composed.normalize('NFD'));
    expect(await enter(composed)).toBe('OK');
  });

  test('is no obstacle where the id is the same', async () => {
    const email = newEmail();
    await imported(email, { externalUserId: `moved-${email}` });
    answers(`moved-${email}`, 'new-address@example.com');
    const user = userOf(await core.post(`${app}/recipe/signin`, { email, password: 'theirs' }));
    expect(user).toMatchObject({ emails: [email], loginMethods: [{ verified: false }] });
  });

  test('that is not answered says nothing', async () => {
    const email = newEmail();
    await imported(email, { externalUserId: `quiet-${email}` });
    answers(undefined);
    expect(await enter(email)).toBe('OK');
  });
});

/** Each dialect that identifies the user, with its answers about one. */
const idToken = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.e30`;
const client = { client_id: 'client', client_secret: 'secret' };
type Said = (id: string, email: string) => Readonly<Record<string, unknown>>;
const speakers: readonly (readonly [string, object, Said])[] = [
  ['auth0', { ...client, connection: 'c' }, (sub, email) => ({ id_token: idToken({ sub, email }) })],
  ['keycloak', client, (sub, email) => ({ id_token: idToken({ sub, email }) })],
  ['entra', client, (oid, email) => ({ id_token: idToken({ sub: 's', oid, email }) })],
  ['b2c', client, (oid, email) => ({ id_token: idToken({ oid, emails: [email] }) })],
  [
    'cognito',
    client,
    (sub, email) => ({ AuthenticationResult: { AccessToken: 't', IdToken: idToken({ sub, email }) } }),
  ],
  ['firebase', { api_key: 'k' }, (localId, email) => ({ localId, email, idToken: 't' })],
  ['fusionauth', { header_value: 'k' }, (id, email) => ({ user: { id, email } })],
  ['keycloak-migration', {}, (id, email) => ({ id, email })],
  [
    'http',
    { hmac_secret: 's' },
    (externalUserId, email) => ({ externalUserId, loginMethods: [{ recipeId: 'emailpassword', email }] }),
  ],
];

test.each(speakers)('%s: another id or email is a wrong password', async (speaks, options, said) => {
  const source = { name: 'old', speaks, url: old.url, until: '2999-12-31', ...options };
  app = await newApp(core, { legacy_sources: [source] });
  const [email, plain] = [newEmail(), newEmail()];
  await imported(email, { externalUserId: `own-${email}` });
  await imported(plain);
  old.answer(() => ({ status: 200, json: said('another', email) }));
  expect(await enter(email)).toBe(wrong);
  old.answer(() => ({ status: 200, json: said('another', 'attacker@example.com') }));
  expect(await enter(plain)).toBe(wrong);
  old.answer(() => ({ status: 200, json: said(`own-${email}`, 'changed@example.com') }));
  expect(await signIn(core, email, 'second', app)).toBe('OK');
  old.answer(() => ({ status: 200, json: said('new', plain.toUpperCase()) }));
  expect(await signIn(core, plain, 'second', app)).toBe('OK');
});

describe('an email that no user has here', () => {
  beforeEach(() => useSource({ unknown: 'ask' }));

  test('makes no user of an answer with another email', async () => {
    const email = newEmail();
    answers(`new-${email}`, 'real-address@example.com');
    expect(await enter(email)).toBe(wrong);
    expect(await hashOf(email)).toBeUndefined();
  });

  test('makes no user of an answer with an id that another user has here', async () => {
    const [email, other] = [newEmail(), newEmail()];
    await imported(other, { externalUserId: `known-${other}` });
    answers(`known-${other}`, email);
    expect(await enter(email)).toBe(wrong);
    expect(await hashOf(email)).toBeUndefined();
  });

  test('makes a user of an answer with that email', async () => {
    const email = newEmail();
    answers(`new-${email}`, email.toUpperCase());
    const user = userOf(await core.post(`${app}/recipe/signin`, { email, password: 'theirs' }));
    expect(user).toMatchObject({ id: `new-${email}`, emails: [email] });
  });
});

describe('the refusal', () => {
  test('takes the way of a wrong password: remembered, and counted by its cause', async () => {
    const email = newEmail();
    await imported(email, { externalUserId: `victim-${email}` });
    answers(`attacker-${email}`);
    const asked = () => old.asked.filter(({ body }) => body.includes(email)).length;
    const counted = () =>
      metric(core, 'carryover_legacy_questions_total', { source: 'old', outcome: 'other-user' });
    const before = await counted();
    expect(await enter(email)).toBe(wrong);
    expect(await enter(email)).toBe(wrong);
    expect(asked()).toBe(1);
    expect(await counted()).toBe(before + 1);
  });

  test('holds for a password that is only checked', async () => {
    const email = newEmail();
    await imported(email, { externalUserId: `victim-${email}` });
    answers(`attacker-${email}`);
    const path = `${app}/recipe/user/passwordhash/verify`;
    expect((await core.post(path, { email, password: 'theirs' })).body.status).toBe(wrong);
  });

  test('is logged once for a source and a user, without personal data', async () => {
    const [email, other] = [newEmail(), newEmail()];
    await imported(email, { externalUserId: `victim-${email}` });
    await imported(other, { externalUserId: `victim-${other}` });
    const before = warnings().length;
    for (const password of ['first', 'second', 'third']) {
      old.answer(knows(password, { externalUserId: `attacker-${email}`, loginMethods: [] }));
      expect(await signIn(core, email, password, app)).toBe(wrong);
    }
    expect(warnings().length).toBe(before + 1);
    answers(`attacker-${other}`);
    expect(await enter(other)).toBe(wrong);
    expect(warnings().length).toBe(before + 2);
    expect(core.log.filter((line) => line.includes(email) || line.includes(other))).toEqual([]);
  });
});
