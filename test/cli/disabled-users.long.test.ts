/** 200 disabled users of each system that has them, through the command into a whole core: none of them signs in. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { knownHash, knownPassword } from '../helpers/people.ts';
import { signPassword } from '../helpers/scrypt-variant.ts';
import { runHere } from '../helpers/command.ts';

const signerKey = Buffer.alloc(64, 7);
const count = 200;
/** Users after them in the same file who are not disabled: without these, no user could sign in anyway. */
const free = 5;

let core: TestCore;
let folder: string;

beforeAll(async () => {
  const settings = {
    PROVIDER_PASSWORD_HASHING_SIGNER_KEY: signerKey.toString('base64'),
    GUESSES_PER_ACCOUNT: '0',
    GUESSES_PER_ADDRESS: '0',
  };
  [core, folder] = await Promise.all([
    startTestCore({ settings }),
    mkdtemp(path.join(os.tmpdir(), 'carryover-')),
  ]);
});
afterAll(async () => {
  await Promise.all([core.stop(), rm(folder, { recursive: true, force: true })]);
});

const emailOf = (n: number) => `user${n}@example.com`;
const joined = '2024-01-01T00:00:00Z';
const later = '2999-01-01T00:00:00Z';
const [, , cost, digest = ''] = knownHash.split('$');
const variant = signPassword(knownPassword, signerKey);

interface Source {
  readonly from: string;
  readonly row: (n: number, isDisabled: boolean) => object;
  /** Around the rows; without it the rows are the file. */
  readonly wrapped?: (rows: readonly object[]) => unknown;
  /** Without hashes: the sign-in is that of the linked Google account. */
  readonly isSocial?: boolean;
  readonly flags?: readonly string[];
}

const sources: readonly Source[] = [
  {
    from: 'auth0',
    row: (n, blocked) => ({ user_id: `auth0|${n}`, email: emailOf(n), password_hash: knownHash, blocked }),
  },
  {
    from: 'aspnet-identity',
    row: (n, isDisabled) => ({
      Id: String(n),
      Email: emailOf(n),
      NormalizedEmail: '',
      PasswordHash: knownHash,
      LockoutEnabled: 1,
      LockoutEnd: isDisabled ? later : null,
    }),
  },
  {
    from: 'better-auth',
    row: (n, banned) => ({ id: String(n), email: emailOf(n), emailVerified: true, banned, banExpires: null }),
    wrapped: (user) => ({
      user,
      account: user.map((_, n) => ({
        id: `a${n}`,
        userId: String(n),
        accountId: String(n),
        providerId: 'credential',
        password: knownHash,
      })),
    }),
  },
  {
    from: 'clerk',
    row: (n, banned) => ({
      id: `user_${n}`,
      primary_email_address: emailOf(n),
      banned,
      password_digest: knownHash,
      password_hasher: 'bcrypt',
    }),
  },
  {
    from: 'cognito',
    isSocial: true,
    row: (n, isDisabled) => ({
      Username: String(n),
      Enabled: !isDisabled,
      UserStatus: 'CONFIRMED',
      UserCreateDate: joined,
      Attributes: [
        { Name: 'sub', Value: String(n) },
        { Name: 'email', Value: emailOf(n) },
        { Name: 'identities', Value: JSON.stringify([{ userId: `g${n}`, providerName: 'Google' }]) },
      ],
    }),
    wrapped: (Users) => ({ Users }),
  },
  {
    from: 'devise',
    row: (n, isDisabled) => ({
      id: n,
      email: emailOf(n),
      encrypted_password: knownHash,
      confirmed_at: joined,
      banned_at: isDisabled ? joined : null,
    }),
  },
  {
    from: 'django',
    row: (n, isDisabled) => ({
      model: 'auth.user',
      pk: n,
      fields: {
        email: emailOf(n),
        password: `bcrypt$${knownHash}`,
        last_login: null,
        date_joined: joined,
        is_active: !isDisabled,
      },
    }),
  },
  {
    from: 'firebase',
    row: (n, disabled) => ({
      localId: `f${n}`,
      email: emailOf(n),
      disabled,
      createdAt: '1704067200000',
      passwordHash: variant.hash,
      salt: variant.salt,
    }),
    wrapped: (users) => ({ users }),
    flags: ['--firebase-mem-cost', '4', '--firebase-rounds', '8', '--firebase-salt-separator', 'Bw=='],
  },
  {
    from: 'fusionauth',
    row: (n, isDisabled) => ({
      id: String(n),
      email: emailOf(n),
      active: !isDisabled,
      password: knownHash,
      encryptionScheme: 'bcrypt',
      insertInstant: 1_704_067_200_000,
    }),
    wrapped: (users) => ({ users }),
  },
  {
    from: 'keycloak',
    isSocial: true,
    row: (n, isDisabled) => ({
      id: `k${n}`,
      username: `user${n}`,
      email: emailOf(n),
      enabled: !isDisabled,
      federatedIdentities: [{ identityProvider: 'google', userId: `g${n}` }],
    }),
    wrapped: (users) => ({ realm: 'demo', users }),
  },
  {
    from: 'kratos',
    row: (n, isDisabled) => ({
      id: `i${n}`,
      schema_id: 'default',
      traits: { email: emailOf(n) },
      state: isDisabled ? 'inactive' : 'active',
      credentials: { password: { config: { hashed_password: knownHash } } },
    }),
  },
  {
    from: 'laravel',
    row: (n, isDisabled) => ({
      id: n,
      email: emailOf(n),
      password: knownHash,
      remember_token: null,
      email_verified_at: null,
      is_active: isDisabled ? 0 : 1,
    }),
  },
  {
    from: 'logto',
    row: (n, isSuspended) => ({
      id: `l${n}`,
      primaryEmail: emailOf(n),
      isSuspended,
      passwordEncrypted: knownHash,
      passwordEncryptionMethod: 'Bcrypt',
    }),
  },
  {
    from: 'okta',
    row: (n, isDisabled) => ({
      id: `00u${n}`,
      status: isDisabled ? 'SUSPENDED' : 'ACTIVE',
      profile: { email: emailOf(n) },
      credentials: {
        password: {
          hash: {
            algorithm: 'BCRYPT',
            workFactor: Number(cost),
            salt: digest.slice(0, 22),
            value: digest.slice(22),
          },
        },
      },
    }),
  },
  {
    from: 'spring',
    row: (n, isDisabled) => ({
      username: emailOf(n),
      password: `{bcrypt}${knownHash}`,
      enabled: !isDisabled,
    }),
  },
  {
    from: 'supabase',
    row: (n, isDisabled) => ({
      id: `s${n}`,
      aud: 'authenticated',
      email: emailOf(n),
      encrypted_password: knownHash,
      banned_until: isDisabled ? later : null,
    }),
  },
  {
    from: 'wordpress',
    row: (n, isDisabled) => ({
      ID: n + 1,
      user_login: `user${n}`,
      user_email: emailOf(n),
      user_pass: knownHash,
      spam: isDisabled ? '1' : '0',
    }),
  },
];

const run = (args: readonly string[]) =>
  runHere([...args, '--url', core.url], {
    environment: { CARRYOVER_API_KEY: testApiKey, XDG_STATE_HOME: folder },
    folder,
  });

describe.each(sources)('$from', ({ from, row, wrapped = (rows) => rows, flags = [], isSocial = false }) => {
  const prefix = `/appid-${from}`;
  const all = Array.from({ length: count + free }, (_, n) => n);
  const write = (disabled: number) =>
    writeFile(
      path.join(folder, `${from}.json`),
      JSON.stringify(wrapped(all.map((n) => row(n, n < disabled)))),
    );
  const where = ['--from', from, '--app', from, ...flags];
  const bring = (...more: string[]) => run(['import', '--yes', `${from}.json`, ...where, '--json', ...more]);

  const signIn = async (n: number): Promise<unknown> => {
    const email = emailOf(n);
    const { body } = isSocial
      ? await core.post(`${prefix}/recipe/signinup`, {
          thirdPartyId: 'google',
          thirdPartyUserId: `g${n}`,
          email: { id: email },
        })
      : await core.post(`${prefix}/recipe/signin`, { email, password: knownPassword });
    return body.status;
  };
  /** The number of times that each status word is the answer. */
  const attempts = async (who: readonly number[]): Promise<Record<string, number>> => {
    const words: Record<string, number> = {};
    const left = [...who];
    const worker = async () => {
      for (let n = left.pop(); n !== undefined; n = left.pop()) {
        const word = String(await signIn(n));
        words[word] = (words[word] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    return words;
  };
  const refused = isSocial ? 'SIGN_IN_UP_NOT_ALLOWED' : 'WRONG_CREDENTIALS_ERROR';

  it('is imported whole, and no disabled user signs in', async () => {
    await core.put('/recipe/multitenancy/app/v2', { appId: from });
    await write(count);
    const { code, stdout, stderr } = await bring();
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    const byState = { canSignIn: free, disabled: count };
    expect(JSON.parse(stdout)).toMatchObject({ rejected: 0, job: { created: count + free, byState } });
    // Once it is in the row, a restriction works the same for every source, so only one tries all users.
    const who = all.filter((n) => from === sources[0]?.from || n % 10 === 0 || n >= count);
    expect(await attempts(who)).toEqual({ [refused]: who.length - free, OK: free });
  });

  it('brings no change when it comes again, and lifts it for users for which the source has lifted it', async () => {
    expect(JSON.parse((await bring()).stdout)).toMatchObject({ job: { unchanged: count + free } });
    await write(3);
    const { stdout } = await bring();
    expect(JSON.parse(stdout)).toMatchObject({ job: { updated: count - 3 } });
    expect(await attempts(all.slice(0, 30))).toEqual({ [refused]: 3, OK: 27 });
  });
});

it('takes no --include-disabled, which let them in', async () => {
  await writeFile(path.join(folder, 'some.json'), JSON.stringify([sources[0]?.row(1, true)]));
  const { code, stderr } = await run(['import', '--yes', 'some.json', '--include-disabled']);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/imported as disabled: leave --include-disabled out/);
});

it('says how many they are, before and after, in words', async () => {
  const rows = Array.from({ length: 8 }, (_, n) => sources[0]?.row(n, n < 3));
  await writeFile(path.join(folder, 'words.json'), JSON.stringify(rows));
  await core.put('/recipe/multitenancy/app/v2', { appId: 'words' });
  const words =
    / {2}5 can sign in today\n {4}5 with the old password, by the format of their hashes\n {2}3 restricted: .*\n {4}3 disabled at the source\n {2}0 not imported\n/;
  for (const more of [
    ['inspect', 'words.json'],
    ['import', '--yes', 'words.json', '--dry-run'],
    ['import', '--yes', 'words.json'],
    ['status'],
  ])
    expect((await run([...more, '--app', 'words'])).stdout).toMatch(words);
});
