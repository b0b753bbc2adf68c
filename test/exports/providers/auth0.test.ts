import { createHash, createHmac, scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { RecordConverter } from '../../../src/exports/convert/convert-record.ts';
import { auth0 } from '../../../src/exports/providers/auth0.ts';
import type { SourceRow } from '../../../src/exports/providers/provider.ts';
import {
  claimedBy,
  convertNonsense,
  convertRow,
  firstRow,
  isRight,
  methodsOf,
  refusalOf,
  samplePassword,
  samplesOf,
} from '../../helpers/framework-exports.ts';

// For a file of one line the last sample is that of lines.
const lineOf = async (file: string) => (await samplesOf(file)).at(-1)?.first ?? {};
const ada = await lineOf('auth0-users.ndjson');
const imported = await firstRow('auth0-import.json');
const hashes = await lineOf('auth0-hashes.ndjson');
const converted = (change: SourceRow, related: readonly SourceRow[] = []) =>
  convertRow(auth0, { ...ada, ...change }, { hashes: related }, {});
const withHash = (custom_password_hash: SourceRow) =>
  convertRow(auth0, { user_id: '1', email: 'a@example.com', custom_password_hash }, {}, {});
const [users, hashTable] = auth0.tables;

describe('an export of Auth0', () => {
  it('with its hash file becomes a linked user with the password', () => {
    const conversion = converted({}, [hashes]);
    expect(conversion).toMatchObject({
      user: {
        externalUserId: 'auth0|65a1c3f2e4b0d8a7c6f51e20',
        userMetadata: {
          name: 'Ada Lovelace',
          user_metadata: { theme: 'dark' },
          app_metadata: { plan: 'pro' },
        },
        loginMethods: [
          { recipeId: 'emailpassword', isPrimary: true, isVerified: true },
          { thirdPartyId: 'google', thirdPartyUserId: '109876543210987654321', isVerified: true },
        ],
      },
    });
    expect(isRight(conversion, samplePassword)).toBe(true);
    expect(hashTable?.idOf(hashes)).toBe(users?.idOf(ada));
    expect(hashTable?.idOf({ _id: 'auth0|7' })).toBe('auth0|7');
  });

  it('is recognised, and no other export is', async () => {
    const own = ['auth0-users.ndjson', 'auth0-import.json'];
    expect(await claimedBy(auth0, own)).toEqual([]);
    expect(await claimedBy(auth0, [])).toEqual(own.toSorted());
  });

  it('without hashes has social users, users by email, and by phone', () => {
    expect(methodsOf(converted({}))).toMatchObject([{ recipeId: 'thirdparty' }]);
    expect(methodsOf(converted({ identities: [] }))).toMatchObject([{ recipeId: 'passwordless' }]);
    const sms = {
      user_id: 'sms|1',
      identities: [{ provider: 'sms', user_id: '1' }],
      phone_number: '+15555550100',
    };
    expect(methodsOf(converted({ ...sms, email: undefined }))).toMatchObject([
      { phoneNumber: '+15555550100' },
    ]);
  });

  it('names connections of one strategy apart, and takes factors of TOTP', () => {
    const identities = [{ provider: 'oidc', connection: 'acme', user_id: 'acme|7' }];
    expect(methodsOf(converted({ identities }))).toMatchObject([
      { thirdPartyId: 'acme', thirdPartyUserId: '7' },
    ]);
    expect(converted({ mfa_factors: [{ totp: { secret: 'JBSWY3DP' } }, { phone: {} }] })).toMatchObject({
      user: { totpDevices: [{ secretKey: 'JBSWY3DP' }] },
    });
  });

  it('has ids as the provider itself issues them, without the connection in front', () => {
    const line = { user_id: 'oauth2|line|U5a', identities: undefined };
    expect(methodsOf(converted(line))).toMatchObject([{ thirdPartyId: 'line', thirdPartyUserId: 'U5a' }]);
  });

  it('finds the hash of an identity that is not the first, and of users who came with ids of their own', () => {
    const google = { provider: 'google-oauth2', user_id: '104' };
    const own = { provider: 'auth0', user_id: '12ba' };
    const linked = { user_id: 'google-oauth2|104', identities: [google, own] };
    expect(users?.idOf(linked)).toBe('auth0|12ba');
    expect(hashTable?.idOf({ _id: { $oid: '12ba' } })).toBe('auth0|12ba');
    expect(hashTable?.idOf({ _id: { $oid: 'b8a0' }, alt_id: '1041' })).toBe('auth0|1041');
    expect(converted(linked)).toMatchObject({ user: { externalUserId: 'google-oauth2|104' } });
  });

  it('as CSV loses one apostrophe a cell, and takes identity and names of the old extension', () => {
    const row = {
      Id: 'google-oauth2|109',
      Email: "'a@example.com",
      'Email Verified': 'true',
      Nickname: "''x",
    };
    expect(convertRow(auth0, row, {}, {})).toMatchObject({
      user: {
        externalUserId: 'google-oauth2|109',
        userMetadata: { nickname: "'x" },
        loginMethods: [{ thirdPartyId: 'google', thirdPartyUserId: '109', isVerified: true }],
      },
    });
    expect(users?.idOf(row)).toBe('google-oauth2|109');
  });

  it('has the factors of the file of the support, whatever the user export says', () => {
    const id = String(ada.user_id);
    const withFactors = (...factors: readonly SourceRow[]) => {
      const rows = factors.map((row) => ({ user_id: id, tenant: 'demo', ...row }));
      const { conversion, isGuardMissed } = new RecordConverter(auth0, {
        provider: 'auth0',
        options: {},
        tenant: undefined,
      }).conversionOf(ada, { factors: rows });
      if (!conversion.ok) throw new Error(conversion.reason.message);
      const { totpDevices, backupCodes, secondFactors } = conversion.user;
      return { totpDevices, backupCodes, secondFactors, isGuardMissed };
    };
    const none = { isGuardMissed: false };
    const code = { type: 'recovery-code', recovery_code: hashes.passwordHash };
    expect(withFactors({ type: 'otp', otp_secret: 'JBSWY3DP' }, code)).toEqual({
      ...none,
      totpDevices: [{ secretKey: 'JBSWY3DP' }],
      backupCodes: [{ hash: hashes.passwordHash }],
    });
    expect(withFactors({ type: 'otp' }, { type: 'SMS', phone_number: '+1' })).toEqual({
      ...none,
      secondFactors: ['totp', 'sms'],
    });
    expect(withFactors({ type: 'push', status: 'pending' }, { type: 'email', active: false })).toEqual(none);
    expect(withFactors({ otp_secret: 7.5 })).toMatchObject({ isGuardMissed: true });
    expect(withFactors({ type: 'retina' })).toMatchObject({ isGuardMissed: true });
    const [, , factorTable] = auth0.tables;
    expect(factorTable?.idOf({ user_id: '65a' })).toBe('auth0|65a');
    const sample = { format: 'ndjson', columns: [], root: [] } as const;
    expect(factorTable?.isIn?.({ ...sample, first: { user_id: id, type: 'otp' } })).toBe(true);
    expect(factorTable?.isIn?.({ ...sample, first: ada })).toBe(false);
    expect(auth0.recognises({ ...sample, first: { user_id: id, type: 'otp' } })).toBe(0);
    expect(hashTable?.isIn?.({ ...sample, first: hashes })).toBe(true);
  });

  it('reports a date and a phone that cannot be read, and holds a user whose block cannot be', () => {
    const converter = new RecordConverter(auth0, { provider: 'auth0', options: {}, tenant: undefined });
    const row = { ...ada, created_at: '3/5/2024, 12:00:00 PM', phone_number: '0555', blocked: 'perhaps' };
    expect(converter.convert({ is: 'row', row }, {}, 0).user).toMatchObject({ isDisabled: true });
    expect(converter.account().tables.users).toMatchObject({
      created_at: { unparsable: 1 },
      phone_number: { unparsable: 1 },
      blocked: { unparsable: 1 },
    });
  });

  const digest = (name: string, text: string | Buffer) => createHash(name).update(text).digest();
  const salted = { value: 'abc123' };

  it.each<[string, SourceRow]>([
    [
      'md5',
      { algorithm: 'md5', hash: { value: digest('md5', samplePassword).toString('hex'), encoding: 'hex' } },
    ],
    [
      'sha512 before the salt',
      {
        algorithm: 'sha512',
        hash: { value: digest('sha512', `${samplePassword}abc123`).toString('base64'), encoding: 'base64' },
        salt: { ...salted, position: 'suffix' },
      },
    ],
    [
      'sha256 after the salt',
      {
        algorithm: 'sha256',
        hash: { value: digest('sha256', `abc123${samplePassword}`).toString('hex'), encoding: 'hex' },
        salt: { ...salted, position: 'prefix' },
      },
    ],
    [
      'sha1 of UTF-16',
      {
        algorithm: 'sha1',
        hash: {
          value: digest('sha1', Buffer.from(samplePassword, 'utf16le')).toString('hex'),
          encoding: 'hex',
        },
        password: { encoding: 'utf16le' },
      },
    ],
    [
      'hmac',
      {
        algorithm: 'hmac',
        hash: {
          value: createHmac('sha1', 'key').update(samplePassword).digest('base64'),
          encoding: 'base64',
          digest: 'sha1',
          key: { value: Buffer.from('key').toString('hex'), encoding: 'hex' },
        },
      },
    ],
    [
      'scrypt',
      {
        algorithm: 'scrypt',
        hash: {
          value: scryptSync(samplePassword, 'abc123', 32, { N: 4096 }).toString('hex'),
          encoding: 'hex',
        },
        salt: salted,
        cost: 4096,
        keylen: 32,
      },
    ],
    ['ldap', imported.custom_password_hash as SourceRow],
  ])('has custom hashes of %s', (_kind, custom) => {
    expect(isRight(withHash(custom), samplePassword)).toBe(true);
    expect(isRight(withHash(custom), 'wrong')).toBe(false);
  });

  it('fills in what a PBKDF2 string may leave out', () => {
    const value = '$pbkdf2-sha512$c2FsdHNhbHQ$AAAA';
    expect(refusalOf(withHash({ algorithm: 'pbkdf2', hash: { value } }))).toEqual([
      'INVALID_PASSWORD_HASH',
      'custom_password_hash',
    ]);
    const full = `$pbkdf2-sha512$c2FsdHNhbHQ$${Buffer.alloc(64).toString('base64').replace(/=+$/, '')}`;
    expect(methodsOf(withHash({ algorithm: 'pbkdf2', hash: { value: full } }))).toMatchObject([
      { passwordHash: full.replace('$c2', '$i=100000,l=64$c2') },
    ]);
  });

  it.each<[SourceRow, string]>([
    [{ algorithm: 'md4', hash: { value: '00' } }, 'UNSUPPORTED_HASHING_ALGORITHM'],
    [
      { algorithm: 'bcrypt', hash: { value: hashes.passwordHash }, salt: salted },
      'UNSUPPORTED_HASHING_ALGORITHM',
    ],
    [{ algorithm: 'md5', hash: { value: 'zz', encoding: 'hex' } }, 'INVALID_PASSWORD_HASH'],
    [{ algorithm: 'md5', hash: {} }, 'INVALID_PASSWORD_HASH'],
    [
      { algorithm: 'md5', hash: { value: '00' }, password: { encoding: 'binary' } },
      'UNSUPPORTED_HASHING_ALGORITHM',
    ],
  ])('rejects %j', (custom, code) => {
    expect(refusalOf(withHash(custom))[0]).toBe(code);
  });

  it('never throws for nonsense', () => {
    convertNonsense(auth0, { ...ada, ...imported }, { hashes: [hashes] });
  });
});
