/** Old systems that changes are written back to, as the tests of test/cli/write-back-systems.test.ts need them. */
import { expect } from 'vitest';
import { isRightForBetterAuth } from './better-auth.ts';
import { hasMariadb } from './mariadb.ts';
import type { WrittenDatabase } from './write-back.ts';

/** Statements quote names as PostgreSQL does. */
export interface WrittenSystem {
  readonly name: string;
  readonly engines: readonly ('PostgreSQL' | 'MariaDB')[];
  /** Ada's key. */
  readonly ada: string;
  /** Fields of her login method. */
  readonly imported: object;
  readonly password: string;
  /** Statements that leave those users alone that a follower imports without a reject. */
  readonly only?: string;
  /** Selects key, email, name, password and verified of each user. */
  readonly rows: string;
  readonly tables: readonly string[];
  readonly newKey: RegExp;
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

const ofBetterAuth =
  '7ab7c2948684825e6871bc1cbdc2491d:5d5b42428e02c637c6b3b0183df852c3d128edd1e0191b5a202afb0c5158842a9f9f844bf8a4bc289832b310d48eff4781933d330b3eaf0a507d257a1f190de8';

export const writtenSystems: readonly WrittenSystem[] = [
  {
    name: 'better-auth',
    engines: ['PostgreSQL', ...(hasMariadb ? (['MariaDB'] as const) : [])],
    ada: 'k3JxQm4Vt7NhRb1LpZcYwAe3Gs0fUd2T',
    imported: { passwordHash: ofBetterAuth, hashingAlgorithm: 'better_auth' },
    password: 'correct horse battery staple',
    rows: `select u.id as "key", u.email, u.name, u."emailVerified" as "verified", a.password from "user" u
      left join account a on a."userId" = u.id and a."providerId" = 'credential' order by u.id`,
    tables: ['user', 'account', 'session'],
    newKey: /^[A-Za-z0-9]{32}$/,
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
];
