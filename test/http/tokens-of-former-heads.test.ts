/** Tokens to reset a password that are requested with the id of a user, although no login method has that id any more. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { importUser, knownPassword, newEmail, signIn, signInUp } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;
useCoreAndApps((used) => {
  ({ core, app } = used);
});

const linking = '/recipe/accountlinking/user';
const invalid = { status: 'RESET_PASSWORD_INVALID_TOKEN_ERROR' };
const emailOfSocial = newEmail();
let userId: string;
let social: string;

const createToken = async (pair: object) =>
  (await core.post(`${app}/recipe/user/password/reset/token`, pair)).body;
const consume = async (token: unknown) =>
  (await core.post(`${app}/recipe/user/password/reset/token/consume`, { token })).body;
const remove = (id: string, removeAllLinkedAccounts: boolean) =>
  core.post(`${app}/user/remove`, { userId: id, removeAllLinkedAccounts });

/** A linked user with only a provider's identity left. */
beforeEach(async () => {
  userId = (await importUser(core, newEmail(), app)).id;
  social = (await signInUp(core, 'g-1', { id: emailOfSocial }, app)).id;
  await core.post(`${app}${linking}/primary`, { recipeUserId: userId });
  await core.post(`${app}${linking}/link`, { recipeUserId: social, primaryUserId: userId });
  await remove(userId, false);
});

async function tokensLeft(): Promise<number> {
  const rows = await withSql(
    core.database.connection,
    (sql) => sql`
      select 1 from carryover.tokens join carryover.apps using (app_no)
      where app_id = ${app.replace('/appid-', '')}`,
  );
  return rows.length;
}

describe('a reset token of a user whose head is removed', () => {
  test('is made by the user’s id, is redeemed once, and spends the others', async () => {
    const pair = { userId, email: emailOfSocial };
    const [token, sibling] = [(await createToken(pair)).token, (await createToken(pair)).token];
    expect(token).toMatch(/^[A-Za-z0-9_-]{128}$/);
    expect(await consume(token)).toEqual({ status: 'OK', ...pair });
    expect(await consume(token)).toEqual(invalid);
    expect(await consume(sibling)).toEqual(invalid);
  });

  test('is made by the id of a login method without a password', async () => {
    const pair = { userId: social, email: emailOfSocial };
    expect(await consume((await createToken(pair)).token)).toEqual({ status: 'OK', ...pair });
  });

  test('goes with the last login method, and none is made afterwards', async () => {
    const pair = { userId, email: emailOfSocial };
    const { token } = await createToken(pair);
    expect(await tokensLeft()).toBe(1);
    await remove(social, true);
    expect(await tokensLeft()).toBe(0);
    expect(await consume(token)).toEqual(invalid);
    expect(await createToken(pair)).toEqual({ status: 'UNKNOWN_USER_ID_ERROR' });
  });

  test('ends when a login method leaves the user, or its password changes', async () => {
    const email = newEmail();
    const other = (await importUser(core, email, app)).id;
    await core.post(`${app}${linking}/link`, { recipeUserId: other, primaryUserId: userId });
    const before = await createToken({ userId, email });
    await core.put(`${app}/recipe/user`, { recipeUserId: other, password: 'another' });
    expect(await signIn(core, email, knownPassword, app)).toBe('WRONG_CREDENTIALS_ERROR');
    expect(await consume(before.token)).toEqual(invalid);
    const again = await createToken({ userId, email });
    await core.post(`${app}${linking}/unlink`, { recipeUserId: other });
    expect(await consume(again.token)).toEqual(invalid);
  });
});
