import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import type { User } from '../../src/domain/model.ts';
import type { Answer } from '../helpers/core.ts';
import { startTestCore, type TestCore, testApiKey } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { coreId, importUser, newApp, newEmail, newTenant, refusalOf } from '../helpers/people.ts';

interface Code {
  readonly preAuthSessionId: string;
  readonly codeId: string;
  readonly deviceId: string;
  readonly userInputCode: string;
  readonly linkCode: string;
  readonly timeCreated: number;
  readonly codeLifetime: number;
}

interface Consumed {
  readonly status: string;
  readonly createdNewUser: boolean;
  readonly user: User;
  readonly recipeUserId: string;
  readonly failedCodeInputAttemptCount?: number;
}

const minuteMs = 60_000;
const restart = { status: 'RESTART_FLOW_ERROR' };
let now = 1_700_000_000_000;
let core: TestCore;
/** A second core on the same database, which alone decides between the two. */
let other: TestCore;
let app: string;
beforeAll(async () => {
  const overrides = { now: () => now };
  core = await startTestCore({ overrides });
  other = await startTestCore({ overrides, database: core.database });
});
afterAll(async () => {
  await other.close();
  await core.stop();
});
beforeEach(async () => {
  now += 60 * minuteMs;
  app = await newApp(core);
});

const path = '/recipe/signinup/code';
const post = (route: string, input: object, prefix = app, to = core): Promise<Answer> =>
  to.post(`${prefix}${route}`, input);

async function newCode(input: object, prefix = app): Promise<Code> {
  const { http, body } = await post(path, input, prefix);
  expect([http, body.status]).toEqual([200, 'OK']);
  return body as unknown as Code;
}

const typed = ({ deviceId, preAuthSessionId, userInputCode }: Code) => ({
  deviceId,
  preAuthSessionId,
  userInputCode,
});
const linked = ({ preAuthSessionId, linkCode }: Code) => ({ preAuthSessionId, linkCode });
const wrong = (code: Code) => ({
  ...typed(code),
  userInputCode: code.userInputCode === '000000' ? '000001' : '000000',
});

async function answered(route: string, input: object, prefix = app): Promise<Answer['body']> {
  const { http, body } = await post(route, input, prefix);
  expect([http, body]).toEqual([200, body]);
  return body;
}

const consume = (input: object, prefix = app) =>
  answered(`${path}/consume`, input, prefix) as Promise<unknown> as Promise<Consumed>;
const check = (input: object) => answered(`${path}/check`, input);

async function devices(query: Record<string, string>, prefix = app) {
  const { http, body } = await core.get(`${prefix}/recipe/signinup/codes`, query);
  expect([http, body.status]).toEqual([200, 'OK']);
  return body.devices as { preAuthSessionId: string; codes: { codeId: string }[] }[];
}

async function put(input: object, rid = 'passwordless') {
  const response = await fetch(`${core.url}${app}/recipe/user`, {
    method: 'PUT',
    headers: { 'api-key': testApiKey, rid },
    body: JSON.stringify(input),
  });
  return { http: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Signs up by a code. */
async function signUp(contact: object, prefix = app): Promise<Consumed> {
  const made = await consume(typed(await newCode(contact, prefix)), prefix);
  expect(made).toMatchObject({ status: 'OK', createdNewUser: true });
  return made;
}

describe('a code', () => {
  test('is made with what the interface gives, and neither it nor the device can be read from the database', async () => {
    const code = await newCode({ email: ' Ada@Example.com ' });
    expect(code).toEqual({
      status: 'OK',
      preAuthSessionId: createHash('sha256').update(Buffer.from(code.deviceId, 'base64')).digest('base64url'),
      codeId: expect.stringMatching(/^[\da-f-]{36}$/) as string,
      deviceId: expect.stringMatching(/^[\w+/]{43}=$/) as string,
      userInputCode: expect.stringMatching(/^\d{6}$/) as string,
      linkCode: expect.stringMatching(/^[\w-]{43}$/) as string,
      timeCreated: now,
      codeLifetime: 15 * minuteMs,
    });
    await withSql(core.database.connection, async (sql) => {
      const rows = [
        ...(await sql`select * from passwordless_devices`),
        ...(await sql`select * from passwordless_codes`),
      ];
      const stored = JSON.stringify(rows, (_key, value: unknown) =>
        typeof value === 'object' && value !== null && 'data' in value
          ? Buffer.from(value.data as number[]).toString('hex')
          : value,
      );
      const ids = [code.deviceId, code.linkCode].map((text) => Buffer.from(text, 'base64').toString('hex'));
      expect(stored).toContain('ada@example.com');
      for (const secret of [...ids, `"${code.userInputCode}"`]) expect(stored).not.toContain(secret);
    });
  });

  test('may be the one that is given, and is then out once on a device', async () => {
    const first = await newCode({ email: 'a@b.test', userInputCode: 'my code' });
    expect(first.userInputCode).toBe('my code');
    const { deviceId } = first;
    const used = { status: 'USER_INPUT_CODE_ALREADY_USED_ERROR' };
    expect(await answered(path, { deviceId, userInputCode: 'my code' })).toEqual(used);
    const second = await newCode({ deviceId, userInputCode: 'another' });
    expect([second.deviceId, second.preAuthSessionId]).toEqual([deviceId, first.preAuthSessionId]);
    const listed = await devices({ deviceId });
    expect(listed[0]?.codes.map(({ codeId }) => codeId).toSorted()).toEqual(
      [first.codeId, second.codeId].toSorted(),
    );
    expect(await check(typed(first))).toMatchObject({ status: 'OK' });
    expect(await consume(linked(second))).toMatchObject({ status: 'OK', createdNewUser: true });
    expect(await answered(path, { deviceId })).toEqual(restart);
  });

  const one = 'Please provide exactly one of email, phoneNumber or deviceId';
  test.each([
    [{}, one],
    [{ email: 'a@b.test', phoneNumber: '+441' }, one],
    [{ email: null, phoneNumber: null }, one],
    [{ email: 'a@b.test', userInputCode: '' }, 'userInputCode cannot be an empty string.'],
    [{ deviceId: 'no base 64' }, 'Input encoding error in deviceId'],
  ])('is not made of %j', async (input, message) => {
    expect(refusalOf(await post(path, input))).toEqual([400, 'INVALID_FIELD', message]);
  });

  test('is not made for a device of another tenant', async () => {
    const { deviceId } = await newCode({ email: 'a@b.test' });
    expect(await answered(path, { deviceId }, await newTenant(core, app))).toEqual(restart);
  });
});

describe('consuming a code', () => {
  it('signs up, and the next one signs in, by what was typed and by the link', async () => {
    const email = newEmail();
    const made = await signUp({ email });
    expect(made).toEqual({
      status: 'OK',
      createdNewUser: true,
      recipeUserId: made.user.id,
      user: {
        id: expect.stringMatching(coreId) as string,
        isPrimaryUser: false,
        tenantIds: ['public'],
        timeJoined: now,
        emails: [email],
        phoneNumbers: [],
        thirdParty: [],
        webauthn: { credentialIds: [] },
        loginMethods: [
          {
            recipeId: 'passwordless',
            recipeUserId: made.user.id,
            tenantIds: ['public'],
            timeJoined: now,
            verified: true,
            email,
          },
        ],
      },
      consumedDevice: {
        preAuthSessionId: expect.any(String) as string,
        failedCodeInputAttemptCount: 0,
        email,
      },
    });
    const again = await consume(linked(await newCode({ email })));
    expect(again).toMatchObject({ status: 'OK', createdNewUser: false, recipeUserId: made.recipeUserId });
    expect(again.user).toEqual(made.user);
    expect((await core.get(`${app}/user/id`, { userId: made.user.id })).body.user).toEqual(made.user);
  });

  it('takes a phone number in any spelling for one', async () => {
    const made = await signUp({ phoneNumber: '+44 (0)20 7946-0018' });
    expect(made.user.phoneNumbers).toEqual(['+442079460018']);
    const again = await consume(typed(await newCode({ phoneNumber: '+442079460018' })));
    expect(again).toMatchObject({ createdNewUser: false, user: made.user });
    expect((await core.get(`${app}/user/id`, { userId: made.user.id })).body.user).toEqual(made.user);
  });

  it('spends all codes of the contact, and of no other', async () => {
    const email = newEmail();
    const codes = [await newCode({ email }), await newCode({ email })] as const;
    const others = await newCode({ email: newEmail() });
    const elsewhere = await newTenant(core, app);
    const there = await newCode({ email }, elsewhere);
    await consume(linked(codes[0]));
    for (const code of codes) {
      expect(await consume(linked(code))).toEqual(restart);
      expect(await consume(typed(code))).toEqual(restart);
    }
    expect(await check(typed(others))).toMatchObject({ status: 'OK' });
    expect(await consume(typed(there), elsewhere)).toMatchObject({ createdNewUser: true });
  });

  it('keeps users of other recipes with the same email apart', async () => {
    const email = newEmail();
    const withPassword = await importUser(core, email, app);
    const { user } = await signUp({ email });
    expect(user.id).not.toBe(withPassword.id);
  });

  const either = 'Please provide exactly one of linkCode or deviceId+userInputCode';
  test.each([
    [{ preAuthSessionId: 'x' }, either],
    [{ preAuthSessionId: 'x', deviceId: 'AAAA' }, either],
    [{ preAuthSessionId: 'x', deviceId: 'AAAA', userInputCode: '1', linkCode: 'AAAA' }, either],
    [{ preAuthSessionId: 'x', linkCode: 'a+b' }, 'Input encoding error in linkCode'],
    [{ preAuthSessionId: 'x', deviceId: 'a b', userInputCode: '1' }, 'Input encoding error in deviceId'],
  ])('refuses %j', async (input, message) => {
    for (const route of ['consume', 'check'])
      expect(refusalOf(await post(`${path}/${route}`, input))).toEqual([400, 'INVALID_FIELD', message]);
  });

  it('refuses a device and a session that are not of each other, once the device is known', async () => {
    const [a, b] = [await newCode({ email: newEmail() }), await newCode({ email: newEmail() })];
    const message = "preAuthSessionId and deviceId doesn't match";
    const { preAuthSessionId } = b;
    for (const input of [
      { ...typed(a), preAuthSessionId },
      { ...linked(a), preAuthSessionId },
    ])
      expect(refusalOf(await post(`${path}/consume`, input))).toEqual([400, 'INVALID_FIELD', message]);
    const unknown = { ...typed(a), deviceId: randomBytes(32).toString('base64') };
    expect(await consume(unknown)).toEqual(restart);
    expect(await consume({ ...linked(a), preAuthSessionId: `${a.preAuthSessionId}=` })).toMatchObject({
      status: 'OK',
    });
  });

  it('counts wrong codes, by check too, and ends the device with the last that is allowed', async () => {
    const code = await newCode({ email: newEmail() });
    for (const failed of [1, 2, 3, 4]) {
      expect(await (failed % 2 === 0 ? check : consume)(wrong(code))).toEqual({
        status: 'INCORRECT_USER_INPUT_CODE_ERROR',
        failedCodeInputAttemptCount: failed,
        maximumCodeInputAttempts: 5,
      });
    }
    expect(await check(typed(code))).toMatchObject({ consumedDevice: { failedCodeInputAttemptCount: 4 } });
    expect(await consume(wrong(code))).toEqual(restart);
    expect(await consume(typed(code))).toEqual(restart);
    expect(await devices({ deviceId: code.deviceId })).toEqual([]);
  });

  it('says of a code that it is too old, as the tenant has set it', async () => {
    const tenant = await newTenant(core, app, {
      passwordless_code_lifetime: 1000,
      passwordless_max_code_input_attempts: '2',
    });
    const code = await newCode({ email: newEmail() }, tenant);
    expect(code.codeLifetime).toBe(1000);
    now += 1001;
    expect(await consume(linked(code), tenant)).toEqual(restart);
    expect(await consume(typed(code), tenant)).toEqual({
      status: 'EXPIRED_USER_INPUT_CODE_ERROR',
      failedCodeInputAttemptCount: 1,
      maximumCodeInputAttempts: 2,
    });
    expect(await consume(typed(code), tenant)).toEqual(restart);
    expect(await devices({ deviceId: code.deviceId }, tenant)).toEqual([]);
  });

  it('knows no code of another tenant', async () => {
    const code = await newCode({ email: newEmail() });
    const tenant = await newTenant(core, app);
    expect(await consume(linked(code), tenant)).toEqual(restart);
    expect(await consume(typed(code), tenant)).toEqual(restart);
    expect(await check(typed(code))).toMatchObject({ status: 'OK' });
  });
});

describe('imported users', () => {
  const importRecord = async (record: object): Promise<void> => {
    expect((await post('/bulk-import/import', record)).body).toMatchObject({ status: 'OK' });
  };

  it('sign in by the email and the phone number that they came with', async () => {
    const email = newEmail();
    const phoneNumber = '+442079460018';
    const both = { recipeId: 'passwordless', email, phoneNumber };
    await importRecord({ externalUserId: 'theirs', loginMethods: [both] });
    const byMail = await consume(typed(await newCode({ email })));
    expect(byMail).toMatchObject({ createdNewUser: false, recipeUserId: 'theirs', user: { id: 'theirs' } });
    expect(byMail.user.loginMethods[0]).toMatchObject({ verified: true, email, phoneNumber });
    const sms = await newCode({ phoneNumber: ' +44 20 7946 0018' });
    const mail = await newCode({ email });
    expect(await consume(linked(sms))).toMatchObject({ createdNewUser: false, recipeUserId: 'theirs' });
    expect(await consume(linked(mail))).toEqual(restart);
  });

  it('do not sign in while they are disabled or held, and no user is made', async () => {
    const email = newEmail();
    await importRecord({
      externalUserId: 'x',
      isDisabled: true,
      loginMethods: [{ recipeId: 'passwordless', email }],
    });
    const refused = { status: 'SIGN_IN_NOT_ALLOWED', reason: 'The sign-in was refused' };
    expect(await consume(typed(await newCode({ email })))).toEqual(refused);
    await core.put(`${app}/user/restrictions`, { userId: 'x', isDisabled: false });
    expect(await consume(typed(await newCode({ email })))).toMatchObject({ recipeUserId: 'x' });
  });
});

describe('at the same time', () => {
  const each = <T>(work: (to: TestCore, n: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: 20 }, (_, n) => work(n % 2 === 0 ? core : other, n)));

  test('one of many consumptions of a code wins, by either way', async () => {
    const code = await newCode({ email: newEmail() });
    const answers = await each((to, n) =>
      post(`${path}/consume`, n % 3 === 0 ? linked(code) : typed(code), app, to),
    );
    const words = answers.map(({ body }) => body.status);
    expect(words.filter((word) => word === 'OK')).toHaveLength(1);
    expect(words.filter((word) => word === 'RESTART_FLOW_ERROR')).toHaveLength(19);
  });

  test('one of the codes of a contact wins, without a deadlock', async () => {
    const email = newEmail();
    const codes = await Promise.all(Array.from({ length: 20 }, () => newCode({ email })));
    const answers = await Promise.all(
      codes.map((code, n) => post(`${path}/consume`, linked(code), app, n % 2 === 0 ? core : other)),
    );
    expect(answers.filter(({ body }) => body.status === 'OK')).toHaveLength(1);
    expect(answers.every(({ http }) => http === 200)).toBe(true);
    expect(await devices({ email })).toEqual([]);
  });

  test('as many guesses are judged as may be', async () => {
    const code = await newCode({ email: newEmail() });
    const answers = await each((to) => post(`${path}/check`, wrong(code), app, to));
    const counts = answers.flatMap(({ body }) => body.failedCodeInputAttemptCount ?? []);
    expect(counts.toSorted()).toEqual([1, 2, 3, 4]);
    expect(answers.filter(({ body }) => body.status === 'RESTART_FLOW_ERROR')).toHaveLength(16);
  });

  test('first sign-ins by codes of two devices make one user', async () => {
    const [email, prefix] = [newEmail(), app];
    for (let n = 0; n < 5; n++) {
      const codes = [await newCode({ email }), await newCode({ email })];
      await Promise.all(
        codes.map((code, i) => post(`${path}/consume`, typed(code), prefix, [core, other][i])),
      );
    }
    const { body } = await core.get(`${app}/users/by-accountinfo`, { email });
    expect(body.users).toHaveLength(1);
  });

  test('codes that are added while the contact signs in go with their device', async () => {
    const email = newEmail();
    const code = await newCode({ email });
    await each((to, n) =>
      n === 7
        ? post(`${path}/consume`, linked(code), app, to)
        : post(path, { deviceId: code.deviceId }, app, to),
    );
    await withSql(core.database.connection, async (sql) => {
      const left = await sql`select 1 from passwordless_codes c where not exists (
        select 1 from passwordless_devices d where d.device_hash = c.device_hash)`;
      expect(left).toHaveLength(0);
    });
    expect(await devices({ email })).toEqual([]);
  });

  test('the removals of the two codes of a device take it along', async () => {
    for (let n = 0; n < 10; n++) {
      const first = await newCode({ email: newEmail() });
      const second = await newCode({ deviceId: first.deviceId });
      await Promise.all(
        [first, second].map(({ codeId }, i) => post(`${path}/remove`, { codeId }, app, [core, other][i])),
      );
      expect(await answered(path, { deviceId: first.deviceId })).toEqual(restart);
    }
  });
});

describe('lists and removals', () => {
  it('find devices by each of their names', async () => {
    const email = newEmail();
    const code = await newCode({ email });
    await newCode({ email });
    await check(wrong(code));
    const { preAuthSessionId, deviceId, codeId, timeCreated, codeLifetime } = code;
    const codes = [{ codeId, timeCreated, codeLifetime }];
    const device = { preAuthSessionId, failedCodeInputAttemptCount: 1, email, codes };
    expect(await devices({ deviceId })).toEqual([device]);
    expect(await devices({ preAuthSessionId })).toEqual([device]);
    expect(await devices({ email: email.toUpperCase() })).toHaveLength(2);
    const { preAuthSessionId: ofPhone } = await newCode({ phoneNumber: '+442079460018' });
    expect(await devices({ phoneNumber: '+44 20 7946 0018' })).toMatchObject([
      { preAuthSessionId: ofPhone, phoneNumber: '+442079460018' },
    ]);
    now += 60 * minuteMs;
    expect(await devices({ deviceId })).toEqual([device]);
    for (const query of [{ email: newEmail() }, { preAuthSessionId: 'no such' }, { deviceId: 'AAAA' }])
      expect(await devices(query as Record<string, string>)).toEqual([]);
    expect(await devices({ email }, await newTenant(core, app))).toEqual([]);
  });

  test('names that are missing, double or no base64 are refused', async () => {
    const get = async (query: Record<string, string>) =>
      refusalOf(await core.get(`${app}/recipe/signinup/codes`, query));
    const message = 'Please provide exactly one of email, phoneNumber, deviceId or preAuthSessionId';
    expect(await get({})).toEqual([400, 'INVALID_FIELD', message]);
    expect(await get({ email: 'a@b.test', deviceId: 'AAAA' })).toEqual([400, 'INVALID_FIELD', message]);
    expect((await get({ deviceId: 'a b' }))[2]).toBe('Input encoding error in deviceId');
    const remove = async (route: string, input: object) => refusalOf(await post(route, input))[2];
    const names = "'codeId' or 'preAuthSessionId'";
    expect(await remove(`${path}/remove`, {})).toBe(`Please provide either ${names}`);
    expect(await remove(`${path}/remove`, { codeId: 'a', preAuthSessionId: 'b' })).toBe(
      `Please provide only one of ${names}`,
    );
    for (const input of [{}, { email: 'a@b.test', phoneNumber: '+1' }])
      expect(await remove('/recipe/signinup/codes/remove', input)).toBe(
        'Please provide exactly one of email or phoneNumber',
      );
  });

  test('a code is removed alone, the last with its device, a device and a contact with all', async () => {
    const email = newEmail();
    const ok = { status: 'OK' };
    const first = await newCode({ email });
    const second = await newCode({ deviceId: first.deviceId });
    const { codeId, deviceId } = first;
    expect(await answered(`${path}/remove`, { codeId }, await newTenant(core, app))).toEqual(ok);
    expect(await check(typed(first))).toMatchObject(ok);
    expect(await answered(`${path}/remove`, { codeId })).toEqual(ok);
    expect(await check(typed(first))).toMatchObject({ status: 'INCORRECT_USER_INPUT_CODE_ERROR' });
    expect(await check(typed(second))).toMatchObject(ok);
    expect(await answered(`${path}/remove`, { codeId: second.codeId })).toEqual(ok);
    expect(await answered(path, { deviceId })).toEqual(restart);
    const third = await newCode({ email });
    const { preAuthSessionId } = third;
    expect(await answered(`${path}/remove`, { preAuthSessionId })).toEqual(ok);
    expect(await devices({ preAuthSessionId })).toEqual([]);
    await newCode({ email });
    await newCode({ email });
    const phone = await newCode({ phoneNumber: '+442079460018' });
    expect(await answered('/recipe/signinup/codes/remove', { email })).toEqual(ok);
    expect(await devices({ email })).toEqual([]);
    expect(await check(typed(phone))).toMatchObject(ok);
    expect(await answered('/recipe/signinup/codes/remove', { phoneNumber: '+44 2079460018' })).toEqual(ok);
    expect(await check(typed(phone))).toEqual(restart);
    for (const unknown of [{ codeId: 'no uuid' }, { preAuthSessionId: '!' }])
      expect(await answered(`${path}/remove`, unknown)).toEqual(ok);
  });

  test('a user who is removed leaves no code', async () => {
    const email = newEmail();
    const { user } = await signUp({ email });
    const code = await newCode({ email });
    await answered('/user/remove', { userId: user.id });
    expect(await consume(typed(code))).toEqual(restart);
    expect(await signUp({ email })).toMatchObject({ createdNewUser: true });
  });
});

describe('the contacts of a user', () => {
  const ok = { http: 200, body: { status: 'OK' } };
  const status = (word: string) => ({ http: 200, body: { status: word } });

  it('are replaced, added and cleared, and found by what they are now', async () => {
    const [email, next, phoneNumber] = [newEmail(), newEmail(), '+442079460018'];
    const { recipeUserId } = await signUp({ email });
    expect(
      await put({ recipeUserId, email: ` ${next.toUpperCase()}`, phoneNumber: '+44 20 7946 0018' }),
    ).toEqual(ok);
    const [sms, mail] = [await newCode({ phoneNumber }), await newCode({ email: next })];
    const bySms = await consume(linked(sms));
    expect(bySms).toMatchObject({ createdNewUser: false, recipeUserId });
    expect(bySms.user).toMatchObject({ emails: [next], phoneNumbers: [phoneNumber] });
    expect(bySms.user.loginMethods[0]).toMatchObject({ verified: false });
    expect(await consume(linked(mail))).toEqual(restart);
    const byMail = await consume(typed(await newCode({ email: next })));
    expect(byMail.user.loginMethods[0]).toMatchObject({ recipeUserId, verified: true });
    expect(await put({ recipeUserId, email: null })).toEqual(ok);
    expect((await signUp({ email: next })).recipeUserId).not.toBe(recipeUserId);
    expect((await signUp({ email })).recipeUserId).not.toBe(recipeUserId);
    expect(await consume(typed(await newCode({ phoneNumber })))).toMatchObject({ recipeUserId });
    const third = newEmail();
    expect(await put({ recipeUserId, email: third, phoneNumber: null })).toEqual(ok);
    expect(await consume(typed(await newCode({ email: third })))).toMatchObject({ recipeUserId });
  });

  it('take the codes along that are out for what they were and are', async () => {
    const [email, next] = [newEmail(), newEmail()];
    const { recipeUserId } = await signUp({ email });
    const codes = [await newCode({ email }), await newCode({ email: next })];
    expect(await put({ recipeUserId, email: next })).toEqual(ok);
    for (const code of codes) expect(await consume(typed(code))).toEqual(restart);
    const kept = await newCode({ email: next });
    expect(await put({ recipeUserId, email: next })).toEqual(ok);
    expect(await consume(typed(kept))).toMatchObject({ recipeUserId });
  });

  it('are refused if another user has them, and nothing changes then', async () => {
    const [email, taken, phoneNumber] = [newEmail(), newEmail(), '+442079460018'];
    await signUp({ email: taken });
    await signUp({ phoneNumber });
    const { recipeUserId } = await signUp({ email });
    expect(await put({ recipeUserId, email: taken })).toEqual(status('EMAIL_ALREADY_EXISTS_ERROR'));
    const both = { recipeUserId, email: newEmail(), phoneNumber };
    expect(await put(both)).toEqual(status('PHONE_NUMBER_ALREADY_EXISTS_ERROR'));
    expect(await consume(typed(await newCode({ email })))).toMatchObject({ recipeUserId });
    expect(await put({ recipeUserId, email: null, phoneNumber: null })).toMatchObject({
      http: 400,
      body: { message: 'You cannot clear both email and phone number of a user' },
    });
    expect(await put({ recipeUserId, email: null })).toMatchObject({ http: 400 });
  });

  it('are given to one of many who ask for them', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => signUp({ email: newEmail() })));
    const email = newEmail();
    const answers = await Promise.all(people.map(({ recipeUserId }) => put({ recipeUserId, email })));
    expect(answers.map(({ body }) => body.status).toSorted()).toEqual([
      ...people.slice(1).map(() => 'EMAIL_ALREADY_EXISTS_ERROR'),
      'OK',
    ]);
  });

  it('may not become those of another primary user', async () => {
    const [email, phoneNumber] = [newEmail(), '+442079460018'];
    const taken = { recipeId: 'passwordless', email, phoneNumber, isPrimary: true };
    const records = [
      { externalUserId: 'other', loginMethods: [taken] },
      {
        externalUserId: 'one',
        loginMethods: [{ recipeId: 'passwordless', email: newEmail(), isPrimary: true }],
      },
    ];
    for (const record of records)
      expect((await post('/bulk-import/import', record)).body).toMatchObject({ status: 'OK' });
    expect(await put({ recipeUserId: 'one', email })).toEqual({
      http: 200,
      body: {
        status: 'EMAIL_CHANGE_NOT_ALLOWED_ERROR',
        reason: 'New email is associated with another primary user ID',
      },
    });
    expect(await put({ recipeUserId: 'one', phoneNumber })).toEqual({
      http: 200,
      body: {
        status: 'PHONE_NUMBER_CHANGE_NOT_ALLOWED_ERROR',
        reason: 'New phone number is associated with another primary user ID',
      },
    });
  });

  it('are those of the recipe that the header names', async () => {
    const withPassword = await importUser(core, newEmail(), app);
    const { recipeUserId } = await signUp({ email: newEmail() });
    const unknown = status('UNKNOWN_USER_ID_ERROR');
    expect(await put({ recipeUserId: withPassword.id, email: newEmail() })).toEqual(unknown);
    expect(await put({ recipeUserId: 'nobody', email: newEmail() })).toEqual(unknown);
    for (const rid of ['emailpassword', 'anything'])
      expect(await put({ recipeUserId, email: newEmail() }, rid)).toEqual(unknown);
    expect(await put({ recipeUserId: withPassword.id, email: newEmail() }, 'emailpassword')).toEqual(ok);
    expect(await put({ recipeUserId, phoneNumber: null }, 'passwordless')).toEqual(ok);
  });
});
