/** The report on password hashes: exact on a mixed database, open to the app only, and without any hash. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashClass } from '../../src/hashes/assess.ts';
import { parseHash } from '../../src/hashes/recognise.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { defaultLimits } from '../helpers/hash-limits.ts';
import {
  importUser,
  knownHash,
  newApp,
  newEmail,
  newTenant,
  refusalOf,
  signIn,
  signInUp,
} from '../helpers/people.ts';
import { openStoreOn, type TestStore } from '../helpers/store.ts';
import { readVectors } from '../helpers/vectors.ts';

const reportPath = '/recipe/user/passwordhash/report';

let core: TestCore;
let store: TestStore;
let app: string;
beforeAll(async () => {
  core = await startTestCore();
  store = await openStoreOn(core.database.connection);
});
afterAll(async () => {
  await store.dispose();
  await core.stop();
});
beforeEach(async () => {
  app = await newApp(core);
});

interface Report {
  readonly users: number;
  readonly kinds: readonly {
    readonly kind: string;
    readonly cost: object;
    readonly users: number;
    readonly share: number;
    readonly isWeak: boolean;
    readonly isBelowPolicy: boolean;
  }[];
  readonly upgraded: number;
  readonly belowPolicy: number;
  readonly weak: number;
  readonly unreadable: number;
  readonly activity: Record<string, unknown>;
}

async function report(query: Record<string, string> = {}): Promise<Report> {
  const { http, body } = await core.get(`${app}${reportPath}`, query);
  expect([http, body.status]).toEqual([200, 'OK']);
  return body as unknown as Report;
}

async function importHash(passwordHash: string, prefix = app): Promise<string> {
  const email = newEmail();
  const { body } = await core.post(`${prefix}/recipe/user/passwordhash/import`, { email, passwordHash });
  expect(body.status).toBe('OK');
  return email;
}

/** The outcomes of a user's password, by SQL: at other times than now. */
async function note(email: string, { refusedAt, refusals }: Refused): Promise<void> {
  await store.sql(
    `insert into sign_ins (app_no, user_id, refused_at, refusals)
     select u.app_no, u.user_id, $2, $3 from users u where u.email = $1`,
    [email, refusedAt, refusals],
  );
}

interface Refused {
  readonly refusedAt: number;
  readonly refusals: number;
}

describe('the report', () => {
  test('without users is all zeros', async () => {
    expect((await core.get(`${app}${reportPath}`)).body).toEqual({
      status: 'OK',
      users: 0,
      kinds: [],
      upgraded: 0,
      belowPolicy: 0,
      weak: 0,
      unreadable: 0,
      policy: {
        kind: 'argon2',
        cost: { variant: 'id', version: 19, memoryKb: 64, iterations: 1, parallelism: 1 },
      },
      activity: { days: 30, active: 0, proven: 0, share: 0, mismatches: [] },
    });
  });

  test('counts every hash of a mixed database by kind and cost, in all tenants, and no other user', async () => {
    const tenant = await newTenant(core, app);
    const expected = new Map<string, number>();
    const count = (hash: string): void => {
      const result = parseHash(hash, undefined, defaultLimits);
      if (!result.ok) throw new Error(result.message);
      const key = JSON.stringify(hashClass(result.parsed));
      expected.set(key, (expected.get(key) ?? 0) + 1);
    };
    const accepted: string[] = [];
    for (const { hash } of readVectors().filter(({ valid }) => valid)) {
      const email = newEmail();
      const where = accepted.length % 2 === 0 ? app : tenant;
      const path = `${where}/recipe/user/passwordhash/import`;
      const { body } = await core.post(path, { email, passwordHash: hash });
      if (body.status !== 'OK') continue;
      accepted.push(hash);
      count(hash);
    }
    expect(accepted.length).toBeGreaterThan(50);
    await signInUp(core, 'g-1', { id: newEmail() }, app);
    await importUser(core, newEmail(), await newApp(core));
    const { users, kinds, belowPolicy, weak, unreadable } = await report();
    const found = new Map(kinds.map(({ kind, cost, users: n }) => [JSON.stringify({ kind, cost }), n]));
    expect(found).toEqual(expected);
    expect([users, unreadable]).toEqual([accepted.length, 0]);
    expect(kinds.map((each) => each.users)).toEqual(
      kinds.map((each) => each.users).toSorted((a, b) => b - a),
    );
    const sum = (flag: 'isWeak' | 'isBelowPolicy') =>
      kinds.filter((each) => each[flag]).reduce((all, each) => all + each.users, 0);
    expect([weak, belowPolicy]).toEqual([sum('isWeak'), sum('isBelowPolicy')]);
    expect(kinds.reduce((all, each) => all + each.share, 0)).toBeCloseTo(1, 2);
  });

  test('says how many cannot be read by now, how many are weak, and how many a sign-in replaced', async () => {
    const emails = await Promise.all(
      [knownHash, knownHash, knownHash, knownHash].map((hash) => importHash(hash)),
    );
    const [row] = await store.sql<{ app_no: number; user_id: string }>(
      'select app_no, user_id from users where email = $1',
      [emails[0] ?? ''],
    );
    const upgrade = { appNo: row?.app_no ?? 0, userId: row?.user_id ?? '', from: knownHash, at: Date.now() };
    await store.users.upgradeHash({
      ...upgrade,
      to: '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$MDEyMzQ1Njc4OWFiY2RlZg',
    });
    await store.sql(
      `update users set password_hash = '$2b$31$' || substr(password_hash, 8) where email = $1`,
      [emails[1] ?? ''],
    );
    const { users, upgraded, belowPolicy, weak, unreadable, kinds } = await report();
    expect({ users, upgraded, belowPolicy, weak, unreadable }).toEqual({
      users: 4,
      upgraded: 1,
      belowPolicy: 2,
      weak: 3,
      unreadable: 1,
    });
    expect(kinds.map(({ kind, share }) => [kind, share])).toEqual([
      ['bcrypt', 0.5],
      ['argon2', 0.25],
    ]);
  });

  test('holds no hash and no salt', async () => {
    const email = await importHash(knownHash);
    await note(email, { refusedAt: Date.now(), refusals: 2 });
    const { text } = await core.get(`${app}${reportPath}`);
    expect(text).toContain(email);
    expect(text).not.toContain('abcdefghijklmnopqrstuu');
    expect(text).not.toContain('$2b$');
  });
});

describe('what was proven', () => {
  test('are sign-ins and checks of these days, and mismatches are listed', async () => {
    const now = Date.now();
    const proven = newEmail();
    await importUser(core, proven, app);
    expect(await signIn(core, proven, 'abc', app)).toBe('OK');
    const [refused, earlier, longAgo] = [
      await importHash(knownHash),
      await importHash(knownHash),
      await importHash(knownHash),
    ];
    await note(refused, { refusedAt: now, refusals: 3 });
    await note(earlier, { refusedAt: now - 1000, refusals: 1 });
    await note(longAgo, { refusedAt: now - 40 * 86_400_000, refusals: 7 });
    const { activity } = await report();
    expect(activity).toMatchObject({ days: 30, active: 3, proven: 1, share: 0.3333 });
    expect(activity.mismatches).toMatchObject([
      { email: refused, kind: 'bcrypt', cost: { logRounds: 4 }, refusals: 3, refusedAt: now },
      { email: earlier, refusals: 1 },
    ]);
    expect(activity.more).toBeUndefined();
    const limited = await report({ days: '60', limit: '1' });
    expect(limited.activity).toMatchObject({ days: 60, active: 4, more: true });
    expect(limited.activity.mismatches).toHaveLength(1);
  });
});

describe('a request', () => {
  test('belongs to the app, not to a tenant', async () => {
    const tenant = await newTenant(core, app);
    expect(refusalOf(await core.get(`${tenant}${reportPath}`))).toEqual([
      403,
      'APP_SPECIFIC_API',
      'Only public tenantId can call this app specific API',
    ]);
  });

  test.each([
    [{ days: '0' }, 'days'],
    [{ days: '3651' }, 'days'],
    [{ limit: '501' }, 'limit'],
    [{ limit: 'many' }, 'limit'],
  ])('with %j is refused', async (query, name) => {
    const [http, code, message] = refusalOf(await core.get(`${app}${reportPath}`, query));
    expect([http, code]).toEqual([400, 'INVALID_QUERY_PARAMETER']);
    expect(message).toContain(`'${name}'`);
  });

  test('of many at once is answered alike', async () => {
    await Promise.all([knownHash, knownHash].map((hash) => importHash(hash)));
    const answers = await Promise.all(Array.from({ length: 20 }, () => report()));
    expect(new Set(answers.map(({ users }) => users))).toEqual(new Set([2]));
  });

  test('is described', async () => {
    const { body } = await core.get('/docs/openapi.json');
    const paths = body.paths as Record<string, { get?: { parameters: { name: string }[] } }>;
    expect(paths[reportPath]?.get?.parameters.map(({ name }) => name)).toEqual(['days', 'limit']);
  });
});
