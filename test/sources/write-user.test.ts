/** One user who changed here, written into tables of several shapes. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requireDatabaseProvider } from '../../src/exports/providers/index.ts';
import type { WritingEngine } from '../../src/exports/sources/engines/engine.ts';
import { openToWrite } from '../../src/exports/sources/open.ts';
import { withoutPlace } from '../../src/exports/sources/written/parts.ts';
import { openUserTable, type UserTable } from '../../src/exports/sources/written/table.ts';
import { type UserChange, writeUsers } from '../../src/exports/sources/written/write-user.ts';
import { hashMark } from '../../src/domain/digests.ts';
import { tagged } from '../../src/hashes/spellings.ts';
import { withSql } from '../helpers/database-door.ts';
import { createOldDatabase, type OldDatabase, tablesOf } from '../helpers/sources.ts';

let old: OldDatabase;
let engine: WritingEngine;
let table: UserTable;
beforeEach(async () => {
  old = await createOldDatabase('');
});
afterEach(async () => {
  await engine.close();
  await old.drop();
});

interface How {
  readonly hashKind?: string | null;
  readonly realm?: string;
}

async function written(system: string, tables: string, change: UserChange, { hashKind, realm }: How = {}) {
  await old.run(tables);
  const provider = requireDatabaseProvider(system);
  engine = await openToWrite(provider, { text: old.address, password: undefined, environment: {} });
  const naming = { schema: undefined, prefix: '', usersTable: undefined };
  table = await openUserTable(provider, engine, { naming, realm });
  return again(change, hashKind);
}

async function again(change: UserChange, hashKind: string | null = null) {
  const { value } = await writeUsers(table, [change], { now: Date.UTC(2026, 0, 1), hashKind }).next();
  return value?.outcome;
}

const rows = (query: string) =>
  withSql(old.connection, async (sql) => [...(await sql.unsafe<Record<string, unknown>[]>(query))]);

const pbkdf2 = 'pbkdf2_sha256$870000$Qm3vTz8LkW0pYxRa1sCe7B$I3zmeiKZSgb0jqJv6qA/j0zkGLSDCSx/zQOGhOsuZww=';
const argon2 =
  '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$dGFndGFndGFndGFndGFndGFndGFndGFndGFndGFndGE';
const bcrypt = '$2b$12$8WSyYIowkxZmjm4xd2./0OmC0vdtmvMJ2JddlGjG4LQjF8UNrdnVy';

const ada = {
  email: 'ada@example.com',
  isVerified: false,
  passwordHash: pbkdf2,
  metadata: { first_name: 'Ada', last_name: 'L'.repeat(200) },
  timeJoined: Date.UTC(2025, 0, 1),
};
const former = { externalId: null, email: ada.email, isVerified: false, passwordMark: hashMark(pbkdf2) };
const custom = (more: string) =>
  `create table auth_user (id serial primary key, password text not null, last_login timestamptz, email text not null ${more});`;

it('writes the columns that a model has', async () => {
  const outcome = await written('django', custom(', first_name text, last_name varchar(150)'), {
    now: ada,
    was: [],
    key: undefined,
  });
  expect(outcome).toEqual({ key: '1', mustReset: false, passwordMark: hashMark(pbkdf2) });
  expect(await rows('select * from auth_user')).toEqual([
    {
      id: 1,
      password: pbkdf2,
      last_login: null,
      email: ada.email,
      first_name: 'Ada',
      last_name: 'L'.repeat(150),
    },
  ]);
});

it('writes times in UTC, wherever the command runs', async () => {
  const { TZ } = process.env;
  process.env.TZ = 'America/New_York';
  try {
    const tables = custom(', date_joined timestamptz, is_active boolean, is_staff boolean');
    await written('django', tables, { now: ada, was: [], key: undefined });
  } finally {
    process.env.TZ = TZ;
  }
  const texts = 'select date_joined::text as joined, is_active::text as active, is_staff::text as staff';
  expect(await rows(`${texts} from auth_user, set_config('TimeZone', 'UTC', false)`)).toEqual([
    { joined: '2025-01-01 00:00:00+00', active: 'true', staff: 'false' },
  ]);
});

it('removes the row of a model that cannot be inactive, with its addresses', async () => {
  const addresses = `create table account_emailaddress (
    id serial primary key, email text, verified boolean, "primary" boolean, user_id integer references auth_user (id)
  )`;
  const tables = `${custom('')} ${addresses};
    insert into auth_user (password, email) values ('${pbkdf2}', '${ada.email}');
    insert into account_emailaddress (email, user_id) values ('${ada.email}', 1)`;
  expect(await written('django', tables, { now: undefined, was: [former], key: '1' })).toEqual({});
  expect(await rows('select id from auth_user union all select id from account_emailaddress')).toEqual([]);
});

it.each([
  ['the user had none here', '!unusable', { isMade: false, mark: null }, true],
  ['a write-back made the row', '!unusable', { isMade: true, mark: hashMark('of another kind') }, true],
  ['it was taken away there', '!unusable', { isMade: false, mark: hashMark('another one') }, false],
  ['it is another one there', argon2, { isMade: true, mark: null }, false],
  [
    'it is as it was here, in the spelling of there',
    `argon2${argon2}`,
    { isMade: false, mark: hashMark(argon2) },
    true,
  ],
  [
    'it is as it was here, with another prefix',
    `bcrypt$${bcrypt}`,
    { isMade: false, mark: hashMark(bcrypt.replace('$2b$', '$2y$')) },
    true,
  ],
])('replaces a password there only where %s', async (_why, there, { isMade, mark }, isWritten) => {
  const tables = `${custom('')} insert into auth_user (password, email) values ('${there}', '${ada.email}')`;
  const was = [{ ...former, passwordMark: mark }];
  const outcome = await written('django', tables, { now: ada, was, key: '1', isMade });
  expect(outcome).toMatchObject(isWritten ? { key: '1', mustReset: false } : { conflict: 'CHANGED_THERE' });
  expect(await rows('select password from auth_user')).toEqual([{ password: isWritten ? pbkdf2 : there }]);
});

it('prefers the hash that the old system would have made, and recognises that of a password before', async () => {
  const [second, before] = [pbkdf2, pbkdf2.replace('870000', '1')];
  const secondHashes = { [hashMark(argon2)]: second, [hashMark(bcrypt)]: before };
  const tables = `${custom('')} insert into auth_user (password, email) values ('${before}', '${ada.email}')`;
  const was = [{ ...former, passwordMark: hashMark(bcrypt) }];
  const now = { ...ada, passwordHash: argon2 };
  const outcome = await written('django', tables, { now, was, key: '1', secondHashes });
  expect(outcome).toEqual({ key: '1', mustReset: false, passwordMark: hashMark(argon2) });
  expect(await rows('select password from auth_user')).toEqual([{ password: second }]);
});

it.each([
  ['django', argon2, `argon2${argon2}`],
  ['django', bcrypt.replace('$2b$', '$2y$'), `bcrypt$${bcrypt}`],
  ['django', `bcrypt_sha256$${bcrypt}`, `bcrypt_sha256$${bcrypt}`],
  ['django', '$carryover$md5$5f4dcc3b5aa765d61d8327deb882cf99', undefined],
  ['laravel', bcrypt, bcrypt.replace('$2b$', '$2y$')],
  ['laravel', argon2, undefined],
])('writes hashes as %s reads them: %s', async (system, hash, there) => {
  const { writes } = requireDatabaseProvider(system).database;
  const tables = system === 'django' ? custom('') : await tablesOf('laravel');
  const now = { ...ada, email: 'new@example.com', passwordHash: hash };
  const outcome = await written(
    system,
    system === 'django' ? tables : `${tables}; select setval('users_id_seq', 100)`,
    {
      now,
      was: [],
      key: undefined,
    },
  );
  expect(outcome).toMatchObject({ mustReset: there === undefined });
  const table = system === 'django' ? 'auth_user' : 'users';
  const [row] = await rows(`select password from ${table} where email = 'new@example.com'`);
  if (there === undefined) expect(writes?.hashes.isUnusable(String(row?.password))).toBe(true);
  else expect(row?.password).toBe(there);
});

it('refuses a row without a key', async () => {
  const tables =
    'create table auth_user (id uuid primary key, password text, last_login timestamptz, email text)';
  const outcome = await written('django', tables, { now: ada, was: [], key: undefined });
  expect(outcome).toEqual({ conflict: 'REFUSED_THERE' });
});

it('leaves out what a table does not have, also if nothing else changed', async () => {
  const tables = `create table users (id serial primary key, email text, password text);
    insert into users (email, password) values ('${ada.email}', '')`;
  const was = [{ ...former, passwordMark: hashMark(pbkdf2) }];
  const outcome = await written('laravel', tables, { now: { ...ada, isVerified: true }, was, key: '1' });
  expect(outcome).toEqual({ key: '1', mustReset: false });
});

it('finds the columns and makes the keys of an app that spells and fills them otherwise', async () => {
  const tables = `
    create table users (
      id uuid primary key, name text not null, email text not null unique, email_verified boolean not null,
      created_at timestamp not null, updated_at timestamp not null
    );
    create table accounts (
      id serial primary key, account_id text not null, provider_id text not null, user_id uuid not null references users (id),
      password text, created_at timestamp not null, updated_at timestamp not null
    );`;
  const salted = `${'0123456789abcdef'.repeat(2)}:${'ab'.repeat(64)}`;
  const stored = `$carryover$better_auth$${salted}`;
  const logins = [{ provider: 'google', userId: '1098' }];
  const now = { ...ada, passwordHash: stored, isVerified: true, logins };
  const outcome = await written('better-auth', tables, { id: 'the user here', now, was: [], key: undefined });
  expect(outcome).toEqual({
    key: expect.stringMatching(/^[0-9a-f]{8}-/) as string,
    mustReset: false,
    passwordMark: hashMark(stored),
  });
  const key = outcome?.key;
  expect(await rows('select id, name, email_verified from users')).toEqual([
    { id: key, name: 'ada', email_verified: true },
  ]);
  expect(
    await rows('select id, account_id, provider_id, user_id, password from accounts order by id'),
  ).toEqual([
    { id: 1, account_id: key, provider_id: 'credential', user_id: key, password: salted },
    { id: 2, account_id: '1098', provider_id: 'google', user_id: key, password: null },
  ]);
});

describe('Devise', () => {
  const users = (more: string, id = 'serial primary key') =>
    `create table users (id ${id}, email text not null unique, encrypted_password text not null default '' ${more});`;
  const google = { provider: 'google', userId: '1098' };
  const plain = { ...ada, passwordHash: bcrypt };

  it.each([
    ['the core does not know that it makes them so', null, bcrypt, false],
    ['it adds a pepper', 'bcrypt_peppered', bcrypt, false],
    ['it adds none', 'bcrypt', bcrypt, true],
    ['they are of a password with the pepper', null, tagged('bcrypt_peppered', bcrypt), true],
    ['they are of another kind', 'bcrypt', argon2, false],
  ])('gets hashes of here where %s', async (_where, kind, passwordHash, isWritten) => {
    const change = { id: 'the user here', now: { ...ada, passwordHash }, was: [], key: undefined };
    const outcome = await written('devise', users(''), change, { hashKind: kind });
    expect(outcome).toMatchObject({ key: '1', mustReset: !isWritten });
    const [row] = await rows('select encrypted_password as hash from users');
    expect(row?.hash).toEqual(
      isWritten ? bcrypt.replace('$2b$', '$2a$') : (expect.stringMatching(/^\$2a\$12\$\.{22}/) as string),
    );
  });

  it('has a user as Rails makes one, with a key where the database makes none', async () => {
    const columns =
      ', name text, first_name text, jti text not null, created_at timestamp not null, updated_at timestamp not null';
    const change = { id: 'the user here', now: plain, was: [], key: undefined };
    const outcome = await written('devise', users(columns, 'uuid primary key'), change, {
      hashKind: 'bcrypt',
    });
    expect(outcome?.key).toMatch(/^[0-9a-f]{8}-/);
    expect(await rows('select * from users')).toMatchObject([
      { id: outcome?.key, name: 'ada', first_name: 'Ada', jti: expect.any(String) as string },
    ]);
  });

  it.each(['deleted_at', 'discarded_at'])('keeps a removed user with the time in %s', async (column) => {
    const tables = `${users(`, ${column} timestamp`)} insert into users (email) values ('${ada.email}')`;
    await written('devise', tables, { now: undefined, was: [former], key: '1' });
    expect(await rows(`select id, ${column}::text as at from users`)).toEqual([
      { id: 1, at: '2026-01-01 00:00:00' },
    ]);
  });

  it('has an account at a provider in the row of the user, if there is room', async () => {
    const tables = `${users(', provider text, uid text')}
      insert into users (email, provider, uid) values ('bob@example.com', 'github', '7')`;
    const [github, twitter] = [
      { ...google, provider: 'github' },
      { provider: 'twitter', userId: '8' },
    ];
    const now = { ...plain, logins: [google, twitter] };
    const outcome = await written('devise', tables, { now, was: [], key: undefined }, { hashKind: 'bcrypt' });
    expect(outcome).toMatchObject({ key: '2', leftOut: ['LOGIN'] });
    const pairs = 'select provider, uid from users order by id';
    expect(await rows(pairs)).toEqual([
      { provider: 'github', uid: '7' },
      { provider: 'google_oauth2', uid: '1098' },
    ]);
    const lost = { ...former, id: 'lost', isNew: true, thirdPartyId: 'google', thirdPartyUserId: '1098' };
    const rival = { ...github, userId: '7' };
    const was = [{ ...lost, email: null, passwordMark: null }];
    const change = { now: { ...plain, logins: [rival] }, was, key: '2', methodIds: ['kept'] };
    expect(await again(change)).toMatchObject({ leftOut: ['LOGIN'] });
    expect(await rows(pairs)).toContainEqual({ provider: null, uid: null });
  });

  it('has the email as the user id of those who sign in with it, as devise_token_auth does', async () => {
    const tables = `${users(", provider text not null default 'email', uid text not null default '', unique (uid, provider)")}
      insert into users (email, uid) values ('bob@example.com', 'bob@example.com')`;
    await written('devise', tables, { now: plain, was: [], key: undefined }, { hashKind: 'bcrypt' });
    const social = { ...plain, email: 'eve@example.com', passwordHash: undefined, logins: [google] };
    expect(await again({ now: social, was: [], key: undefined })).toMatchObject({ key: '3' });
    const bob = { ...plain, email: 'bob@work.example', passwordHash: undefined };
    const was = [{ ...former, email: 'bob@example.com', passwordMark: null }];
    expect(await again({ now: bob, was, key: '1' })).toMatchObject({ key: '1' });
    expect(await rows('select email, provider, uid from users order by id')).toEqual([
      { email: bob.email, provider: 'email', uid: bob.email },
      { email: ada.email, provider: 'email', uid: ada.email },
      { email: social.email, provider: 'google_oauth2', uid: '1098' },
    ]);
  });
});

describe('Supabase', () => {
  const uuid = '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11';
  const users = `create schema auth; create table auth.users (
    instance_id uuid, id uuid primary key, aud text, role text, email text, encrypted_password text, email_confirmed_at timestamptz,
    raw_app_meta_data jsonb, raw_user_meta_data jsonb, created_at timestamptz, updated_at timestamptz, deleted_at timestamptz
  );`;
  const identities = `create table auth.identities (
    id text, user_id uuid references auth.users on delete cascade, identity_data jsonb not null, provider text, created_at timestamptz,
    updated_at timestamptz, primary key (provider, id)
  );`;
  const azure = { provider: 'microsoft', userId: '1098', email: 'ada@work.example' };

  it('has an identity for each way to sign in, also in tables of older versions', async () => {
    const now = { ...ada, metadata: { name: 'Ada' }, passwordHash: bcrypt, logins: [azure] };
    const change = { id: 'the user here', now, was: [], key: undefined };
    const { key } = (await written('supabase', users + identities, change)) ?? {};
    expect(await rows('select id, identity_data, provider from auth.identities order by provider')).toEqual([
      { id: '1098', identity_data: { sub: '1098', email: azure.email }, provider: 'azure' },
      { id: key, identity_data: { sub: key, email: ada.email, email_verified: false }, provider: 'email' },
    ]);
    expect(await rows('select raw_user_meta_data as own from auth.users')).toEqual([
      { own: { name: 'Ada' } },
    ]);
  });

  it('has none for the email of a user who signs in with an account at a provider alone', async () => {
    const now = { ...ada, passwordHash: undefined, logins: [azure] };
    await written('supabase', users + identities, { id: 'the user here', now, was: [], key: undefined });
    expect(await rows('select provider from auth.identities')).toEqual([{ provider: 'azure' }]);
    expect(await rows('select encrypted_password as hash from auth.users')).toEqual([{ hash: null }]);
  });

  it.each([
    ['was removed there', uuid],
    ['has a key that is not one', '42'],
  ])('leaves a user alone who %s', async (_who, key) => {
    const tables = `${users} insert into auth.users (id, email, deleted_at) values ('${uuid}', 'a digest', now())`;
    const was = [{ ...former, passwordMark: null }];
    expect(await written('supabase', tables, { now: ada, was, key })).toEqual({ conflict: 'REMOVED_THERE' });
  });

  it('is not written by a role that does not see all rows', async () => {
    const role = `writer_${old.connection.database}`;
    const tables = `${users} alter table auth.users enable row level security; create role ${role};
      grant usage on schema auth to ${role}; grant select, insert, update, delete on auth.users to ${role};
      alter role ${old.connection.user} in database ${old.connection.database} set role ${role}`;
    const change = { id: 'the user here', now: ada, was: [], key: undefined };
    await expect(written('supabase', tables, change)).rejects.toThrow('row-level security');
  });
});

describe('Auth.js', () => {
  const accounts = `create table accounts (
    id serial primary key, "userId" integer, type text not null, provider text, "providerAccountId" text
  );`;
  const users = (more = '') =>
    `create table users (id serial primary key, name text, email text, "emailVerified" timestamptz ${more}); ${accounts}`;

  it('has no passwords without a column for them', async () => {
    const now = { ...ada, passwordHash: bcrypt, isVerified: true };
    const secondHashes = { [hashMark(bcrypt)]: bcrypt };
    const change = { now, was: [], key: undefined, secondHashes };
    const outcome = await written('authjs', users(), change, { hashKind: 'bcrypt' });
    expect(outcome).toEqual({ key: '1', mustReset: true, leftOut: ['PASSWORD'] });
    const before = [{ ...former, passwordMark: hashMark(bcrypt) }];
    const changedAgain = { ...now, email: 'ada@work.example', passwordHash: argon2 };
    expect(await again({ now: changedAgain, was: before, key: '1' })).toMatchObject({
      key: '1',
      mustReset: true,
    });
    expect(await rows('select name, email from users')).toEqual([{ name: null, email: 'ada@work.example' }]);
    expect(withoutPlace(table, now)).toEqual(['PASSWORD']);
  });

  it('does not take a user without a password for one who was written before', async () => {
    const tables = `${users()} insert into users (email) values ('${ada.email}')`;
    const outcome = await written('authjs', tables, { now: ada, was: [], key: undefined });
    expect(outcome).toEqual({ conflict: 'EMAIL_TAKEN' });
  });

  it.each([
    ['bcrypt', bcrypt.replace('$2b$', '$2y$'), bcrypt],
    ['argon2', argon2, argon2],
    ['argon2', bcrypt, null],
    [null, bcrypt, null],
  ])('has the hashes that its app makes, of the kind %s: %s', async (kind, passwordHash, there) => {
    const now = { ...ada, passwordHash, logins: [{ provider: 'google', userId: '1098' }] };
    const change = { now, was: [], key: undefined };
    const outcome = await written('authjs', users(', password text'), change, { hashKind: kind });
    expect(outcome).toMatchObject({ key: '1', mustReset: there === null });
    expect(await rows('select password from users')).toEqual([{ password: there }]);
    expect(await rows('select type, provider, "providerAccountId" as uid from accounts')).toEqual([
      { type: 'oauth', provider: 'google', uid: '1098' },
    ]);
  });
});

describe('of a realm of Keycloak', () => {
  const bare = { salt: 'XUgTeW4ExwC5iYTZSP61FA', key: 'v56e67Um9CJfBlMNEzfAyWP3YXYlWWLN6F2WYBY47TN5TkNIhW' };
  const longAgo = `$pbkdf2-sha512$i=210000,l=64$${bare.salt}$${bare.key}+zOdwIrSqcSMbzvNMYLK53oFlq7drMmy/39g`;
  const longAgoKey = '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a05';
  const root = '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a04';
  const ofRoot = `insert into federated_identity (identity_provider, realm_id, federated_user_id, user_id)
    values ('google', 'r0', '5', '${root}');`;

  it('a user may have an email, a name and an account that a user of another realm has', async () => {
    const now = {
      ...{ email: 'root@example.com', isVerified: true, metadata: { firstName: 'Ro', lastName: 'Ot' } },
      ...{ passwordHash: longAgo, timeJoined: Date.UTC(2025, 0, 1) },
      logins: [{ provider: 'google', userId: '5', email: 'root@gmail.com' }],
    };
    const tables = `${await tablesOf('keycloak')} ${ofRoot}
      update user_entity set username = email, email_constraint = email where id = '${root}'`;
    const outcome = await written(
      'keycloak',
      tables,
      { id: 'here', now, was: [], key: undefined },
      { realm: 'shop' },
    );
    expect(outcome).toEqual({
      key: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      mustReset: false,
      passwordMark: hashMark(longAgo),
    });
    const key = outcome?.key ?? '';
    const columns =
      'realm_id, username, email_verified, first_name, last_name, created_timestamp::text as at';
    expect(await rows(`select ${columns} from user_entity where id = '${key}'`)).toEqual([
      {
        ...{ realm_id: 'r1', username: now.email, email_verified: true, first_name: 'Ro', last_name: 'Ot' },
        at: String(now.timeJoined),
      },
    ]);
    expect(await rows(`select * from federated_identity where user_id = '${key}'`)).toMatchObject([
      {
        identity_provider: 'google',
        realm_id: 'r1',
        federated_user_id: '5',
        federated_username: 'root@gmail.com',
      },
    ]);
  });

  it('who is not the chosen one is not changed', async () => {
    const was = [{ ...former, email: 'root@example.com', passwordMark: null }];
    const now = { ...ada, email: 'new@example.com', passwordHash: undefined };
    const tables = await tablesOf('keycloak');
    expect(await written('keycloak', tables, { now, was, key: root }, { realm: 'shop' })).toEqual({
      conflict: 'REMOVED_THERE',
    });
  });

  it('a password whose salt is in the column of versions before 8 is replaced', async () => {
    const was = [{ ...former, email: 'long-ago@example.com', passwordMark: hashMark(longAgo) }];
    const now = { ...ada, email: 'long-ago@example.com', isVerified: true, passwordHash: argon2 };
    const tables = await tablesOf('keycloak');
    const outcome = await written('keycloak', tables, { now, was, key: longAgoKey });
    expect(outcome).toEqual({ key: longAgoKey, mustReset: false, passwordMark: hashMark(argon2) });
    const [row] = await rows(`select * from credential where user_id = '${longAgoKey}'`);
    expect(JSON.parse(String(row?.secret_data))).toEqual({
      value: 'dGFndGFndGFndGFndGFndGFndGFndGFndGFndGFndGE=',
      salt: 'c2FsdHNhbHRzYWx0c2FsdA==',
      additionalParameters: {},
    });
    expect(JSON.parse(String(row?.credential_data))).toEqual({
      hashIterations: 2,
      algorithm: 'argon2',
      additionalParameters: {
        ...{ hashLength: ['32'], memory: ['19456'], type: ['id'], version: ['1.3'], parallelism: ['1'] },
      },
    });
    expect(row?.created_date).toBe(String(Date.UTC(2026, 0, 1)));
  });

  it('has to be one that there is', async () => {
    const change = { now: ada, was: [], key: undefined };
    const tables = await tablesOf('keycloak');
    await expect(written('keycloak', tables, change, { realm: 'blog' })).rejects.toThrow(
      'There is no realm of that name: there is master, shop',
    );
    await engine.close();
    await expect(written('django', custom(''), change, { realm: 'shop' })).rejects.toThrow(
      '--realm: django has none, leave it out',
    );
  });
});

describe('of Kratos', () => {
  const key = '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11';
  const was = [{ ...former, passwordMark: null }];
  const emails = async () => ({
    identifiers: (await rows('select identifier as e from identity_credential_identifiers order by 1')).map(
      ({ e }) => e,
    ),
    addresses: (await rows('select value as e from identity_verifiable_addresses')).map(({ e }) => e),
    recovery: (await rows('select value as e from identity_recovery_addresses')).map(({ e }) => e),
  });
  const google = 'google:109876543210987654321';

  it('an email is changed wherever it is, and nothing else of the document', async () => {
    const tables = `${await tablesOf('kratos')} update identities
      set traits = '{"email": "ada@example.com", "number": 12345678901234567890}' where id = '${key}'`;
    const now = { ...ada, email: 'lovelace@example.com', passwordHash: undefined };
    expect(await written('kratos', tables, { now, was, key })).toEqual({ key, mustReset: false });
    expect(await rows(`select traits::text as traits from identities where id = '${key}'`)).toEqual([
      { traits: '{"email": "lovelace@example.com", "number": 12345678901234567890}' },
    ]);
    expect(await emails()).toEqual({
      identifiers: ['ada', google, now.email],
      addresses: [now.email],
      recovery: [now.email],
    });
  });

  it('a document without an email is left alone', async () => {
    const tables = `${await tablesOf('kratos')} update identities set traits = '{"mail": "ada@example.com"}'`;
    const before = 'ada@example.com';
    const now = { ...ada, email: 'lovelace@example.com', passwordHash: undefined };
    expect(await written('kratos', tables, { now, was, key })).toEqual({ conflict: 'REFUSED_THERE' });
    expect(await emails()).toEqual({
      identifiers: ['ada', before, google],
      addresses: [before],
      recovery: [before],
    });
  });

  it('a user without a password who gets one signs in with the email', async () => {
    const tables = `${await tablesOf('kratos')} delete from identity_credentials where config ? 'hashed_password'`;
    const now = { ...ada, passwordHash: argon2 };
    expect(await written('kratos', tables, { now, was, key })).toMatchObject({ key, mustReset: false });
    expect((await emails()).identifiers).toEqual([ada.email, google]);
    expect(
      await rows(`select config from identity_credentials where identity_id = '${key}' order by 1`),
    ).toContainEqual({ config: { hashed_password: argon2 } });
  });

  const providersOf = async (id: string) => {
    const [row] = await rows(`select config from identity_credentials
      where identity_id = '${id}' and config ? 'providers'`);
    return (row?.config as { providers: object[] } | undefined)?.providers;
  };
  const ofGoogle = { subject: '109876543210987654321', provider: 'google' };

  it('accounts at providers are added to the document, and removed from it', async () => {
    const github = { provider: 'github', userId: '77' };
    const joined = { ...former, id: 'm2', isNew: true, email: null, passwordMark: null };
    const now = { ...ada, passwordHash: undefined, logins: [github] };
    const change = { now, was: [...was, joined], key, methodIds: ['m2'] };
    expect(await written('kratos', await tablesOf('kratos'), change)).toEqual({ key, mustReset: false });
    const tokens = { initial_id_token: '', initial_access_token: '', initial_refresh_token: '' };
    expect(await providersOf(key)).toEqual([ofGoogle, { ...tokens, subject: '77', provider: 'github' }]);
    expect((await emails()).identifiers).toContain('github:77');

    const lost = { ...former, id: 'm2', thirdPartyId: 'github', thirdPartyUserId: '77', passwordMark: null };
    await engine.close();
    expect(
      await written('kratos', '', { now: { ...now, logins: [] }, was: [...was, lost], key, methodIds: [] }),
    ).toEqual({ key, mustReset: false });
    expect(await providersOf(key)).toEqual([ofGoogle]);
    expect((await emails()).identifiers).toEqual(['ada', ada.email, google]);
  });

  it('an account is another user’s in the spelling that the rows have', async () => {
    const tables = `${await tablesOf('kratos')}
      update identity_credentials set config = replace(config::text, '"google"', '"google-oauth2"')::jsonb;
      update identity_credential_identifiers set identifier = replace(identifier, 'google:', 'google-oauth2:')`;
    const logins = [
      { provider: 'google', userId: ofGoogle.subject },
      { provider: 'google', userId: '5' },
    ];
    const now = { ...ada, email: 'new@example.com', passwordHash: undefined, logins };
    const outcome = await written('kratos', tables, { id: 'here', now, was: [], key: undefined });
    expect(outcome).toMatchObject({ leftOut: ['LOGIN'] });
    expect(await providersOf(outcome?.key ?? '')).toMatchObject([
      { subject: '5', provider: 'google-oauth2' },
    ]);
    expect((await emails()).identifiers).toContain('google-oauth2:5');
  });

  it('an identifier that another identity has is not taken from it', async () => {
    const tables = `${await tablesOf('kratos')} update identity_credential_identifiers
      set identifier = 'lovelace@example.com' where identifier = 'ada'`;
    const now = { ...ada, email: 'lovelace@example.com', passwordHash: argon2 };
    const change = { id: 'here', now, was: [], key: undefined };
    expect(await written('kratos', tables, change)).toEqual({ conflict: 'EMAIL_TAKEN' });
  });
});
