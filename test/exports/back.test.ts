/** Files for the import of an old system: what they say is what the system's own format says, by reading it back. */
import { pbkdf2Sync } from 'node:crypto';
import { hashSync } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { findBackFormat } from '../../src/exports/back/index.ts';
import {
  type BackChange,
  type BackMethod,
  type BackRecord,
  changedOf,
  newIdOf,
  personOf,
} from '../../src/exports/back/person.ts';
import { findProvider } from '../../src/exports/providers/index.ts';
import { pbkdf2String } from '../../src/hashes/fields.ts';
import type { SourceRow } from '../../src/exports/providers/provider.ts';
import { convertRow, isRight, methodsOf } from '../helpers/framework-exports.ts';
import { knownHash, knownPassword } from '../helpers/people.ts';

const core = '0190aaaa-0000-7000-8000-000000000001';
const argon2 = hashSync(knownPassword, { memoryCost: 64, timeCost: 2, parallelism: 1 });
const joined = Date.UTC(2024, 0, 2);

const method = (more: Partial<BackMethod> = {}): BackMethod => ({
  recipeId: 'emailpassword',
  email: 'ada@example.com',
  isVerified: true,
  passwordHash: knownHash,
  hashingAlgorithm: 'bcrypt',
  timeJoinedInMSSinceEpoch: joined,
  ...more,
});

const record = (more: Partial<BackRecord> = {}): BackRecord => ({ loginMethods: [method()], ...more });
const changeTo = (to: BackRecord, more: Partial<BackChange> = {}): BackChange => ({
  id: core,
  was: [],
  oldId: null,
  record: to,
  methods: to.loginMethods.map((_, at) => ({ id: `method-${at}` })),
  isRemoval: false,
  ...more,
});

/** @param to a new user, unless it has an external id */
function written(system: string, to: BackRecord, more: Partial<BackChange> = {}) {
  const result = findBackFormat(system)?.write(personOf(changeTo(to, more), to, ''));
  if (result === undefined || !('user' in result)) throw new Error(`not written: ${JSON.stringify(result)}`);
  return result;
}

/** Reads it as an export of the system. */
function readBack(system: string, user: object, more: SourceRow = {}) {
  const provider = findProvider(system);
  if (provider === undefined) throw new Error(`no ${system}`);
  const row = JSON.parse(JSON.stringify({ ...user, ...more })) as SourceRow;
  return convertRow(provider, row, {}, provider.prepare?.({}) ?? {});
}

const withArgon2 = record({
  loginMethods: [method({ passwordHash: argon2, hashingAlgorithm: 'argon2' })],
});

const salt = Buffer.from('a salt of 16 byt');
const pbkdf2 = { digest: 'sha256', iterations: 1000, salt } as const;
const key = pbkdf2Sync(knownPassword, salt, pbkdf2.iterations, 64, pbkdf2.digest);
const withPbkdf2 = record({
  loginMethods: [method({ passwordHash: pbkdf2String({ ...pbkdf2, key }), hashingAlgorithm: 'pbkdf2' })],
});

describe.each([
  ['firebase', record(), {}],
  ['auth0', record(), {}],
  ['auth0', withArgon2, {}],
  ['clerk', record(), { primary_email_address: 'ada@example.com' }],
  ['clerk', withArgon2, { primary_email_address: 'ada@example.com' }],
  ['fusionauth', record(), {}],
  ['keycloak', withArgon2, {}],
  ['keycloak', withPbkdf2, {}],
  ['supertokens', record(), {}],
  ['supertokens', withArgon2, {}],
] as const)('a new user for %s', (system, to, more) => {
  it(`has the password, the email and the join date (${to.loginMethods[0]?.hashingAlgorithm ?? ''})`, () => {
    const { user, takesPassword } = written(system, to);
    expect(takesPassword).toBe(true);
    const conversion = readBack(system, user, more);
    expect([isRight(conversion, knownPassword), isRight(conversion, 'wrong')]).toEqual([true, false]);
    expect(methodsOf(conversion)[0]).toMatchObject({
      email: 'ada@example.com',
      ...(system !== 'clerk' && { isVerified: true }),
      ...(system !== 'auth0' && { timeJoinedInMSSinceEpoch: joined }),
    });
  });
});

it('PHP’s prefix becomes the one that others read', () => {
  const to = record({ loginMethods: [method({ passwordHash: knownHash.replace('$2b$', '$2y$') })] });
  expect(written('auth0', to).user).toMatchObject({ custom_password_hash: { hash: { value: knownHash } } });
});

describe('Firebase', () => {
  const own = '$f_scrypt$bGFzdA==$c2FsdA==$m=14$r=8$s=Bw==';

  it('gets its own hashes in a file of their own, since one import has one kind', () => {
    const to = record({ loginMethods: [method({ passwordHash: own, hashingAlgorithm: 'firebase_scrypt' })] });
    const { user, group } = written('firebase', to);
    expect([group, user]).toEqual([
      'scrypt-rounds8-mem14',
      expect.objectContaining({ passwordHash: 'bGFzdA==', salt: 'c2FsdA==' }),
    ]);
    expect(written('firebase', record()).group).toBe('bcrypt');
  });

  it('gets only keys and providers that its command accepts', () => {
    const social = (thirdPartyId: string): BackMethod => ({
      recipeId: 'thirdparty',
      thirdPartyId,
      thirdPartyUserId: `${thirdPartyId}-1`,
      email: 'ada@example.com',
    });
    const to = record({
      externalUserId: 'ada-id',
      userMetadata: {
        name: 'Ada',
        picture: 'https://example.com/a.png',
        customClaims: { plan: 'pro' },
        x: 1,
      },
      loginMethods: [
        method(),
        social('google'),
        social('apple'),
        { recipeId: 'passwordless', phoneNumber: '+441632960001' },
      ],
    });
    const user = JSON.parse(JSON.stringify(written('firebase', to).user)) as Record<string, unknown>;
    expect(user).toEqual({
      localId: 'ada-id',
      email: 'ada@example.com',
      emailVerified: true,
      passwordHash: Buffer.from(knownHash).toString('base64'),
      displayName: 'Ada',
      photoUrl: 'https://example.com/a.png',
      createdAt: String(joined),
      phoneNumber: '+441632960001',
      disabled: false,
      customAttributes: '{"plan":"pro"}',
      providerUserInfo: [{ providerId: 'google.com', rawId: 'google-1', email: 'ada@example.com' }],
    });
  });
});

describe('a hash that a system cannot verify', () => {
  it.each(['firebase', 'auth0', 'clerk', 'cognito', 'fusionauth', 'keycloak', 'supertokens'])(
    'is not given to %s as a password',
    (system) => {
      const strange = '$1$c2FsdA$aGFzaA';
      const { user, takesPassword } = written(
        system,
        record({ loginMethods: [method({ passwordHash: strange })] }),
      );
      expect([takesPassword, JSON.stringify(user).includes('aGFzaA')]).toEqual([false, false]);
      const peppered = method({ passwordTransforms: 'hmac-sha256' });
      const other = written(system, record({ loginMethods: [peppered] }));
      expect([other.takesPassword, JSON.stringify(other.user).includes(knownHash)]).toEqual([false, false]);
    },
  );

  it('leaves a user of FusionAuth and SuperTokens a password that no one knows', () => {
    const strange = record({ loginMethods: [method({ passwordHash: '$1$x' })] });
    const passwords = [1, 2].map(
      () => (written('fusionauth', strange).user as { password: string }).password,
    );
    expect(passwords[0]?.length).toBeGreaterThanOrEqual(32);
    expect(passwords[0]).not.toBe(passwords[1]);
    const [own] = (written('supertokens', strange).user as { loginMethods: object[] }).loginMethods;
    expect(own).toMatchObject({ plainTextPassword: expect.stringMatching(/^.{32,}$/) as string });
  });
});

describe('who is left out', () => {
  const leftOut = (system: string, to: BackRecord, more: Partial<BackChange> = {}) =>
    findBackFormat(system)?.write(personOf(changeTo(to, more), to, ''));
  const unverified = record({ loginMethods: [method({ isVerified: false })] });
  const byPhone = record({ loginMethods: [{ recipeId: 'passwordless', phoneNumber: '+441632960001' }] });
  const bySocial = record({
    loginMethods: [
      { recipeId: 'thirdparty', thirdPartyId: 'google', thirdPartyUserId: '1', email: 'ada@example.com' },
    ],
  });

  it('has an email that the import would take for verified', () => {
    expect(leftOut('clerk', unverified)).toEqual({ leftOut: 'EMAIL_NOT_VERIFIED' });
    expect(leftOut('cognito', unverified)).toEqual({ leftOut: 'EMAIL_NOT_VERIFIED' });
    expect(leftOut('auth0', unverified)).toMatchObject({ user: { email_verified: false } });
  });

  it('has no email where one is needed, or an account elsewhere', () => {
    expect(leftOut('fusionauth', byPhone)).toEqual({ leftOut: 'NO_EMAIL' });
    expect(leftOut('auth0', bySocial)).toEqual({ leftOut: 'NOT_OF_THE_DATABASE' });
    expect(leftOut('auth0', { ...record(), externalUserId: 'google-oauth2|1' })).toMatchObject({ user: {} });
  });
});

describe('what changed', () => {
  const mark = '0'.repeat(32);
  const former = {
    id: core,
    externalId: 'ada-id',
    email: 'ada@example.com',
    isVerified: true,
    passwordMark: mark,
  };
  const of = (was: BackChange['was'], to = record()) => changedOf({ was }, personOf(changeTo(to), to, ''));

  it('is said by field', () => {
    expect(of([{ ...former, email: 'old@example.com' }])).toEqual(['email', 'password']);
    expect(of([{ ...former, isVerified: false, passwordMark: null }])).toEqual(['isVerified']);
    expect(of([{ ...former, email: null, passwordMark: null, isNew: true }])).toContain('password');
    expect(of([])).toEqual(['other']);
  });

  it('is of the id there, without the prefix of the imports', () => {
    const to = record({ externalUserId: 'forum:7' });
    expect(personOf(changeTo(to), to, 'forum:')).toMatchObject({ id: '7', isThere: true });
    expect(personOf(changeTo(record()), record(), 'forum:')).toMatchObject({
      id: newIdOf(core),
      isThere: false,
    });
    expect(personOf(changeTo(record(), { oldId: 'x' }), record(), '')).toMatchObject({
      id: 'x',
      isThere: true,
    });
  });
});
