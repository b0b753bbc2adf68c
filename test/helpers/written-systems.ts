/** Old systems that changes are written back to, as the tests of test/cli/write-back-systems.test.ts need them. */
import { verifySync } from '@node-rs/argon2';
import { expect } from 'vitest';
import { isRightForBetterAuth } from './better-auth.ts';
import { isRightForKeycloak } from './keycloak.ts';
import { hasMariadb } from './mariadb.ts';
import { askPhp, hasPhp, isRightForWordpress } from './php.ts';
import type { WrittenDatabase } from './write-back.ts';

/** Statements quote names as PostgreSQL does. */
export interface WrittenSystem {
  readonly name: string;
  /** For people. */
  readonly as: string;
  readonly engines: readonly ('PostgreSQL' | 'MariaDB')[];
  /** Ada's key. */
  readonly ada: string;
  /** Of the app here. */
  readonly settings?: object;
  /** Flags of a follower. */
  readonly follows?: readonly string[];
  /** Fields of her login method. */
  readonly imported: object;
  readonly password: string;
  /** Statements that leave those users alone that a follower imports without a reject. */
  readonly only?: string;
  /** Selects key, email, name, password and verified of each user. */
  readonly rows: string;
  /** Quoted. */
  readonly tables: readonly string[];
  readonly newKey: RegExp;
  /** Of new@example.com. */
  readonly newName: string | null;
  readonly newHash: RegExp;
  /** Of a user without a password; empty for null. */
  readonly noHash: RegExp;
  readonly otherHash: string;
  readonly setEmail: (key: string, email: string) => string;
  readonly setPassword: (key: string, hash: string) => string;
  /** A row of the user that no write-back has made. */
  readonly session?: (key: string) => string;
  /** A key as it is in the JSON of rows. */
  readonly isIn: (key: string) => string;
  /** What else a new user needs there. */
  readonly checkNew?: (old: WrittenDatabase, key: string) => Promise<void>;
  readonly hasVerified: boolean;
  readonly hasLogins: boolean;
  /** Whether the system's own verification is on this machine. */
  readonly judges: boolean;
  readonly isRight: (hash: string, password: string) => boolean;
}

const inBoth: WrittenSystem['engines'] = ['PostgreSQL', ...(hasMariadb ? (['MariaDB'] as const) : [])];

const pepper = 'demo-pepper';
const plainBcrypt = '$2a$04$Bt0Qbb3rbR0ZEzgNGO0AyOMv8/oi3YNbgdzZ2v35tzW1jkuGyWEgu';

const ofBetterAuth =
  '7ab7c2948684825e6871bc1cbdc2491d:5d5b42428e02c637c6b3b0183df852c3d128edd1e0191b5a202afb0c5158842a9f9f844bf8a4bc289832b310d48eff4781933d330b3eaf0a507d257a1f190de8';

const ofKratos =
  '$argon2id$v=19$m=131072,t=3,p=4$MSU4TiGgCxveOXKSbFqA6A$maMO9kIJ0iGGzaRu5k0FRIhe/aV21iu+kvWZRIgCd/A';

export const writtenSystems: readonly WrittenSystem[] = [
  {
    name: 'better-auth',
    as: 'better-auth',
    engines: inBoth,
    ada: 'k3JxQm4Vt7NhRb1LpZcYwAe3Gs0fUd2T',
    imported: { passwordHash: ofBetterAuth, hashingAlgorithm: 'better_auth' },
    password: 'correct horse battery staple',
    rows: `select u.id as "key", u.email, u.name, u."emailVerified" as "verified", a.password from "user" u
      left join account a on a."userId" = u.id and a."providerId" = 'credential' order by u.id`,
    tables: ['"user"', 'account', '"session"'],
    newKey: /^[A-Za-z0-9]{32}$/,
    newName: 'new',
    newHash: /^[0-9a-f]{32}:[0-9a-f]{128}$/,
    noHash: /^$/,
    otherHash: ofBetterAuth.replace('7ab7', '7ab8'),
    setEmail: (key, email) => `update "user" set email = '${email}' where id = '${key}'`,
    setPassword: (key, hash) =>
      `update account set password = '${hash}' where "userId" = '${key}' and "providerId" = 'credential'`,
    session: (key) =>
      `insert into "session" ("id", "expiresAt", "token", "userId") values ('s1', '2030-01-01', 't', '${key}')`,
    isIn: (key) => `"${key}"`,
    async checkNew(old, key) {
      const rows = await old.rows(`select * from account`);
      const made = rows.filter((row) => row.userId === key);
      expect(made).toMatchObject([{ providerId: 'credential', accountId: key }]);
    },
    hasVerified: true,
    hasLogins: true,
    judges: true,
    isRight: isRightForBetterAuth,
  },
  {
    name: 'keycloak',
    as: 'Keycloak',
    engines: inBoth,
    ada: '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01',
    imported: {
      passwordHash:
        '$argon2id$v=19$m=7168,t=5,p=1$XUgTeW4ExwC5iYTZSP61FA$SsrRS+iiBjp+wjy5uJneIniBryY7NyxromvRlZ34Ems',
    },
    password: 'correct horse battery staple',
    only: `delete from credential where id <> 'p1';
      delete from user_entity where realm_id = 'r1' and username <> 'ada'`,
    rows: `select u.id as "key", u.email, u.first_name as name, case when u.email_verified then 1 else 0 end as "verified",
        concat_ws(' ', c.secret_data, c.credential_data) as password
      from user_entity u left join credential c on c.user_id = u.id and c.type = 'password'
      where u.realm_id = 'r1' order by u.id`,
    tables: [
      'user_entity',
      'credential',
      'federated_identity',
      'user_role_mapping',
      'user_group_membership',
      'user_consent',
      'user_consent_client_scope',
      'offline_user_session',
      'offline_client_session',
    ],
    newKey: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    newName: null,
    newHash: /^\{"value":"[^"]{44}","salt":"[^"]+",.*"algorithm":"argon2".*"memory":\["7168"\]/,
    noHash: /^$/,
    otherHash: `{"value":"AA==","salt":"AA=="} {"hashIterations":1,"algorithm":"pbkdf2-sha256"}`,
    setEmail: (key, email) =>
      `update user_entity set email = '${email}', email_constraint = '${email}' where id = '${key}'`,
    setPassword(key, hash) {
      const [secret = '', data = ''] = hash.split(' ');
      return `update credential set secret_data = '${secret}', credential_data = '${data}' where user_id = '${key}'`;
    },
    session: (key) =>
      `insert into user_consent values ('co1', 'c1', '${key}', 0);
      insert into user_consent_client_scope values ('co1', 'openid');
      insert into offline_user_session values ('se1', '${key}', 'r1', 0, '0', '{}');
      insert into offline_client_session values ('se1', 'c1', '0', '{"${key}": 1}')`,
    isIn: (key) => `"${key}"`,
    async checkNew(old, key) {
      const [row] = await old.rows(
        `select username, email_constraint, realm_id, case when enabled then 1 else 0 end as enabled
          from user_entity where id = '${key}'`,
      );
      const email = 'new@example.com';
      expect(row).toEqual({ username: email, email_constraint: email, realm_id: 'r1', enabled: 1 });
      const roles = await old.rows(`select role_id from user_role_mapping where user_id = '${key}'`);
      const groups = await old.rows(`select * from user_group_membership where user_id = '${key}'`);
      expect([roles, groups]).toEqual([
        [{ role_id: 'ro0' }],
        [{ group_id: 'g1', user_id: key, membership_type: 'UNMANAGED' }],
      ]);
    },
    hasVerified: true,
    hasLogins: true,
    judges: true,
    isRight: isRightForKeycloak,
  },
  {
    name: 'kratos',
    as: 'Kratos',
    engines: inBoth,
    ada: '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11',
    imported: { passwordHash: ofKratos },
    password: 'correct horse battery staple',
    only: `delete from identities where state = 'inactive'`,
    rows: `select i.id as "key", i.traits->>'email' as email, null as name, case when a.verified then 1 else 0 end as "verified",
        c.config->>'hashed_password' as password
      from identities i left join identity_verifiable_addresses a on a.identity_id = i.id
      left join identity_credentials c on c.identity_id = i.id and c.identity_credential_type_id in (
        select t.id from identity_credential_types t where t.name = 'password'
      ) order by i.id`,
    tables: [
      'identities',
      'identity_credentials',
      'identity_credential_identifiers',
      'identity_verifiable_addresses',
      'identity_recovery_addresses',
    ],
    newKey: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    newName: null,
    newHash: /^\$argon2id\$v=19\$m=131072,t=3,p=4\$/,
    noHash: /^$/,
    otherHash: ofKratos.replace('MSU4', 'MSU5'),
    setEmail: (key, email) => `update identities set traits = '{"email": "${email}"}' where id = '${key}'`,
    setPassword: (key, hash) =>
      `update identity_credentials set config = '{"hashed_password": "${hash}"}' where identity_id = '${key}'
        and identity_credential_type_id in (select id from identity_credential_types where name = 'password')`,
    isIn: (key) => `"${key}"`,
    async checkNew(old, key) {
      const identity = await old.rows(`select schema_id, state from identities where id = '${key}'`);
      const [by] = await old.rows(`select i.identifier, t.name
        from identity_credentials c join identity_credential_identifiers i on i.identity_credential_id = c.id
        join identity_credential_types t on t.id = i.identity_credential_type_id where c.identity_id = '${key}'`);
      const addresses = await old.rows(`select via, value, status from identity_verifiable_addresses
        where identity_id = '${key}'`);
      const recovery = await old.rows(
        `select via, value from identity_recovery_addresses where identity_id = '${key}'`,
      );
      const address = { via: 'email', value: 'new@example.com' };
      expect([identity, by, addresses, recovery]).toEqual([
        [{ schema_id: 'default', state: 'active' }],
        { identifier: 'new@example.com', name: 'password' },
        [{ ...address, status: 'pending' }],
        [address],
      ]);
    },
    hasVerified: true,
    hasLogins: true,
    judges: true,
    isRight: verifySync,
  },
  ofWordpress('WordPress', '$wp$2y$10$uSV0HAPIzx9TatTn7ifS/urE5P2hWVFUO/WUcdoclqVP8j1OrDbE.', {
    newHash: /^\$wp\$2y\$10\$/,
  }),
  ofWordpress('WordPress before 6.8', '$P$BQ7vT2mXzsfi8s4YVfCoybEqjxAfW81', { newHash: /^\$P\$B/ }),
  ofDevise('Devise', inBoth, plainBcrypt),
  {
    ...ofDevise(
      'Devise with a pepper',
      ['PostgreSQL'],
      '$2a$04$t5Rd9vaq1BA05ixFaSOSk.HrfWGZkVVXf5XycrBhOsnABWjMDKWL.',
      pepper,
    ),
    settings: { bcrypt_pepper: pepper },
    follows: ['--pepper', pepper],
  },
  {
    name: 'authjs',
    as: 'Auth.js',
    engines: inBoth,
    ada: 'cljn3x7y00000356z8demo01',
    imported: { passwordHash: plainBcrypt },
    password: 'correct horse battery staple',
    only: `delete from "account"; delete from "user" where email = 'bob@example.com';
      update "user" set "hashed_password" = '${plainBcrypt}'`,
    rows: `select id as "key", email, name, "hashed_password" as password, "email_verified" is not null as "verified"
      from "user" order by id`,
    tables: ['"user"', '"account"', '"session"'],
    newKey: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    newName: null,
    newHash: /^\$2b\$04\$/,
    noHash: /^$/,
    otherHash: '$2a$04$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2',
    setEmail: (key, email) => `update "user" set email = '${email}' where id = '${key}'`,
    setPassword: (key, other) => `update "user" set "hashed_password" = '${other}' where id = '${key}'`,
    session: (key) =>
      `insert into "session" ("session_token", "user_id", "expires") values ('s1', '${key}', '2030-01-01')`,
    isIn: (key) => `"${key}"`,
    hasVerified: true,
    hasLogins: true,
    judges: hasPhp,
    isRight: (hash, password) => askPhp(hash, password).isRight,
  },
  {
    name: 'supabase',
    as: 'Supabase',
    engines: ['PostgreSQL'],
    ada: '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11',
    imported: { passwordHash: plainBcrypt },
    password: 'correct horse battery staple',
    only: `delete from auth.users where email is null; delete from auth.identities where provider = 'google';
      update auth.users set encrypted_password = '${plainBcrypt}'`,
    rows: `select id as "key", email, raw_user_meta_data ->> 'name' as name, encrypted_password as password,
      email_confirmed_at is not null as "verified" from auth.users order by id`,
    tables: ['auth.users', 'auth.identities'],
    newKey: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    newName: null,
    newHash: /^\$2a\$04\$/,
    noHash: /^$/,
    otherHash: '$2a$04$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2',
    setEmail: (key, email) => `update auth.users set email = '${email}' where id = '${key}'`,
    setPassword: (key, other) => `update auth.users set encrypted_password = '${other}' where id = '${key}'`,
    session: (key) =>
      `insert into auth.identities (user_id, provider, provider_id, identity_data) values ('${key}', 'github', '7', '{}')`,
    isIn: (key) => `"${key}"`,
    async checkNew(old, key) {
      // As GoTrue reads a user, who it does not find or cannot read otherwise.
      const [row] = await old.rows(
        `select * from auth.users where instance_id = '00000000-0000-0000-0000-000000000000' and lower(email) = 'new@example.com'
           and aud = 'authenticated' and is_sso_user = false`,
      );
      expect(row).toMatchObject({
        id: key,
        confirmation_token: '',
        recovery_token: '',
        email_change_token_new: '',
        email_change: '',
        raw_app_meta_data: { provider: 'email', providers: ['email'] },
        created_at: expect.any(Date) as Date,
        updated_at: expect.any(Date) as Date,
      });
      expect(await old.rows(`select * from auth.identities where user_id = '${key}'`)).toMatchObject([
        {
          provider: 'email',
          provider_id: key,
          identity_data: { sub: key, email: 'new@example.com', email_verified: false },
          email: 'new@example.com',
        },
      ]);
      const [ada] = await old.rows(`select * from auth.identities where email = 'ada.lovelace@example.com'`);
      expect(ada).toMatchObject({ provider: 'email', identity_data: { phone_verified: false } });
    },
    hasVerified: true,
    hasLogins: true,
    judges: hasPhp,
    isRight: (hash, password) => askPhp(hash, password).isRight,
  },
];

/** @param added what the app adds to a password: Devise's `config.pepper` */
function ofDevise(as: string, engines: WrittenSystem['engines'], hash: string, added = ''): WrittenSystem {
  return {
    name: 'devise',
    as,
    engines,
    ada: '43',
    imported: { passwordHash: hash, ...(added !== '' && { hashingAlgorithm: 'bcrypt_peppered' }) },
    password: 'correct horse battery staple',
    only: `delete from identities; delete from users where id <> 43;
      update users set email = 'ada@example.com', confirmed_at = created_at, banned_at = null, encrypted_password = '${hash}'`,
    rows: `select id as "key", email, name, encrypted_password as password, confirmed_at is not null as "verified"
      from users order by id`,
    tables: ['users', 'identities'],
    newKey: /^10\d$/,
    newName: 'new',
    newHash: /^\$2a\$04\$/,
    noHash: /^\$2a\$12\$\.{22}/,
    otherHash: '$2a$04$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2',
    setEmail: (key, email) => `update users set email = '${email}' where id = ${key}`,
    setPassword: (key, other) => `update users set encrypted_password = '${other}' where id = ${key}`,
    session: (key) =>
      `insert into identities (user_id, provider, uid, created_at, updated_at)
       values (${key}, 'github', '7', '2024-01-01', '2024-01-01')`,
    isIn: (key) => `:${key},`,
    async checkNew(old, key) {
      const [row] = await old.rows(`select * from users where id = ${key}`);
      expect(row).toMatchObject({
        confirmed_at: null,
        created_at: expect.any(Date) as Date,
        updated_at: expect.any(Date) as Date,
      });
    },
    hasVerified: true,
    hasLogins: true,
    judges: hasPhp,
    isRight: (stored, password) => askPhp(stored, password + added).isRight,
  };
}

function ofWordpress(as: string, hash: string, { newHash }: Pick<WrittenSystem, 'newHash'>): WrittenSystem {
  return {
    name: 'wordpress',
    as,
    engines: hasMariadb ? ['MariaDB'] : [],
    ada: '42',
    imported: { passwordHash: hash, passwordTransforms: 'slashed,trimmed|trimmed' },
    password: 'correct horse battery staple',
    // The greatest key that there can be leaves none for a new row.
    only: `delete from wp_users where ID not in (42, 45); alter table wp_users auto_increment = 100;
      update wp_users set user_pass = '${hash}' where ID = 42`,
    rows: 'select ID as "key", user_email as email, display_name as name, user_pass as password from wp_users order by ID',
    tables: ['wp_users', 'wp_usermeta'],
    newKey: /^10\d$/,
    newName: 'new',
    newHash,
    noHash: /^![\w-]{31}$/,
    otherHash: '$P$BQ7vT2mXzsfi8s4YVfCoybEqjxAfW82',
    setEmail: (key, email) => `update wp_users set user_email = '${email}' where ID = ${key}`,
    setPassword: (key, other) => `update wp_users set user_pass = '${other}' where ID = ${key}`,
    session: (key) =>
      `insert into wp_usermeta (user_id, meta_key, meta_value) values (${key}, 'session_tokens', '')`,
    isIn: (key) => `:${key},`,
    async checkNew(old, key) {
      const [row] = await old.rows(`select * from wp_users where ID = ${key}`);
      expect(row).toMatchObject({
        user_login: 'new@example.com',
        user_nicename: expect.stringMatching(/^new-[0-9a-f]{8}$/) as string,
        user_url: '',
        user_status: 0,
      });
      const meta = await old.rows(`select meta_key, meta_value from wp_usermeta where user_id = ${key}`);
      expect(meta).toContainEqual({
        meta_key: 'wp_capabilities',
        meta_value: 'a:1:{s:10:"subscriber";b:1;}',
      });
    },
    hasVerified: false,
    hasLogins: false,
    judges: hasPhp,
    isRight: isRightForWordpress,
  };
}
