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

async function written(system: string, tables: string, change: UserChange, hashKind: string | null = null) {
  await old.run(tables);
  const provider = requireDatabaseProvider(system);
  engine = await openToWrite(provider, { text: old.address, password: undefined, environment: {} });
  const naming = { schema: undefined, prefix: '', usersTable: undefined };
  table = await openUserTable(provider, engine, naming);
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
    const outcome = await written('devise', users(''), change, kind);
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
    const outcome = await written('devise', users(columns, 'uuid primary key'), change, 'bcrypt');
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
    const outcome = await written('devise', tables, { now, was: [], key: undefined }, 'bcrypt');
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
    await written('devise', tables, { now: plain, was: [], key: undefined }, 'bcrypt');
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
    const outcome = await written('authjs', users(), change, 'bcrypt');
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
    const outcome = await written('authjs', users(', password text'), change, kind);
    expect(outcome).toMatchObject({ key: '1', mustReset: there === null });
    expect(await rows('select password from users')).toEqual([{ password: there }]);
    expect(await rows('select type, provider, "providerAccountId" as uid from accounts')).toEqual([
      { type: 'oauth', provider: 'google', uid: '1098' },
    ]);
  });
});
