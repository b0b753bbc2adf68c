/** The database of each old system, through the command into a whole core, where everybody signs in as before. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import type { Ended } from '../helpers/command.ts';
import type { TestCore } from '../helpers/core.ts';
import { createOldDatabase, type OldDatabase, tablesOf } from '../helpers/sources.ts';
import { useCoreAndPlace, withTestKey } from '../helpers/use-core.ts';

const oldPassword = 'correct horse battery staple';

let core: TestCore;
let place: Place;

useCoreAndPlace((used) => {
  ({ core, place } = used);
});

interface OldSystem {
  readonly name: string;
  readonly flags?: readonly string[];
  /** Ada as the core has her. */
  readonly ada: object;
  readonly isVerified: boolean;
  /** Some of it. */
  readonly metadata?: object;
  readonly roles?: readonly string[];
  /** Everybody who signs in with the old password. */
  readonly signIn: readonly string[];
  /** Who may not, as at the source. */
  readonly kept?: readonly string[];
  readonly written: number;
  readonly byKind: Readonly<Record<string, number>>;
  /** What is said beside the counts. */
  readonly leftOut?: readonly string[];
}

const google = { id: 'google', userId: '109876543210987654321' };

const uuid = '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11';
const started = Date.parse('2024-01-01T00:00:00Z');
const ada = { emails: ['ada@example.com'], thirdParty: [google] };

const systems: readonly OldSystem[] = [
  {
    name: 'authjs',
    ada: { ...ada, id: 'cljn3x7y00000356z8demo01' },
    isVerified: true,
    signIn: ['ada@example.com'],
    written: 2,
    byKind: { bcrypt: 1 },
  },
  {
    name: 'better-auth',
    ada: { ...ada, id: 'k3JxQm4Vt7NhRb1LpZcYwAe3Gs0fUd2T', timeJoined: started },
    isVerified: true,
    signIn: ['ada@example.com'],
    kept: ['banned@example.com'],
    written: 2,
    byKind: { better_auth: 2 },
  },
  {
    name: 'devise',
    // To the last digit of a bigint.
    ada: { ...ada, id: '9223372036854775807', timeJoined: started },
    isVerified: true,
    signIn: ['ada@example.com'],
    kept: ['banned@example.com'],
    written: 2,
    byKind: { bcrypt: 2 },
  },
  {
    name: 'django',
    ada: { ...ada, id: '42', timeJoined: started },
    isVerified: true,
    signIn: ['ada@example.com'],
    kept: ['inactive@example.com'],
    written: 2,
    byKind: { pbkdf2: 2 },
    leftOut: ['the user has no email', 'There is no table socialaccount_socialaccount'],
  },
  {
    name: 'keycloak',
    ada: { ...ada, id: '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01', timeJoined: started },
    isVerified: true,
    metadata: { groups: ['/staff/paris'], clientRoles: { app: ['manage'] }, attributes: { locale: ['en'] } },
    roles: ['editor'],
    signIn: ['ada@example.com'],
    kept: ['bob@example.com', 'root@example.com'],
    written: 2,
    byKind: { argon2: 1, pbkdf2: 1 },
    leftOut: ['service account', 'realm shop'],
  },
  {
    name: 'kratos',
    ada: { ...ada, id: uuid, timeJoined: started },
    isVerified: true,
    metadata: { metadata_public: { plan: 'pro' } },
    signIn: ['ada@example.com'],
    kept: ['inactive@example.com'],
    written: 2,
    byKind: { argon2: 2 },
  },
  {
    name: 'laravel',
    ada: { ...ada, id: '42', timeJoined: started },
    isVerified: true,
    signIn: ['ada@example.com'],
    kept: ['deleted@example.com'],
    written: 1,
    byKind: { bcrypt: 1 },
    leftOut: ['deleted_at is set'],
  },
  {
    name: 'logto',
    ada: { ...ada, id: 'k3jxqm4vt7nh', timeJoined: started },
    isVerified: true,
    signIn: ['ada@example.com'],
    kept: ['suspended@example.com', 'root@example.com'],
    written: 2,
    byKind: { argon2: 2 },
  },
  {
    name: 'supabase',
    ada: {
      ...ada,
      id: uuid,
      phoneNumbers: ['+15555550100'],
      timeJoined: Date.parse('2024-01-15T10:29:12.5Z'),
    },
    isVerified: true,
    metadata: { user_metadata: { name: 'Ada' } },
    signIn: ['ada@example.com'],
    kept: ['banned@example.com'],
    written: 2,
    byKind: { bcrypt: 2 },
    leftOut: ['the account is anonymous'],
  },
  {
    name: 'supertokens',
    ada: { ...ada, id: 'legacy-42', timeJoined: started },
    isVerified: true,
    metadata: { plan: 'pro' },
    roles: ['editor'],
    signIn: ['ada@example.com'],
    kept: ['root@example.com'],
    written: 2,
    byKind: { argon2: 1 },
  },
];

describe.each(systems)('$name', (system) => {
  const { name, flags = [] } = system;
  const app = `source-${name}`;
  let database: OldDatabase;
  let exported: Ended;

  beforeAll(async () => {
    database = await createOldDatabase(await tablesOf(name));
    await core.put('/recipe/multitenancy/app/v2', { appId: app });
    exported = await place.run(['export-from', database.address, '--from', name, ...flags]);
  });

  afterAll(() => database.drop());

  it('is read whole, and says what there was', () => {
    const { leftOut = [] } = system;
    expect({ ...exported, lines: exported.stdout.split('\n').length - 1 }).toMatchObject({
      lines: system.written,
    });
    const kinds = Object.entries(system.byKind).map(([kind, users]) => `${users} ${kind}`);
    for (const said of [...kinds, ...leftOut]) expect(exported.stderr).toContain(said);
  });

  it('goes through a pipe into a core', async () => {
    const where = ['--url', core.url, '--app', app, '--json'];
    const { stdout } = await place.run(['import', '-', ...where], {
      ...withTestKey,
      input: exported.stdout,
    });
    expect(JSON.parse(stdout)).toMatchObject({
      rejected: 0,
      job: { state: 'done', created: system.written, byKind: system.byKind },
    });
  });

  it('lets everybody sign in with the password that they have, and nobody who might not', async () => {
    const { signIn, kept = [] } = system;
    const answers = [...signIn, ...kept].map(async (email) => {
      const { body } = await core.post(`/appid-${app}/recipe/signin`, { email, password: oldPassword });
      return [email, body.status === 'OK'];
    });
    expect(await Promise.all(answers)).toEqual([
      ...signIn.map((email) => [email, true]),
      ...kept.map((email) => [email, false]),
    ]);
  });

  it('keeps ids, times, what was verified and the other ways to sign in', async () => {
    const { users } = (await core.get(`/appid-${app}/users`)).body as { users: UserView[] };
    const found = users.find(({ emails }) => emails.includes('ada@example.com'));
    expect(found).toMatchObject(system.ada);
    const own = found?.loginMethods.filter(({ email }) => email === 'ada@example.com') ?? [];
    expect(new Set(own.map(({ verified }) => verified))).toEqual(new Set([system.isVerified]));
  });

  it('keeps what the app knows of people, and their roles', async () => {
    const query = { userId: (system.ada as { id: string }).id };
    const { metadata } = (await core.get(`/appid-${app}/recipe/user/metadata`, query)).body;
    const { roles } = (await core.get(`/appid-${app}/recipe/user/roles`, query)).body;
    expect(metadata).toMatchObject(system.metadata ?? {});
    expect(roles).toEqual(expect.arrayContaining([...(system.roles ?? [])]));
  });
});

interface UserView {
  readonly emails: readonly string[];
  readonly loginMethods: readonly { readonly email?: string; readonly verified: boolean }[];
}
