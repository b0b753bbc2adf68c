import { createHash, pbkdf2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { logto } from '../../../src/exports/providers/logto.ts';
import {
  convertRow,
  recordOf,
  undeclared,
  claimedBy,
  convertNonsense,
  isRight,
  methodsOf,
  refusalOf,
  samplePassword,
  samplesOf,
} from '../../helpers/framework-exports.ts';

const samples = await samplesOf('logto.json');
const [row = {}] = samples.filter(({ format }) => format === 'ndjson').map(({ first }) => first);
const converted = (more: object, options = {}) => convertRow(logto, { ...row, ...more }, {}, options);
const withPassword = (method: string, password: unknown) =>
  converted({ password_encrypted: password, password_encryption_method: method, identities: {} });
const legacy = (...expression: readonly unknown[]) => withPassword('Legacy', JSON.stringify(expression));
const hex = (digest: string, text: string) => createHash(digest).update(text).digest('hex');

describe('an export of Logto', () => {
  it('becomes a linked user with the password that the user has', () => {
    const conversion = convertRow(logto, row, {}, {});
    expect(conversion).toEqual({
      ok: true,
      user: {
        isDisabled: false,
        externalUserId: 'k3jxqm4vt7nh',
        userMetadata: { username: 'ada', name: 'Ada Lovelace', custom_data: { plan: 'pro' } },
        loginMethods: [
          {
            recipeId: 'emailpassword',
            email: 'ada@example.com',
            passwordHash: row.password_encrypted,
            isVerified: true,
            isPrimary: true,
            timeJoinedInMSSinceEpoch: Date.UTC(2024, 0, 1),
          },
          {
            recipeId: 'thirdparty',
            email: 'ada@example.com',
            thirdPartyId: 'google',
            thirdPartyUserId: '109876543210987654321',
            isVerified: true,
            isPrimary: false,
            timeJoinedInMSSinceEpoch: Date.UTC(2024, 0, 1),
          },
        ],
      },
    });
    expect(isRight(conversion, samplePassword)).toBe(true);
    expect(isRight(conversion, 'wrong')).toBe(false);
  });

  it('is the same from CSV and from the Management API', () => {
    const expected = convertRow(logto, row, {}, {});
    const cells = {
      ...row,
      primary_phone: '',
      profile: '{}',
      identities: JSON.stringify(row.identities),
      custom_data: JSON.stringify(row.custom_data),
      is_suspended: 'f',
      created_at: '2024-01-01 00:00:00+00',
    };
    expect(convertRow(logto, cells, {}, {})).toEqual(expected);
    const api = {
      id: row.id,
      username: 'ada',
      primaryEmail: row.primary_email,
      primaryPhone: null,
      passwordDigest: row.password_encrypted,
      passwordAlgorithm: 'Argon2i',
      name: row.name,
      identities: row.identities,
      customData: row.custom_data,
      isSuspended: false,
      createdAt: Date.UTC(2024, 0, 1),
    };
    expect(convertRow(logto, api, {}, {})).toEqual(expected);
    expect(logto.recognises({ format: 'ndjson', columns: [], root: [], first: api })).toBe(10);
  });

  it('is recognised, and no other export is', async () => {
    expect(Math.max(...samples.map(logto.recognises))).toBe(10);
    expect(await claimedBy(logto, ['logto.json'])).toEqual([]);
  });

  it('makes ways to sign in of a phone number and of TOTP', () => {
    const mfa_verifications = [
      { type: 'Totp', key: 'JBSWY3DPEHPK3PXP' },
      { type: 'BackupCode', codes: [] },
    ];
    const conversion = converted({ primary_phone: '15555550100', mfa_verifications });
    expect(methodsOf(conversion)[2]).toMatchObject({ phoneNumber: '+15555550100', isPrimary: false });
    expect(conversion).toMatchObject({ user: { totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXP' }] } });
    const alone = {
      primary_email: null,
      password_encrypted: null,
      identities: {},
      primary_phone: '15555550100',
    };
    expect(methodsOf(converted(alone))).toMatchObject([{ recipeId: 'passwordless' }]);
  });

  it('takes the email of an identity where the user has none', () => {
    const social = converted({ primary_email: null, password_encrypted: null });
    expect(methodsOf(social)).toMatchObject([{ recipeId: 'thirdparty', email: 'ada@example.com' }]);
    expect(methodsOf(social)[0]?.isVerified).toBe(false);
  });

  it('refuses who has a password and a user name only', () => {
    expect(refusalOf(converted({ primary_email: null }))).toEqual(['NOT_IMPORTABLE', 'primary_email']);
  });

  it('of nonsense never stops a run', () => {
    const mfa_verifications = [{ type: 'Totp', key: 'JBSWY3DPEHPK3PXP' }];
    convertNonsense(logto, { ...row, mfa_verifications });
    convertNonsense(logto, { ...row, password_encryption_method: 'Legacy' });
  });
});

describe('a password of Logto', () => {
  it.each([
    ['MD5', 'md5'],
    ['SHA1', 'sha1'],
    ['SHA256', 'sha256'],
  ])('of the method %s is right', (method, digest) => {
    const conversion = withPassword(method, hex(digest, 'abc'));
    expect(methodsOf(conversion)).toMatchObject([{ hashingAlgorithm: digest }]);
    expect(isRight(conversion, 'abc')).toBe(true);
  });

  it('of the method Bcrypt is right', () => {
    const bcrypt = '$2a$10$WvvTPHKwdBJ3uk0Z37EMR.hLA2W6N9AEBhEgrAOljy2Ae5MtaSIUi';
    expect(isRight(withPassword('Bcrypt', bcrypt), 'abc')).toBe(true);
  });

  it.each([
    ['alone', ['@'], 'abc'],
    ['after a salt', ['salt', '-', '@'], 'salt-abc'],
    ['before a salt', ['@', '{x}', 'salt'], 'abc{x}salt'],
    ['between two', ['é', '@', 'b'], 'éabcb'],
  ])('of Legacy digested %s is right', (_where, parts, digested) => {
    for (const digest of ['md5', 'sha1', 'sha256', 'sha384', 'sha512', 'SHA-256']) {
      const conversion = legacy(digest, parts, hex(digest, digested));
      expect(isRight(conversion, 'abc')).toBe(true);
      expect(isRight(conversion, 'abd')).toBe(false);
    }
  });

  it.each([
    ['a text', 'salt', Buffer.from('salt')],
    ['bytes', 'hex:80ff00414243', Buffer.from('80ff00414243', 'hex')],
  ])('of Legacy pbkdf2 with %s for salt is right', (_what, salt, bytes) => {
    const key = pbkdf2Sync('abc', bytes, 1000, 32, 'sha256').toString('hex');
    expect(isRight(legacy('pbkdf2', [salt, '1000', '32', 'sha256', '@'], key), 'abc')).toBe(true);
  });

  it("of Legacy firebase-scrypt is right with the project's signer key", () => {
    const signerKey =
      'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==';
    const hash = 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==';
    const conversion = legacy(
      'firebase-scrypt',
      ['42xEC+ixf3L2lw==', signerKey, 'Bw==', '8', '14', '@'],
      hash,
    );
    const secrets = { signerKey: Buffer.from(signerKey, 'base64') };
    expect(methodsOf(conversion)).toMatchObject([{ hashingAlgorithm: 'provider_scrypt' }]);
    expect(isRight(conversion, 'user1password', secrets)).toBe(true);
  });

  it.each([
    ['blake2b512', ['@'], 'ab'],
    ['pbkdf2', ['salt', '1000', '48', 'sha384', '@'], 'ab'.repeat(48)],
    ['sha256', ['@', '@'], hex('sha256', 'abcabc')],
  ])('of Legacy %s with %j is refused by name', (algorithm, parts, expected) => {
    expect(refusalOf(legacy(algorithm, parts, expected))).toEqual([
      'UNSUPPORTED_HASHING_ALGORITHM',
      'password_encrypted',
    ]);
  });

  it.each([
    ['no JSON', 'hunter2'],
    ['no array', '{}'],
    ['no place for the password', '["md5",["salt"],"00"]'],
    ['a hash that was cut off', '["md5",["@"],"00"]'],
    ['a hash that is not hexadecimal', '["md5",["@"],"hunter2"]'],
    ['a salt that is a mark', '["md5",["@","{PASSWORD}"],"5f4dcc3b5aa765d61d8327deb882cf99"]'],
    ['a key of another length', '["pbkdf2",["salt","1000","32","sha256","@"],"00ff"]'],
    ['a salt that is not hexadecimal', '["pbkdf2",["hex:zz","1","1","sha256","@"],"00"]'],
  ])('of Legacy with %s is refused', (_what, text) => {
    const conversion = withPassword('Legacy', text);
    expect(refusalOf(conversion)).toEqual(['INVALID_PASSWORD_HASH', 'password_encrypted']);
    expect(JSON.stringify(conversion)).not.toContain('hunter2');
  });

  it('of an unknown method is refused, and an empty one counts as missing', () => {
    expect(refusalOf(withPassword('Whirlpool', 'ab'))[0]).toBe('UNSUPPORTED_HASHING_ALGORITHM');
    expect(methodsOf(withPassword('Argon2i', ''))).toMatchObject([{ recipeId: 'passwordless' }]);
  });
});

describe('the account of a file of Logto', () => {
  it('knows every column of the table', () => {
    const table = { application_id: null, logto_config: {}, mfa_verifications: [], tenant_id: 'default' };
    const { account } = recordOf(logto, { ...row, ...table, last_sign_in_at: null, updated_at: null });
    expect(undeclared(account)).toEqual([]);
    expect(undeclared(recordOf(logto, { ...row, plan: 'x' }).account)).toEqual(['plan']);
  });

  it('counts a password that was not exported', () => {
    const user = { id: '1', primaryEmail: 'a@example.com', hasPassword: true };
    const { account } = recordOf(logto, user);
    expect(account.passwords).toEqual({ verifiable: 0, unknown: 1, absent: 0 });
    expect(Object.keys(account.lostPasswords)).toEqual([expect.stringContaining('includePasswordHash=true')]);
    expect(recordOf(logto, { ...user, hasPassword: false }).account.passwords).toMatchObject({ absent: 1 });
  });

  it('counts identities that cannot be read', () => {
    const { account } = recordOf(logto, { ...row, identities: { google: 'x' } });
    expect(account.tables.users?.identities).toMatchObject({ unparsable: 1 });
  });

  it.each([{ is_suspended: 'perhaps' }, { mfa_verifications: '{' }])(
    'restricts a user whose guard cannot be read: %j',
    (change) => {
      const { user } = recordOf(logto, { ...row, ...change });
      expect(user).toMatchObject({ isDisabled: true, requiredActions: ['CHECK_AT_SOURCE'] });
    },
  );
});
