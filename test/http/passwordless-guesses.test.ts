/** Codes that are guessed over many devices, and invalid contacts. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { newApp, newEmail } from '../helpers/people.ts';

let now = 1_700_000_000_000;
let core: TestCore;
let app: string;
beforeAll(async () => {
  core = await startTestCore({ overrides: { now: () => now } });
});
afterAll(() => core.stop());
beforeEach(async () => {
  now += 86_400_000;
  app = await newApp(core);
});

interface Code {
  readonly preAuthSessionId: string;
  readonly deviceId: string;
  readonly userInputCode: string;
}

const path = '/recipe/signinup/code';
const newCode = async (contact: object): Promise<Code> =>
  (await core.post(`${app}${path}`, contact)).body as unknown as Code;
async function send(method: string, route: string, input: object, headers: Record<string, string>) {
  const response = await fetch(`${core.url}${app}${route}`, {
    method,
    headers: { 'api-key': testApiKey, ...headers },
    body: JSON.stringify(input),
  });
  return { http: response.status, body: (await response.json()) as Record<string, unknown> };
}
const use = ({ preAuthSessionId, deviceId }: Code, userInputCode: string, address?: string) =>
  send(
    'POST',
    `${path}/consume`,
    { preAuthSessionId, deviceId, userInputCode },
    address === undefined
      ? {}
      : {
          'carryover-client-address': address,
        },
  );
const wrongFor = ({ userInputCode }: Code, n: number) => `${userInputCode}${n}`;

describe('wrong codes', () => {
  test.each([
    ['an email', () => ({ email: newEmail() })],
    ['a phone number', () => ({ phoneNumber: '+442079460018' })],
  ])('for %s are counted over all devices, by contact and address', async (_what, contactOf) => {
    const contact = contactOf();
    const codes: Code[] = [];
    for (let n = 0; n < 150; n++) codes.push(await newCode(contact));
    const answers = await Promise.all(
      codes.flatMap((code) => [1, 2, 3, 4].map((n) => use(code, wrongFor(code, n), '203.0.113.7'))),
    );
    const judged = answers.filter(({ body }) => body.status === 'INCORRECT_USER_INPUT_CODE_ERROR');
    expect(judged.length).toBeLessThanOrEqual(10);
    expect(answers.some(({ http, body }) => http === 429 && body.status === 'TOO_MANY_GUESSES')).toBe(true);
    // The owner types a code elsewhere.
    const own = await newCode(contact);
    expect((await use(own, own.userInputCode, '198.51.100.4')).body.status).toBe('OK');
  });

  test('leave alone who types a right one, however often', async () => {
    const email = newEmail();
    for (let n = 0; n < 30; n++) {
      const code = await newCode({ email });
      expect((await use(code, code.userInputCode, '203.0.113.8')).body.status).toBe('OK');
    }
  });
});

describe('the devices of a contact', () => {
  const open = async (email: string) =>
    ((await core.get(`${app}/recipe/signinup/codes`, { email })).body.devices as Code[]).map(
      ({ preAuthSessionId }) => preAuthSessionId,
    );

  test('are 20 at most, and those with wrong codes end before one that waits for its person', async () => {
    const email = newEmail();
    const own = await newCode({ email });
    const guessed: Code[] = [];
    for (let n = 0; n < 30; n++) {
      now += 1000;
      const code = await newCode({ email });
      guessed.push(code);
      await use(code, wrongFor(code, 1), `203.0.113.${n + 10}`);
    }
    expect(await open(email)).toHaveLength(20);
    expect(await open(email)).toContain(own.preAuthSessionId);
    expect((await use(own, own.userInputCode, '198.51.100.4')).body.status).toBe('OK');
  });
});

describe('a contact without a letter or digit', () => {
  const blanks = ['', ' ', '  ', '\t\n', '\u00a0', '\u200b', '\u3000', ' - ', '+'];

  test.each(blanks)('is refused by each route: %j', async (phoneNumber) => {
    const user = await newCode({ phoneNumber: '+442079460018' });
    const { body } = await use(user, user.userInputCode);
    const { recipeUserId } = body as unknown as { recipeUserId: string };
    const answers = [
      await core.post(`${app}${path}`, { phoneNumber }),
      await core.post(`${app}/recipe/signinup/codes/remove`, { phoneNumber }),
      await send('PUT', '/recipe/user', { recipeUserId, phoneNumber }, { rid: 'passwordless' }),
      await core.post(`${app}${path}`, { email: phoneNumber }),
      await core.post(`${app}/bulk-import/import`, {
        loginMethods: [{ recipeId: 'passwordless', phoneNumber }],
      }),
      await core.post(`${app}/bulk-import/users`, {
        users: [{ loginMethods: [{ recipeId: 'passwordless', phoneNumber }] }],
      }),
    ];
    expect(answers.map(({ http }) => http)).toEqual([400, 400, 400, 400, 400, 400]);
    expect((await core.get(`${app}/users/count`, {})).body.count).toBe(1);
  });
});

test('a phone number finds its user in any spelling', async () => {
  const code = await newCode({ phoneNumber: '+15550100888' });
  const { user } = (await use(code, code.userInputCode)).body as unknown as { user: { id: string } };
  for (const phoneNumber of ['+15550100888', '+1 555 010 0888', ' +1 (555) 010-0888', '+1-555-010-0888']) {
    const { body } = await core.get(`${app}/users/by-accountinfo`, {
      phoneNumber,
      doUnionOfAccountInfo: 'false',
    });
    expect((body.users as { id: string }[]).map(({ id }) => id)).toEqual([user.id]);
    const found = await core.get(`${app}/users`, { phone: phoneNumber });
    expect((found.body.users as { id: string }[]).map(({ id }) => id)).toEqual([user.id]);
  }
  expect((await core.get(`${app}/users`, { phone: '+1 555 01' })).body.users).toHaveLength(1);
  expect((await core.get(`${app}/users/by-accountinfo`, { phoneNumber: ' ' })).body.users).toEqual([]);
});
