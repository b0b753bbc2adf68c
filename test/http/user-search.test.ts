/** Users by the beginnings of their emails, domains, phone numbers and providers, as the dashboard's search box requests them. */
import { beforeEach, describe, expect, it, test } from 'vitest';
import type { User } from '../../src/domain/model.ts';
import type { TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { knownHash, newApp, newTenant, refusalOf } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;
useCoreAndApps((used) => {
  ({ core, app } = used);
});

/** By their names in a test. */
const names = new Map<string, string>();

async function bring(name: string, method: object, prefix = app): Promise<string> {
  const tenantId = prefix === app ? 'public' : (prefix.split('/').at(-1) ?? '');
  const loginMethods = [{ tenantIds: [tenantId], ...method }];
  const { body } = await core.post(`${app}/bulk-import/import`, { loginMethods });
  expect(body.status).toBe('OK');
  const { id } = body.user as User;
  names.set(id, name);
  return id;
}

const withPassword = (email: string) => ({
  recipeId: 'emailpassword',
  email,
  passwordHash: knownHash,
  hashingAlgorithm: 'bcrypt',
});
const social = (email: string, thirdPartyId: string) => ({
  recipeId: 'thirdparty',
  email,
  thirdPartyId,
  thirdPartyUserId: `${email} of ${thirdPartyId}`,
});
const passwordless = (email?: string, phoneNumber?: string) => ({
  recipeId: 'passwordless',
  email,
  phoneNumber,
});

async function search(query: Record<string, string>, prefix = app): Promise<(string | undefined)[]> {
  const { http, body } = await core.get(`${prefix}/users`, query);
  expect([http, body]).toEqual([200, { status: 'OK', users: expect.any(Array) as User[] }]);
  return (body.users as User[]).map(({ id }) => names.get(id));
}

describe('among users of every kind', () => {
  beforeEach(async () => {
    await bring('ada', withPassword('ada@example.com'));
    await bring('adam', social('adam@mail.test', 'google'));
    await bring('bob', social('bob@example.org', 'google-workspaces'));
    await bring('cyd', social('cyd@example.com', 'github'));
    await bring('dan', passwordless('dan@mail.test', '+441234567'));
    await bring('eve', passwordless(undefined, '+442345678'));
    await bring('fay', passwordless('fay@exam.test'));
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['an email', { email: 'ada@example.com' }, ['ada']],
    ['the beginning of an email', { email: 'ada' }, ['ada', 'adam']],
    ['the beginning of a domain', { email: 'example' }, ['ada', 'bob', 'cyd']],
    ['upper case and spaces', { email: ' ADA@ ' }, ['ada']],
    ['several', { email: 'ada@; fay ;;bob' }, ['ada', 'bob', 'fay']],
    ['what stands in the middle', { email: 'xample' }, []],
    ['the end of a name', { email: 'da@example' }, []],
    ['a phone number', { phone: '+44' }, ['dan', 'eve']],
    ['phone numbers', { phone: '+442;+443' }, ['eve']],
    ['a provider', { provider: 'google' }, ['adam', 'bob']],
    ['providers', { provider: 'GIT;google-' }, ['bob', 'cyd']],
    ['email and provider', { email: 'exam', provider: 'g' }, ['bob', 'cyd']],
    ['email and phone', { email: 'mail;ada', phone: '+44' }, ['dan']],
    ['phone and provider', { phone: '+44', provider: 'google' }, []],
    ['all three', { email: 'adam', phone: '+44', provider: 'google' }, []],
    ['a recipe beside', { email: 'ada', includeRecipeIds: 'thirdparty' }, ['adam']],
    ['a recipe that nobody has', { email: 'ada', includeRecipeIds: 'webauthn' }, []],
    ['nothing', { email: ' ; ', phone: '' }, ['ada', 'adam', 'bob', 'cyd', 'dan', 'eve', 'fay']],
  ])('finds by %s', async (_what, query, expected) => {
    expect(await search(query)).toEqual(expected);
  });

  it('answers in the order of join dates, all at once', async () => {
    const query = { email: 'mail;example', limit: '1' };
    const found = await search(query);
    expect(found).toEqual(['ada', 'adam', 'bob', 'cyd', 'dan']);
    const turned = { ...query, timeJoinedOrder: 'DESC', limit: '1000', paginationToken: 'none' };
    expect(await search(turned)).toEqual([...found].reverse());
  });
});

it('takes % and _ and backslashes for what they are', async () => {
  await bring('percent', withPassword('a%b@example.com'));
  await bring('line', withPassword('a_b@example.com'));
  await bring('slash', withPassword(String.raw`a\b@example.com`));
  await bring('letter', withPassword('axb@example.com'));
  for (const [text, found] of [
    ['a%b', ['percent']],
    ['a_b', ['line']],
    [String.raw`a\b`, ['slash']],
    ['%', []],
    ['_', []],
    [String.raw`\a`, []],
  ] as const)
    expect(await search({ email: text })).toEqual(found);
});

it('finds a linked user once, by any of its login methods in the tenant', async () => {
  const tenant = await newTenant(core, app);
  const head = await bring('ada', withPassword('ada@example.com'));
  const member = await bring('her other one', social('lovelace@mail.test', 'google'), tenant);
  await core.post(`${app}/recipe/accountlinking/user/primary`, { recipeUserId: head });
  await core.post(`${app}/recipe/accountlinking/user/link`, { recipeUserId: member, primaryUserId: head });
  expect(await search({ email: 'ada' })).toEqual(['ada']);
  expect(await search({ email: 'love;mail' }, tenant)).toEqual(['ada']);
  expect(await search({ email: 'love' })).toEqual([]);
  expect(await search({ email: 'ada' }, tenant)).toEqual([]);
  // Of two login methods, none fits both.
  expect(await search({ email: 'ada', provider: 'google' }, tenant)).toEqual([]);
});

it('stays in its tenant and app', async () => {
  const tenant = await newTenant(core, app);
  await bring('here', withPassword('ada@example.com'));
  await bring('there', withPassword('ada@example.com'), tenant);
  expect(await search({ email: 'ada' })).toEqual(['here']);
  expect(await search({ email: 'ada' }, tenant)).toEqual(['there']);
  expect(await search({ email: 'ada' }, await newApp(core))).toEqual([]);
});

/** More than one stride of the walk, created without an import. */
describe('among 120,000 users', () => {
  beforeEach(async () => {
    const appId = app.replace('/appid-', '');
    await withSql(core.database.connection, async (sql) => {
      await sql`
        insert into carryover.users (app_no, recipe, email_verified, user_id, time_joined, email)
        select a.app_no, 1, false, ('01890000-' || lpad(to_hex(n / 65536), 4, '0') || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
          1, case when n in (7, 50000, 50001, 119999) then 'rare' else 'many' end || n || '@example.com'
        from carryover.apps a, generate_series(1, 120000) n where a.app_id = ${appId}`;
      await sql`
        insert into carryover.identities
        select u.app_no, 0, 1, carryover.identity_key(1::smallint, u.email, null, null, null), u.user_id
        from carryover.users u join carryover.apps a on a.app_no = u.app_no where a.app_id = ${appId}`;
    });
  });

  const emails = async (query: Record<string, string>) =>
    ((await core.get(`${app}/users`, query)).body.users as User[]).map(
      (user) => user.emails[0]?.split('@')[0],
    );

  it('finds all users of a rare match, and the first 1000 of a common one', async () => {
    const rare = ['rare7', 'rare50000', 'rare50001', 'rare119999'];
    expect(await emails({ email: 'rare' })).toEqual(rare);
    expect(await emails({ email: 'rare', timeJoinedOrder: 'DESC' })).toEqual([...rare].reverse());
    const many = await emails({ email: 'many;rare' });
    expect([many.length, many[0], many.at(-1)]).toEqual([1000, 'many1', 'many1000']);
    const last = await emails({ email: 'example', timeJoinedOrder: 'DESC' });
    expect([last.length, last[0], last.at(-1)]).toEqual([1000, 'many120000', 'many119001']);
  });

  it('goes on for a few at a time, and refuses the others', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => core.get(`${app}/users`, { email: 'rare' })),
    );
    const refused = answers.filter(({ http }) => http !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) expect([answer.http, answer.body.status]).toEqual([503, 'OVERLOADED']);
    expect(await emails({ email: 'rare' })).toHaveLength(4);
  });
});

test('too many texts at once are refused', async () => {
  const texts = (count: number) => Array.from({ length: count }, (_, n) => `user${n}`).join(';');
  expect(await search({ email: texts(60), phone: texts(40) })).toEqual([]);
  expect(refusalOf(await core.get(`${app}/users`, { email: texts(60), phone: texts(41) }))).toEqual([
    400,
    'INVALID_QUERY_PARAMETER',
    "'email', 'phone' and 'provider' hold 101 texts in a GET request: search for at most 100 at once",
  ]);
});

test('the tags are listed', async () => {
  expect((await core.get(`${app}/user/search/tags`)).body).toEqual({
    status: 'OK',
    tags: ['email', 'phone', 'provider'],
  });
});
