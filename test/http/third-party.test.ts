import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, startTestCore, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import {
  coreId,
  importUser,
  newApp,
  newEmail,
  newTenant,
  refusalOf,
  signInUp,
  userOf,
} from '../helpers/people.ts';

const start = 1_700_000_000_000;
let core: TestCore;
let app: string;
beforeAll(async () => {
  core = await startTestCore({ overrides: { now: () => start } });
});
afterAll(() => core.stop());
beforeEach(async () => {
  app = await newApp(core);
});

function send(email: object, ids: object = {}, prefix = app): Promise<Answer> {
  const input = { thirdPartyId: 'google', thirdPartyUserId: 'g-1', email, ...ids };
  return core.post(`${prefix}/recipe/signinup`, input);
}

describe('a social user', () => {
  test('is made the first time and answered whole', async () => {
    const { http, body } = await send({ id: ' Ada@Example.com' });
    const { id } = body.user as { id: string };
    expect(id).toMatch(coreId);
    const thirdParty = { id: 'google', userId: 'g-1' };
    expect([http, body]).toEqual([
      200,
      {
        status: 'OK',
        createdNewUser: true,
        user: {
          id,
          isPrimaryUser: false,
          tenantIds: ['public'],
          timeJoined: start,
          emails: ['ada@example.com'],
          phoneNumbers: [],
          thirdParty: [thirdParty],
          webauthn: { credentialIds: [] },
          loginMethods: [
            {
              recipeId: 'thirdparty',
              recipeUserId: id,
              tenantIds: ['public'],
              timeJoined: start,
              verified: false,
              email: 'ada@example.com',
              thirdParty,
            },
          ],
        },
        recipeUserId: id,
      },
    ]);
  });

  test('signs in the next time', async () => {
    const email = { id: newEmail() };
    const user = userOf(await send(email));
    expect((await send(email)).body).toEqual({
      status: 'OK',
      createdNewUser: false,
      user,
      recipeUserId: user.id,
    });
  });

  test('is known by tenant, provider and id, not by email', async () => {
    const email = { id: newEmail() };
    await importUser(core, email.id, app);
    const answers = [
      await send(email),
      await send(email, { thirdPartyUserId: 'g-2' }),
      await send(email, { thirdPartyId: 'github' }),
      await send(email, {}, await newTenant(core, app)),
    ];
    expect(answers.map(({ body }) => body.createdNewUser)).toEqual([true, true, true, true]);
    expect(new Set(answers.map((answer) => userOf(answer).id)).size).toBe(4);
    expect((await core.get(`${app}/users/count`, { includeAllTenants: 'true' })).body.count).toBe(5);
  });

  test('has ids as they are: neither trimmed nor lower-cased', async () => {
    const email = { id: newEmail() };
    for (const ids of [
      { thirdPartyUserId: 'G-1' },
      { thirdPartyUserId: ' g-1' },
      { thirdPartyId: 'Google' },
    ]) {
      const { body } = await send(email, ids);
      expect(body.createdNewUser).toBe(true);
    }
  });

  test('whose email changed has the new one, unverified until it is', async () => {
    const [email, other] = [newEmail(), newEmail()];
    const { id } = userOf(await send({ id: email, isVerified: true }));
    const changed = await send({ id: other });
    expect(changed.body).toMatchObject({
      createdNewUser: false,
      user: { id, emails: [other], loginMethods: [{ verified: false }] },
    });
    expect(userOf(await send({ id: email })).loginMethods[0]?.verified).toBe(true);
  });

  test('is verified by isVerified:true, and never un-verified by false', async () => {
    const id = newEmail();
    const verified = async (email: object) => userOf(await send(email)).loginMethods[0]?.verified;
    expect(await verified({ id })).toBe(false);
    expect(await verified({ id, isVerified: true })).toBe(true);
    expect(await verified({ id, isVerified: false })).toBe(true);
    expect(await verified({ id })).toBe(true);
  });

  test('answers the external id where one is mapped', async () => {
    const email = newEmail();
    const { id } = await signInUp(core, 'g-1', { id: email }, app);
    await core.post(`${app}/recipe/userid/map`, { superTokensUserId: id, externalUserId: 'theirs' });
    expect((await send({ id: email })).body).toMatchObject({
      user: { id: 'theirs' },
      recipeUserId: 'theirs',
    });
  });
});

test('a linked user may not take the email of another primary user', async () => {
  const [own, taken] = [newEmail(), newEmail()];
  const user = await signInUp(core, 'g-1', { id: own }, app);
  const other = await importUser(core, taken, app);
  // No served route links users yet.
  await withSql(
    core.database.connection,
    (sql) => sql`
      update carryover.users set primary_user_id = user_id where user_id in (${user.id}, ${other.id})`,
  );
  const refused = {
    status: 'EMAIL_CHANGE_NOT_ALLOWED_ERROR',
    reason: 'Email already associated with another primary user.',
  };
  expect((await send({ id: taken })).body).toEqual(refused);
  expect((await core.put(`${app}/recipe/user`, { recipeUserId: other.id, email: own })).body).toEqual(
    refused,
  );
  expect((await send({ id: own })).body).toMatchObject({
    status: 'OK',
    user: { isPrimaryUser: true, emails: [own] },
  });
});

describe('signing in or up is refused', () => {
  test.each([
    ['no provider', { thirdPartyId: '' }, "'thirdPartyId' is invalid in JSON input: must not be empty"],
    ['no id', { thirdPartyUserId: '' }, "'thirdPartyUserId' is invalid in JSON input: must not be empty"],
    [
      'a provider of 129 characters',
      { thirdPartyId: 'x'.repeat(129) },
      "'thirdPartyId' is invalid in JSON input: must be at most 128 characters",
    ],
    [
      'an id of 257 characters',
      { thirdPartyUserId: 'x'.repeat(257) },
      "'thirdPartyUserId' is invalid in JSON input: must be at most 256 characters",
    ],
    ['an email that is text', { email: 'a@b.c' }, "'email' is invalid in JSON input"],
    ['an email of null', { email: { id: null } }, "'email.id' is invalid in JSON input"],
    [
      'an email without @',
      { email: { id: 'ada' } },
      "'email.id' is invalid in JSON input: must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs",
    ],
    [
      'isVerified as text',
      { email: { id: 'a@b.c', isVerified: 'true' } },
      "'email.isVerified' is invalid in JSON input",
    ],
  ])('with %s', async (_what, other, message) => {
    expect(refusalOf(await send({ id: 'a@b.c' }, other))).toEqual([
      400,
      'INVALID_FIELD',
      `Field name ${message}`,
    ]);
  });

  test('never for being as long as allowed', async () => {
    const ids = { thirdPartyId: 'p'.repeat(128), thirdPartyUserId: '😀'.repeat(128) };
    expect((await send({ id: newEmail() }, ids)).body.createdNewUser).toBe(true);
    expect((await send({ id: newEmail() }, ids)).body.createdNewUser).toBe(false);
  });
});
