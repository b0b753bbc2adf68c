/** Users as support sees them: masked, with the reasons why a sign-in may fail. */
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reasons } from '../../src/features/console/why.ts';
import type { User } from '../../src/domain/model.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { type ConsoleClient, signIn } from './client.ts';

const hash = '$2b$10$oCMUe0TXvCSGjlGT.6BjWOZ14WovNjg3HCl2rKyTCGf5buWWPnVm.';
const password = 'correct horse battery staple';
const readKey = 'a-key-that-may-only-read-here';
let core: TestCore;
let page: ConsoleClient;
beforeAll(async () => {
  core = await startTestCore();
  page = await signIn(core);
});
afterAll(() => core.stop());

async function importUsers(records: readonly object[], into = core): Promise<string> {
  const body = records.map((each) => JSON.stringify(each)).join('\n');
  const response = await fetch(`${into.url}/bulk-import/jobs`, {
    method: 'PUT',
    headers: { 'api-key': into.apiKey, 'content-type': 'application/x-ndjson' },
    body,
  });
  const { job } = (await response.json()) as { job: { id: string; rejected: number } };
  expect(job.rejected).toBe(0);
  return job.id;
}

const person = (id: string, method: object = {}, rest: object = {}) => ({
  externalUserId: id,
  loginMethods: [{ recipeId: 'emailpassword', email: `${id}@example.com`, passwordHash: hash, ...method }],
  ...rest,
});

interface Shown {
  readonly user: User;
  readonly methods: readonly Record<string, unknown>[];
  readonly reasons: readonly { weight: string; text: string; cure?: string }[];
  readonly history: readonly { what: string; details: Record<string, unknown> }[];
}

const show = async (userId: string): Promise<Shown> => {
  const { body } = await page.send(`/console/user?userId=${encodeURIComponent(userId)}`);
  return body as unknown as Shown;
};

describe('a user', () => {
  it('is found by an id, or the beginning of an email, and is masked', async () => {
    await importUsers([person('frida'), person('franz')]);
    for (const text of ['frida', 'FRIDA@exa']) {
      const { body, text: raw } = await page.send(`/console/users?text=${text}`);
      expect(body.users).toMatchObject([
        { id: 'frida', emails: ['f…@e….com'], loginMethods: [{ email: 'f…@e….com' }] },
      ]);
      expect(raw).not.toContain('frida@');
    }
    expect((await page.send('/console/users?text=fr')).body.users).toHaveLength(2);
    const first = await page.send('/console/users?limit=1');
    expect(first.body.users).toHaveLength(1);
    const token = encodeURIComponent(String(first.body.nextPaginationToken));
    const next = await page.send(`/console/users?limit=1&paginationToken=${token}`);
    expect(next.body.users).not.toEqual(first.body.users);
  });

  it('is found by a whole email or phone number alone, where others begin with it', async () => {
    const byPhone = (id: string, phoneNumber: string) => ({
      externalUserId: id,
      loginMethods: [{ recipeId: 'passwordless', phoneNumber }],
    });
    await importUsers([
      person('ivan'),
      person('ivana', { email: 'ivan@example.com.au' }),
      byPhone('judy', '+441234567'),
      byPhone('judith', '+4412345678'),
    ]);
    const foundBy = async (text: string) =>
      ((await page.send(`/console/users?text=${encodeURIComponent(text)}`)).body.users as User[])
        .map(({ id }) => id)
        .sort();
    expect(await foundBy(' Ivan@example.com ')).toEqual(['ivan']);
    expect(await foundBy('ivan@example.')).toEqual(['ivan', 'ivana']);
    expect(await foundBy('+44 1234567')).toEqual(['judy']);
    expect(await foundBy('+44 123456')).toEqual(['judith', 'judy']);
  });

  it('is shown with its import, its kind of hash, and no hash', async () => {
    const job = await importUsers([person('grace')]);
    const shown = await show('grace');
    expect(shown.methods).toMatchObject([{ id: 'grace', importJob: job, hashKind: 'bcrypt', refusals: 0 }]);
    expect(JSON.stringify(shown)).not.toContain(hash);
    expect(JSON.stringify(shown)).not.toContain('grace@');
  });

  it('is shown in full to those who ask, and the audit log says so', async () => {
    await importUsers([person('heidi')]);
    const { body } = await page.send('/console/user/reveal', { method: 'POST', body: { userId: 'heidi' } });
    expect(body.user).toMatchObject({ emails: ['heidi@example.com'] });
    const { history } = await show('heidi');
    expect(history).toMatchObject([{ what: 'user.reveal', details: { userId: 'heidi' } }]);
  });

  it('who is unknown is no error', async () => {
    for (const userId of ['unknown', '00000000-0000-0000-0000-000000000000'])
      expect(await show(userId)).toEqual({ status: 'UNKNOWN_USER_ID_ERROR' });
  });

  it('has a history in which emails are masked', async () => {
    await core.post('/recipe/dashboard/user', {
      email: 'ops@example.com',
      password: 'a password with 1 number',
    });
    const { body, text } = await page.send('/console/history');
    expect(body.entries).toContainEqual(
      expect.objectContaining({ what: 'dashboard-user.add', details: { email: 'o…@e….com' } }) as object,
    );
    expect(text).not.toContain('ops@example');
  });
});

describe('why a user cannot sign in', () => {
  it('says what stops it, what may, and what is fine', async () => {
    await importUsers([
      person('disabled', {}, { isDisabled: true }),
      person('linked', {}, {}),
      {
        externalUserId: 'social',
        loginMethods: [
          {
            recipeId: 'thirdparty',
            thirdPartyId: 'google',
            thirdPartyUserId: 'g1',
            email: 's@example.com',
            isVerified: true,
          },
        ],
      },
    ]);
    expect((await show('disabled')).reasons[0]).toMatchObject({
      weight: 'stops',
      text: 'The user is disabled.',
      cure: 'Lift the restriction.',
    });
    expect((await show('social')).reasons).toMatchObject([
      { weight: 'may', text: 'The user has no password: the way in is google.' },
    ]);
    for (let n = 0; n < 4; n++)
      await core.post('/recipe/signin', { email: 'linked@example.com', password: 'wrong' });
    await expect
      .poll(async () => (await show('linked')).reasons[0]?.text)
      .toMatch(/^4 passwords were refused on .* UTC, and none was right since the import \(bcrypt\)\.$/);
    await core.post('/recipe/signin', { email: 'linked@example.com', password });
    await expect
      .poll(async () => (await show('linked')).reasons.map(({ weight }) => weight))
      .toEqual(['may', 'fine']);
  });

  const user = {
    id: 'u',
    loginMethods: [{ recipeId: 'emailpassword', verified: true, email: 'a@b.test' }],
  } as unknown as User;
  const free = { isDisabled: false, isHeld: false, secondFactors: [], requiredActions: [] };
  const facts = {
    kind: 'bcrypt',
    oldSystem: undefined,
    hasHash: true,
    provenAt: null,
    refusedAt: null,
    refusals: 0,
    isImported: true,
    passwordChangedAt: null,
  };
  const at = Date.UTC(2026, 0, 2, 3, 4);

  it.each([
    [
      'a ban with an end',
      { ...free, isDisabled: true, disabledUntil: at },
      facts,
      'The user is disabled until 2026-01-02T03:04 UTC.',
    ],
    [
      'a second factor',
      { ...free, isHeld: true, secondFactors: ['totp'] },
      facts,
      /second factor in the old system \(totp\)/,
    ],
    [
      'a required action',
      { ...free, isHeld: true, requiredActions: ['UPDATE_PASSWORD'] },
      facts,
      /UPDATE_PASSWORD/,
    ],
    [
      'an old system',
      free,
      { ...facts, hasHash: false, oldSystem: 'shop' },
      /known to the old system 'shop' alone/,
    ],
    [
      'a password changed here',
      free,
      { ...facts, refusals: 1, refusedAt: at, passwordChangedAt: at },
      '1 password was refused on 2026-01-02 at 03:04 UTC, after the password was changed here on 2026-01-02 at 03:04 UTC.',
    ],
    [
      'a password that was right',
      free,
      { ...facts, provenAt: at },
      'The password was right on 2026-01-02 at 03:04 UTC.',
    ],
    ['a password that was not tried', free, facts, 'There is a password (bcrypt), which was not tried yet.'],
  ] as const)('knows %s', (_what, restrictions, password, text) => {
    const [first] = reasons(user, restrictions, [password]);
    if (typeof text === 'string') expect(first?.text).toBe(text);
    else expect(first?.text).toMatch(text);
  });
});

describe('sign-ins of the morning', () => {
  interface Seen {
    readonly right: number;
    readonly wrong: number;
  }
  const seenAt = async (client: ConsoleClient): Promise<Seen> => {
    const { spans } = (await client.send('/console/morning')).body as { spans: Seen[] };
    const sum = (of: (each: Seen) => number) => spans.reduce((all, each) => all + of(each), 0);
    return { right: sum(({ right }) => right), wrong: sum(({ wrong }) => wrong) };
  };
  const signInAt = (at: TestCore, given: string) =>
    at.post('/recipe/signin', { email: 'early@example.com', password: given });

  it('are counted over all cores by their outcome, wherever the page is from, and stay when a core ends', async () => {
    const one = await startTestCore();
    const other = await startTestCore({ database: one.database });
    await importUsers([person('early')], one);
    const [here, there] = [await signIn(one), await signIn(other)];
    await expect
      .poll(async () => (await here.send('/console/morning')).body)
      .toMatchObject({ status: 'OK', cores: 2, reporting: 2, since: expect.any(Number) as number });
    await signInAt(one, password);
    await signInAt(other, password);
    await signInAt(other, 'wrong');
    for (const client of [here, there])
      await expect.poll(() => seenAt(client)).toEqual({ right: 2, wrong: 1 });
    await signInAt(other, password);
    await other.stop();
    await expect
      .poll(async () => (await here.send('/console/morning')).body)
      .toMatchObject({ cores: 1, reporting: 1 });
    expect(await seenAt(here)).toEqual({ right: 3, wrong: 1 });
    await one.stop();
  });
});

describe('the cores', () => {
  interface Listed {
    readonly id: string;
    readonly isThis: boolean;
    readonly figures: Readonly<Record<string, unknown>> | null;
  }
  const listed = async (): Promise<readonly Listed[]> =>
    (await page.send('/console/cores')).body.cores as Listed[];

  it('report how busy they are, each with its row', async () => {
    await expect.poll(listed).toMatchObject([
      {
        isThis: true,
        version: 'test',
        figures: {
          host: hostname(),
          threads: expect.any(Number) as number,
          running: 0,
          waiting: 0,
          backlog: 0,
          memoryBytes: expect.any(Number) as number,
        },
      },
    ]);
    expect((await listed())[0]?.figures).not.toHaveProperty('day');
    const other = await startTestCore({ database: core.database });
    await expect
      .poll(async () => (await listed()).map(({ isThis }) => isThis).toSorted())
      .toEqual([false, true]);
    await other.stop();
    await expect.poll(async () => (await listed()).length).toBe(1);
  });

  it('whose console is off report nothing', async () => {
    const off = await startTestCore({ database: core.database, settings: { CONSOLE: 'false' } });
    await expect
      .poll(async () => (await listed()).filter(({ isThis }) => !isThis))
      .toMatchObject([{ figures: null }]);
    expect((await page.send('/console/morning')).body).toMatchObject({ cores: 2, reporting: 1 });
    await off.stop();
  });

  it('are shown to keys that may see metrics', async () => {
    const reader = await startTestCore({
      database: core.database,
      settings: { NAMED_KEYS: JSON.stringify([{ name: 'looker', scopes: ['read'], key: readKey }]) },
    });
    const looking = await signIn(reader, { key: readKey });
    expect((await looking.send('/console/cores')).body).toMatchObject({ status: 'KEY_SCOPE_MISSING' });
    await reader.stop();
  });
});
