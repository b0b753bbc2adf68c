import { createHash, pbkdf2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { RecordConverter } from '../../../src/exports/convert/convert-record.ts';
import { cognito } from '../../../src/exports/providers/cognito.ts';
import { okta } from '../../../src/exports/providers/okta.ts';
import type { SourceRow } from '../../../src/exports/providers/provider.ts';
import {
  convertRow,
  claimedBy,
  convertNonsense,
  exportOf,
  isRight,
  methodsOf,
  refusalOf,
  samplePassword,
  samplesOf,
} from '../../helpers/framework-exports.ts';

const sample = (await samplesOf('okta.json')).at(-1)?.first ?? {};

describe('an export of Okta', () => {
  const converted = (change: SourceRow) => convertRow(okta, { ...sample, ...change }, {}, {});
  const withHash = (hash: SourceRow) => converted({ credentials: { password: { hash } } });

  it('becomes a verified user, by email where there is no hash', () => {
    expect(converted({})).toMatchObject({
      user: {
        externalUserId: '00u1ab2cd3EF4gh5i0h7',
        userMetadata: { firstName: 'Ada', lastName: 'Lovelace', login: 'ada@example.com' },
        loginMethods: [
          { recipeId: 'emailpassword', isVerified: true, timeJoinedInMSSinceEpoch: 1704067200000 },
        ],
      },
    });
    expect(isRight(converted({}), samplePassword)).toBe(true);
    expect(methodsOf(converted({ credentials: { password: {} } }))).toMatchObject([
      { recipeId: 'passwordless', isVerified: false },
    ]);
  });

  it('is recognised, and no other export is', async () => {
    expect(await claimedBy(okta, [])).toEqual(['okta.json']);
  });

  it('has digests with the salt on either side, and PBKDF2', () => {
    const [salt, base64] = [Buffer.from('pepper'), 'base64' as const];
    for (const [saltOrder, parts] of [
      ['PREFIX', [salt, samplePassword]],
      ['POSTFIX', [samplePassword, salt]],
    ] as const) {
      const value = parts.reduce((hash, each) => hash.update(each), createHash('sha512')).digest(base64);
      const hash = { algorithm: 'SHA-512', value, salt: salt.toString(base64), saltOrder };
      expect(isRight(withHash(hash), samplePassword)).toBe(true);
    }
    const value = pbkdf2Sync(samplePassword, salt, 4096, 32, 'sha256').toString(base64);
    const pbkdf2 = { algorithm: 'PBKDF2', iterationCount: 4096, keySize: 32, digestAlgorithm: 'SHA256_HMAC' };
    expect(isRight(withHash({ ...pbkdf2, value, salt: salt.toString(base64) }), samplePassword)).toBe(true);
    expect(refusalOf(withHash({ ...pbkdf2, value, salt: 'cGVwcGVy', keySize: 64 }))[0]).toBe(
      'INVALID_PASSWORD_HASH',
    );
    expect(refusalOf(withHash({ ...pbkdf2, value, digestAlgorithm: 'MD5_HMAC' }))[0]).toBe(
      'UNSUPPORTED_HASHING_ALGORITHM',
    );
    expect(refusalOf(withHash({ algorithm: 'SCRYPT' }))[0]).toBe('UNSUPPORTED_HASHING_ALGORITHM');
  });

  it('never throws for nonsense', () => {
    convertNonsense(okta, sample);
  });
});

describe('an export of Cognito', () => {
  const [ada = {}] = exportOf('cognito.json').Users ?? [];
  const attributes = ada.Attributes as readonly SourceRow[];
  const converted = (change: SourceRow) => convertRow(cognito, { ...ada, ...change }, {}, {});
  const only = (...names: readonly string[]) => attributes.filter(({ Name }) => names.includes(String(Name)));

  it('becomes a user of the identities, or one by email', () => {
    expect(converted({})).toEqual({
      ok: true,
      user: {
        isDisabled: false,
        externalUserId: '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11',
        loginMethods: [
          {
            recipeId: 'thirdparty',
            email: 'ada@example.com',
            thirdPartyId: 'google',
            thirdPartyUserId: '109876543210987654321',
            isVerified: true,
            timeJoinedInMSSinceEpoch: 1704067200000,
          },
        ],
      },
    });
    expect(methodsOf(converted({ Attributes: only('sub', 'email') }))).toMatchObject([
      { recipeId: 'passwordless', isVerified: false },
    ]);
  });

  it('is recognised, and no other export is', async () => {
    expect(await claimedBy(cognito, [])).toEqual(['cognito.json']);
  });

  it.each([
    ['seconds with a fraction', 1_690_000_000.123],
    ['their text', '1690000000.123'],
    ['milliseconds', 1_690_000_000_123],
    ['a date', '2023-07-22T04:26:40.123Z'],
  ])('has the same join date in %s', (_, UserCreateDate) => {
    expect(methodsOf(converted({ UserCreateDate, Attributes: only('sub', 'email') }))).toMatchObject([
      { timeJoinedInMSSinceEpoch: 1_690_000_000_123 },
    ]);
  });

  it('as CSV has its attributes in columns', () => {
    const row = {
      'cognito:username': 'ada',
      email: 'ada@example.com',
      email_verified: 'true',
      phone_number: '+15555550100',
      phone_number_verified: 'false',
      given_name: 'Ada',
      'custom:plan': 'pro',
      updated_at: '1704067200',
      'cognito:mfa_enabled': 'false',
    };
    expect(convertRow(cognito, row, {}, {})).toMatchObject({
      user: {
        externalUserId: 'ada',
        userMetadata: { given_name: 'Ada', 'custom:plan': 'pro' },
        loginMethods: [{ recipeId: 'passwordless', email: 'ada@example.com', isVerified: true }],
      },
    });
    const phone = { ...row, phone_number_verified: 'true' };
    expect(methodsOf(convertRow(cognito, phone, {}, {}))).toMatchObject([
      { email: 'ada@example.com' },
      { phoneNumber: '+15555550100' },
    ]);
    const sample = { format: 'csv', columns: Object.keys(row), root: [], first: row } as const;
    expect(cognito.recognises(sample)).toBe(10);
  });

  it('as AdminGetUser answers has the factors that ListUsers does not show', () => {
    const { Attributes, ...rest } = ada;
    const answer = { ...rest, UserAttributes: Attributes, ResponseMetadata: { RetryAttempts: 0 } };
    const factors = (more: SourceRow) => {
      const conversion = convertRow(cognito, { ...answer, ...more }, {}, {});
      return conversion.ok ? conversion.user.secondFactors : conversion.reason;
    };
    expect(factors({})).toBeUndefined();
    expect(factors({ UserMFASettingList: ['SOFTWARE_TOKEN_MFA', 'SMS_MFA'] })).toEqual(['totp', 'sms']);
    expect(factors({ PreferredMfaSetting: 'EMAIL_OTP' })).toEqual(['email']);
    expect(factors({ UserMFASettingList: ['SOMETHING_NEW'] })).toEqual(['other']);
    expect(cognito.recognises({ format: 'ndjson', columns: [], root: [], first: answer })).toBe(10);
  });

  it('without an email says of a phone that it is not verified', () => {
    const phone = [
      { Name: 'sub', Value: '1' },
      { Name: 'phone_number', Value: '+15555550100' },
    ];
    expect(converted({ Attributes: phone })).toMatchObject({
      ok: false,
      reason: {
        code: 'NOT_IMPORTABLE',
        message: expect.stringMatching(/phone number.*not verified/) as string,
      },
    });
    const verified = [...phone, { Name: 'phone_number_verified', Value: 'true' }];
    expect(methodsOf(converted({ Attributes: verified }))).toMatchObject([{ phoneNumber: '+15555550100' }]);
  });

  it('is of a disabled user where the status is not one that Cognito has', () => {
    const disabled = (UserStatus: unknown) => {
      const { conversion, isGuardMissed } = new RecordConverter(cognito, {
        provider: 'cognito',
        options: {},
        tenant: undefined,
      }).conversionOf({ ...ada, UserStatus }, {});
      return isGuardMissed || (conversion.ok && conversion.user.isDisabled);
    };
    expect(['CONFIRMED', 'unconfirmed', null, 'ARCHIVED', 'COMPROMISED', 'PAUSED'].map(disabled)).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  it('never throws for nonsense', () => {
    convertNonsense(cognito, ada);
  });
});
