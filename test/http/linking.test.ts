import { describe, expect, test } from 'vitest';
import type { User } from '../../src/domain/model.ts';
import type { Answer, TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
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
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;
useCoreAndApps((used) => {
  ({ core, app } = used);
});

const path = '/recipe/accountlinking/user';
const makePrimary = (recipeUserId: string) => core.post(`${app}${path}/primary`, { recipeUserId });
const mayBePrimary = (recipeUserId: string) => core.get(`${app}${path}/primary/check`, { recipeUserId });
const link = (recipeUserId: string, primaryUserId: string) =>
  core.post(`${app}${path}/link`, { recipeUserId, primaryUserId });
const mayLink = (recipeUserId: string, primaryUserId: string) =>
  core.get(`${app}${path}/link/check`, { recipeUserId, primaryUserId });
const unlink = (recipeUserId: string) => core.post(`${app}${path}/unlink`, { recipeUserId });

const newUser = (email = newEmail(), prefix = app) => importUser(core, email, prefix);
const social = (id: string, email = newEmail(), prefix = app) => signInUp(core, id, { id: email }, prefix);

async function newPrimary(email?: string, prefix?: string): Promise<User> {
  const { id } = await newUser(email, prefix);
  const { body } = await makePrimary(id);
  expect(body).toMatchObject({ status: 'OK', wasAlreadyAPrimaryUser: false });
  return body.user as User;
}

async function userOf(userId: string): Promise<User | undefined> {
  return (await core.get(`${app}/user/id`, { userId })).body.user as User | undefined;
}

const methodsOf = (user: User | undefined) => user?.loginMethods.map(({ recipeUserId }) => recipeUserId);
const map = (superTokensUserId: string, externalUserId: string) =>
  core.post(`${app}/recipe/userid/map`, { superTokensUserId, externalUserId });
const bodyOf = ({ http, body }: Answer) => ({ http, ...body });

async function newSession(userId: string, prefix = app): Promise<string> {
  const input = { userId, enableAntiCsrf: false, userDataInJWT: {}, userDataInDatabase: {} };
  const { body } = await core.post(`${prefix}/recipe/session`, input);
  return (body.session as { handle: string }).handle;
}

async function isAlive(sessionHandle: string): Promise<boolean> {
  return (await core.get(`${app}/recipe/session`, { sessionHandle })).body.status === 'OK';
}

const shared = 'ACCOUNT_INFO_ALREADY_ASSOCIATED_WITH_ANOTHER_PRIMARY_USER_ID_ERROR';
const sharedEmail = (primaryUserId: string) => ({
  http: 200,
  status: shared,
  primaryUserId,
  description: "This user's email is already associated with another user ID",
});

describe('a user', () => {
  test('becomes primary once, by its core id or its external one', async () => {
    const { id } = await newUser();
    await map(id, 'theirs');
    expect(bodyOf(await mayBePrimary(id))).toEqual({
      http: 200,
      status: 'OK',
      wasAlreadyAPrimaryUser: false,
    });
    expect((await userOf(id))?.isPrimaryUser).toBe(false);
    const { body } = await makePrimary('theirs');
    expect(body).toEqual({ status: 'OK', wasAlreadyAPrimaryUser: false, user: await userOf(id) });
    expect(body.user).toMatchObject({ id: 'theirs', isPrimaryUser: true });
    for (const again of [await makePrimary(id), await mayBePrimary(id)])
      expect(again.body).toMatchObject({ status: 'OK', wasAlreadyAPrimaryUser: true });
  });

  test('who is linked is refused as a primary one', async () => {
    const primary = await newPrimary();
    const { id } = await newUser();
    await link(id, primary.id);
    await map(primary.id, 'theirs');
    for (const answer of [await makePrimary(id), await mayBePrimary(id)])
      expect(bodyOf(answer)).toEqual({
        http: 200,
        status: 'RECIPE_USER_ID_ALREADY_LINKED_WITH_PRIMARY_USER_ID_ERROR',
        primaryUserId: 'theirs',
        description: 'This user ID is already linked to another user ID',
      });
  });

  test('does not become primary with the email of another primary user of its tenant', async () => {
    const email = newEmail();
    const first = await newPrimary(email);
    const second = await social('g', email);
    for (const answer of [await mayBePrimary(second.id), await makePrimary(second.id)])
      expect(bodyOf(answer)).toEqual(sharedEmail(first.id));
    const tenant = await newTenant(core, app);
    const elsewhere = await newUser(email, tenant);
    expect((await makePrimary(elsewhere.id)).body.status).toBe('OK');
  });

  test.each([
    ['primary', {}],
    ['unlink', {}],
    ['link', { primaryUserId: 'nobody' }],
  ])('that is unknown is refused: %s', async (what, more) => {
    const answer = await core.post(`${app}${path}/${what}`, { recipeUserId: 'nobody', ...more });
    expect(refusalOf(answer)).toEqual([400, 'UNKNOWN_USER_ID', 'Unknown user ID provided']);
  });
});

describe('linking', () => {
  test('makes two users one, and ends the sessions of who is linked', async () => {
    const primary = await newPrimary();
    const other = await social('g');
    const [ended, kept] = [await newSession(other.id), await newSession(primary.id)];
    expect(bodyOf(await mayLink(other.id, primary.id))).toEqual({
      http: 200,
      status: 'OK',
      accountsAlreadyLinked: false,
    });
    const { body } = await link(other.id, primary.id);
    expect(body).toEqual({ status: 'OK', accountsAlreadyLinked: false, user: await userOf(primary.id) });
    expect(methodsOf(await userOf(other.id))).toEqual([primary.id, other.id]);
    expect([await isAlive(ended), await isAlive(kept)]).toEqual([false, true]);
    const later = await newSession(other.id);
    const again = await link(other.id, other.id);
    expect(again.body).toMatchObject({ status: 'OK', accountsAlreadyLinked: true, user: { id: primary.id } });
    expect((await mayLink(other.id, primary.id)).body.accountsAlreadyLinked).toBe(true);
    expect(await isAlive(later)).toBe(true);
    expect((await core.get(`${app}/users/count`)).body.count).toBe(1);
  });

  test('is refused for a user who is not primary, which is said before the other is known', async () => {
    const [first, second] = [await newUser(), await newUser()];
    for (const recipeUserId of [second.id, 'nobody'])
      for (const answer of [await link(recipeUserId, first.id), await mayLink(recipeUserId, first.id)])
        expect(bodyOf(answer)).toEqual({ http: 200, status: 'INPUT_USER_IS_NOT_A_PRIMARY_USER' });
  });

  test('is refused for who is primary, or linked to another', async () => {
    const [first, second] = [await newPrimary(), await newPrimary()];
    const other = await newUser();
    await link(other.id, second.id);
    await map(second.id, 'theirs');
    const refused = {
      http: 200,
      status: 'RECIPE_USER_ID_ALREADY_LINKED_WITH_ANOTHER_PRIMARY_USER_ID_ERROR',
      primaryUserId: 'theirs',
      description: 'The input recipe user ID is already linked to another user ID',
    };
    for (const id of ['theirs', other.id]) {
      expect(bodyOf(await link(id, first.id))).toEqual({ ...refused, user: await userOf('theirs') });
      expect(bodyOf(await mayLink(id, first.id))).toEqual(refused);
    }
  });

  test('looks at all infos of both in all tenants of both', async () => {
    const tenant = await newTenant(core, app);
    const email = newEmail();
    const third = await newPrimary(email, tenant);
    const primary = await newPrimary();
    expect((await link((await newUser(newEmail(), tenant)).id, primary.id)).body.status).toBe('OK');
    const other = await social('g', email);
    for (const answer of [await link(other.id, primary.id), await mayLink(other.id, primary.id)])
      expect(bodyOf(answer)).toEqual(sharedEmail(third.id));
    expect((await link(other.id, third.id)).body.status).toBe('OK');
  });

  test('refuses a user who may not sign in, also when linked or separated again', async () => {
    const email = newEmail();
    const primary = await newPrimary(email);
    const other = await newUser();
    await core.put(`${app}/user/restrictions`, { userId: other.id, isDisabled: true });
    await link(other.id, primary.id);
    expect(await signIn(core, email, knownPassword, app)).toBe('WRONG_CREDENTIALS_ERROR');
    const third = await newUser();
    await link(third.id, primary.id);
    await unlink(third.id);
    const { body } = await core.get(`${app}/user/restrictions`, { userId: third.id });
    expect(body.isDisabled).toBe(true);
  });

  test('leaves what is kept of both under their own ids, and nothing when they are removed', async () => {
    const kept = (externalUserId: string) =>
      core.post(`${app}/bulk-import/import`, {
        externalUserId,
        userMetadata: { of: externalUserId },
        loginMethods: [{ recipeId: 'emailpassword', email: newEmail(), passwordHash: knownHash }],
      });
    await kept('first');
    await kept('second');
    await makePrimary('first');
    await link('second', 'first');
    const metadata = async (userId: string) =>
      (await core.get(`${app}/recipe/user/metadata`, { userId })).body.metadata;
    expect(await metadata('first')).toEqual({ of: 'first' });
    await unlink('second');
    expect(await metadata('second')).toEqual({ of: 'second' });
    await link('second', 'first');
    await core.post(`${app}/user/remove`, { userId: 'first' });
    const appId = app.replace('/appid-', '');
    await withSql(core.database.connection, async (sql) => {
      const rows = await sql`
        select d.user_id from carryover.user_details d join carryover.apps a on a.app_no = d.app_no where a.app_id = ${appId}`;
      expect(rows).toHaveLength(0);
    });
  });

  test('is left alone by the undo of an import', async () => {
    const primary = await newPrimary();
    const record = {
      externalUserId: 'theirs',
      loginMethods: [{ recipeId: 'emailpassword', email: newEmail(), passwordHash: knownHash }],
    };
    const response = await fetch(`${core.url}${app}/bulk-import/jobs`, {
      method: 'POST',
      headers: { 'api-key': core.apiKey, 'content-type': 'application/x-ndjson' },
      body: `${JSON.stringify(record)}\n`,
    });
    const { job } = (await response.json()) as { job: { id: string } };
    expect((await link('theirs', primary.id)).body.status).toBe('OK');
    const undone = await core.post(`${app}/bulk-import/jobs/${job.id}/undo`);
    expect(undone.body).toMatchObject({ removed: 0, left: [{ reason: 'CHANGED_SINCE' }] });
    expect(methodsOf(await userOf(primary.id))).toContain('theirs');
  });
});

describe('unlinking', () => {
  const unlinked = (wasRecipeUserDeleted: boolean, wasLinked: boolean) => ({
    http: 200,
    status: 'OK',
    wasRecipeUserDeleted,
    wasLinked,
  });

  test('does nothing to a user who is neither primary nor linked', async () => {
    const { id } = await newUser();
    const session = await newSession(id);
    expect(bodyOf(await unlink(id))).toEqual(unlinked(false, false));
    expect(await isAlive(session)).toBe(true);
  });

  test('makes a primary user of one login method an ordinary one', async () => {
    const { id } = await newPrimary();
    const session = await newSession(id);
    expect(bodyOf(await unlink(id))).toEqual(unlinked(false, true));
    expect(await userOf(id)).toMatchObject({ id, isPrimaryUser: false });
    expect(await isAlive(session)).toBe(false);
  });

  test('makes a linked login method its own user again, and ends its sessions alone', async () => {
    const primary = await newPrimary();
    const other = await newUser();
    await link(other.id, primary.id);
    const sessions = [await newSession(other.id), await newSession(primary.id)];
    expect(bodyOf(await unlink(other.id))).toEqual(unlinked(false, true));
    expect(await userOf(other.id)).toMatchObject({ id: other.id, isPrimaryUser: false });
    expect(await userOf(primary.id)).toMatchObject({ id: primary.id, isPrimaryUser: true });
    expect(await Promise.all(sessions.map(isAlive))).toEqual([false, true]);
  });

  test('removes the head’s login method, and the user lives on by its id', async () => {
    const primary = await newPrimary();
    const others = [await newUser(), await newUser(), await newUser()];
    for (const { id } of others) await link(id, primary.id);
    await map(primary.id, 'theirs');
    await core.post(`${app}/recipe/totp/device`, {
      userId: 'theirs',
      deviceName: 'own',
      skew: 1,
      period: 30,
    });
    const [first, second, third] = others.map(({ id }) => id);
    const session = await newSession('theirs');
    expect(bodyOf(await unlink('theirs'))).toEqual(unlinked(true, true));
    expect(await isAlive(session)).toBe(false);
    expect(methodsOf(await userOf(primary.id))).toEqual(['theirs', second, third]);
    // The one with the id leaves: another one inherits it.
    expect(bodyOf(await unlink(first ?? ''))).toEqual(unlinked(false, true));
    expect(methodsOf(await userOf(first ?? ''))).toEqual([first]);
    expect(methodsOf(await userOf('theirs'))).toEqual(['theirs', third]);
    // A head without a login method of its own may still be linked to.
    expect((await link(first ?? '', primary.id)).body).toMatchObject({
      status: 'OK',
      user: { id: 'theirs' },
    });
    await unlink(first ?? '');
    await unlink(third ?? '');
    // The last one keeps the id, which callers have stored.
    expect(bodyOf(await unlink('theirs'))).toEqual(unlinked(false, true));
    expect(await userOf(second ?? '')).toMatchObject({ id: 'theirs', isPrimaryUser: false });
    const { body } = await core.get(`${app}/recipe/totp/device/list`, { userId: 'theirs' });
    expect(body.devices).toMatchObject([{ name: 'own' }]);
  });

  test('ends the links to reset the password that were asked for under the user’s id', async () => {
    const primary = await newPrimary();
    const email = newEmail();
    const other = await newUser(email);
    await link(other.id, primary.id);
    const { body } = await core.post(`${app}/recipe/user/password/reset/token`, {
      userId: primary.id,
      email,
    });
    await unlink(other.id);
    const consumed = await core.post(`${app}/recipe/user/password/reset/token/consume`, {
      token: body.token,
    });
    expect(consumed.body.status).toBe('RESET_PASSWORD_INVALID_TOKEN_ERROR');
  });
});

describe('at the same time', () => {
  const count = 20;

  test('of users with one email one becomes primary', async () => {
    const email = newEmail();
    const users = await Promise.all(Array.from({ length: count }, (_, n) => social(`g${n}`, email)));
    const answers = await Promise.all(users.map(({ id }) => makePrimary(id)));
    const won = answers.flatMap(({ body }) => (body.status === 'OK' ? [(body.user as User).id] : []));
    expect(won).toHaveLength(1);
    for (const answer of answers)
      if (answer.body.status !== 'OK') expect(bodyOf(answer)).toEqual(sharedEmail(won[0] ?? ''));
  });

  test('users with one email are linked to one of many primary users', async () => {
    const email = newEmail();
    const primaries = await Promise.all(Array.from({ length: count }, () => newPrimary()));
    const users = await Promise.all(Array.from({ length: count }, (_, n) => social(`g${n}`, email)));
    const answers = await Promise.all(users.map(({ id }, n) => link(id, primaries[n]?.id ?? '')));
    expect(answers.map(({ body }) => body.status).sort()).toEqual([
      ...Array.from({ length: count - 1 }, () => shared),
      'OK',
    ]);
  });

  test('one user is linked to one of many primary users', async () => {
    const primaries = await Promise.all(Array.from({ length: count }, () => newPrimary()));
    const other = await newUser();
    const answers = await Promise.all(primaries.map(({ id }) => link(other.id, id)));
    const won = answers.filter(({ body }) => body.status === 'OK');
    expect(won).toHaveLength(1);
    expect(methodsOf(won[0]?.body.user as User)).toContain(other.id);
    expect(answers.every(({ http }) => http === 200)).toBe(true);
  });

  test('links, unlinks and changes of emails leave no two primary users with one email', async () => {
    const emails = [newEmail(), newEmail(), newEmail()];
    const primaries = await Promise.all(Array.from({ length: 4 }, () => newPrimary()));
    const users = await Promise.all(
      Array.from({ length: 12 }, (_, n) => social(`g${n}`, emails[n % emails.length])),
    );
    const at = <Item>(list: readonly Item[], n: number) => list[n % list.length] as Item;
    const acts = Array.from({ length: 60 }, (_, n) => async () => {
      const { id } = at(users, n * 7);
      if (n % 4 === 0) return unlink(id);
      if (n % 4 === 1) return makePrimary(id);
      if (n % 4 === 2) return link(id, at(primaries, n * 3).id);
      const input = { thirdPartyId: 'google', thirdPartyUserId: `g${(n * 7) % 12}` };
      return core.post(`${app}/recipe/signinup`, { ...input, email: { id: at(emails, n) } });
    });
    const answers = await Promise.all(acts.map((act) => act()));
    expect(answers.map(({ http }) => http)).toEqual(answers.map(() => 200));
    const { users: all } = (await core.get(`${app}/users`, { limit: '500' })).body as { users: User[] };
    for (const email of emails) {
      const holders = all.filter((user) => user.isPrimaryUser && user.emails.includes(email));
      expect(holders.length).toBeLessThanOrEqual(1);
    }
    expect(all.flatMap((user) => user.loginMethods)).toHaveLength(primaries.length + users.length);
  });
});
