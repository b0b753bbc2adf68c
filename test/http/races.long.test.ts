import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { User } from '../../src/domain/model.ts';
import { type Answer, startTestCore, type TestCore } from '../helpers/core.ts';
import { holdWrites, withSql } from '../helpers/database-door.ts';
import { metric } from '../helpers/metrics.ts';
import {
  importUser,
  knownHash,
  knownPassword,
  newApp,
  newEmail,
  signIn,
  verificationToken,
} from '../helpers/people.ts';

let core: TestCore;
let second: TestCore;
let app: string;
beforeAll(async () => {
  core = await startTestCore();
  second = await startTestCore({ database: core.database });
});
afterAll(async () => {
  await second.stop();
  await core.stop();
});
beforeEach(async () => {
  app = await newApp(core);
});

function times<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

function sendImport(to: TestCore, email: string): Promise<Answer> {
  return to.post(`${app}/recipe/user/passwordhash/import`, { email, passwordHash: knownHash });
}

function expectOneUser(answers: readonly Answer[]): void {
  expect(answers.map(({ http }) => http)).toEqual(answers.map(() => 200));
  expect(new Set(answers.map(({ body }) => (body.user as User).id)).size).toBe(1);
  expect(answers.filter(({ body }) => body.didUserAlreadyExist === false)).toHaveLength(1);
}

const count = async () => (await core.get(`${app}/users/count`)).body.count;

describe('at the same instant', () => {
  test('200 imports of one email make one user, exactly once', async () => {
    const email = newEmail();
    expectOneUser(await times(200, () => sendImport(core, email)));
    expect(await count()).toBe(1);
    expect(await signIn(core, email, knownPassword, app)).toBe('OK');
  });

  test('emails that differ only in case or outer white space are one user', async () => {
    const email = newEmail();
    const spellings = [email, email.toUpperCase(), ` ${email}`, `${email}\n`, `\t${email.toUpperCase()} `];
    expectOneUser(await times(40, (i) => sendImport(core, spellings[i % spellings.length] ?? email)));
    expect(await count()).toBe(1);
  });

  test('two cores over one database make one user of an email', async () => {
    const emails = Array.from({ length: 10 }, newEmail);
    const answers = await times(200, async (i) => {
      const email = emails[i % emails.length] ?? '';
      return { email, answer: await sendImport(i % 3 === 0 ? second : core, email) };
    });
    for (const email of emails)
      expectOneUser(answers.filter((each) => each.email === email).map(({ answer }) => answer));
    expect(await count()).toBe(10);
  });

  test('50 redemptions of one token are one, on two cores too', async () => {
    const email = newEmail();
    const pair = { userId: (await importUser(core, email, app)).id, email };
    const token = await verificationToken(core, pair, app);
    const answers = await times(50, (i) =>
      (i % 2 ? core : second).post(`${app}/recipe/user/email/verify`, { method: 'token', token }),
    );
    const statuses = answers.map(({ body }) => body.status);
    expect(statuses.filter((status) => status === 'OK')).toHaveLength(1);
    expect(statuses.filter((status) => status === 'EMAIL_VERIFICATION_INVALID_TOKEN_ERROR')).toHaveLength(49);
  });

  test('50 reset tokens consumed at once, all of one user, are one', async () => {
    const email = newEmail();
    const pair = { userId: (await importUser(core, email, app)).id, email };
    const tokens = await times(50, async () => {
      const { body } = await core.post(`${app}/recipe/user/password/reset/token`, pair);
      return String(body.token);
    });
    const answers = await times(50, (i) =>
      (i % 2 ? core : second).post(`${app}/recipe/user/password/reset/token/consume`, { token: tokens[i] }),
    );
    expect(answers.filter(({ body }) => body.status === 'OK')).toHaveLength(1);
  });

  test('50 sign-ups of one email make one user, whose password is the one that was answered OK', async () => {
    const email = newEmail();
    const answers = await times(50, (i) =>
      (i % 2 ? core : second).post(`${app}/recipe/signup`, { email, password: `password ${i}` }),
    );
    const statuses = answers.map(({ body }) => body.status);
    expect(statuses.filter((status) => status === 'EMAIL_ALREADY_EXISTS_ERROR')).toHaveLength(49);
    expect(await signIn(core, email, `password ${statuses.indexOf('OK')}`, app)).toBe('OK');
    expect(await count()).toBe(1);
  });

  test('50 sign-ins of one new social user make one', async () => {
    const email = newEmail();
    const answers = await times(50, (i) =>
      (i % 2 ? core : second).post(`${app}/recipe/signinup`, {
        thirdPartyId: 'google',
        thirdPartyUserId: 'g-1',
        email: { id: email, isVerified: i % 3 === 0 },
      }),
    );
    expect(answers.map(({ body }) => body.status)).toEqual(answers.map(() => 'OK'));
    expect(answers.filter(({ body }) => body.createdNewUser === true)).toHaveLength(1);
    expect(await count()).toBe(1);
  });

  test('50 mappings of one external id map one user', async () => {
    const users = await times(50, () => importUser(core, newEmail(), app));
    const answers = await times(50, (i) =>
      (i % 2 ? core : second).post(`${app}/recipe/userid/map`, {
        superTokensUserId: users[i]?.id,
        externalUserId: 'theirs',
      }),
    );
    expect(answers.filter(({ body }) => body.status === 'OK')).toHaveLength(1);
    expect(answers.filter(({ body }) => body.doesExternalUserIdExist === true)).toHaveLength(49);
  });
});

describe('over many rounds', () => {
  const rounds = 60;

  test('a token is redeemed while its user is being mapped or unmapped', async () => {
    for (let round = 0; round < rounds; round++) {
      const email = newEmail();
      const { id } = await importUser(core, email, app);
      const theirs = `theirs-${round}`;
      const map = () =>
        core.post(`${app}/recipe/userid/map`, { superTokensUserId: id, externalUserId: theirs });
      const unmap = () => core.post(`${app}/recipe/userid/map/remove`, { userId: theirs });
      if (round % 2) await map();
      const token = await verificationToken(core, { userId: id, email }, app);
      const [mapped, redeemed] = await Promise.all([
        round % 2 ? unmap() : map(),
        second.post(`${app}/recipe/user/email/verify`, { method: 'token', token }),
      ]);
      expect([mapped.body.status, redeemed.body.status]).toEqual(['OK', 'OK']);
      const pair = { userId: round % 2 ? id : theirs, email };
      expect((await core.get(`${app}/recipe/user/email/verify`, pair)).body.isVerified).toBe(true);
    }
  });

  test('a link to reset a password is followed while its user is being mapped', async () => {
    for (let round = 0; round < rounds; round++) {
      const email = newEmail();
      const { id } = await importUser(core, email, app);
      const made = await core.post(`${app}/recipe/user/password/reset/token`, { userId: id, email });
      const [mapped, consumed] = await Promise.all([
        core.post(`${app}/recipe/userid/map`, { superTokensUserId: id, externalUserId: `theirs-${round}` }),
        second.post(`${app}/recipe/user/password/reset/token/consume`, { token: made.body.token }),
      ]);
      expect([mapped.body.status, consumed.body.status]).toEqual(['OK', 'OK']);
    }
  });

  test('users are imported and signed in while they are being removed', async () => {
    const email = newEmail();
    const social = { thirdPartyId: 'google', thirdPartyUserId: 'g', email: { id: email, isVerified: true } };
    const record = {
      loginMethods: [{ recipeId: 'emailpassword', email, passwordHash: knownHash }],
      restoreRemoved: true,
    };
    const imports = [
      (to: TestCore) => sendImport(to, email),
      (to: TestCore) => to.post(`${app}/recipe/signinup`, social),
      (to: TestCore) => to.post(`${app}/bulk-import/import`, record),
    ];
    // Each removes the user it has just met, while the others are about to read that user.
    await times(9, async (worker) => {
      for (let round = 0; round < rounds; round++) {
        const to = (round + worker) % 2 ? core : second;
        const answer = await imports[worker % imports.length]?.(to);
        expect([answer?.http, answer?.text]).toEqual([200, expect.stringContaining('"OK"')]);
        const { user } = answer?.body ?? {};
        if (user) await core.post(`${app}/user/remove`, { userId: (user as User).id });
      }
    });
  });
});

describe('one bad item', () => {
  test('in a batch of good ones fails alone', async () => {
    const bad = newEmail();
    // The database itself refuses one email, although the core accepts it.
    await withSql(core.database.connection, (sql) =>
      sql.unsafe(`alter table carryover.users add constraint no_bad check (email is distinct from '${bad}')`),
    );
    const held = await holdWrites(core.database.connection);
    const sizes = () => metric(core, 'carryover_batch_size_sum', { operation: 'put-password-user' });
    const before = await sizes();
    const emails = Array.from({ length: 60 }, (_, i) => (i === 37 ? bad : newEmail()));
    const requests = emails.map((email) => sendImport(core, email));
    // The lanes are held: other arrivals form one batch, which includes the bad one.
    await held.waiting(1);
    await held.release();
    const answers = await Promise.all(requests);

    expect(answers.flatMap(({ http }, i) => (http === 200 ? [] : [[i, http]]))).toEqual([[37, 500]]);
    expect(answers[37]?.body).toEqual({
      status: 'INTERNAL_ERROR',
      message: expect.stringMatching(/^Internal error: [0-9a-f-]{36}$/) as string,
    });
    expect(await count()).toBe(59);
    expect(await sizes()).toBe(before + 59);
    expect(await metric(core, 'carryover_batch_backlog')).toBe(0);
  });
});
