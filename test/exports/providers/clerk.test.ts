import { createHash, pbkdf2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { RecordConverter } from '../../../src/exports/convert/convert-record.ts';
import { clerk } from '../../../src/exports/providers/clerk.ts';
import type { SourceRow } from '../../../src/exports/providers/provider.ts';
import {
  convertRow,
  claimedBy,
  convertNonsense,
  firstRow,
  isRight,
  methodsOf,
  refusalOf,
  samplePassword,
} from '../../helpers/framework-exports.ts';

const ada = await firstRow('clerk.csv');
const converted = (change: SourceRow) => convertRow(clerk, { ...ada, ...change }, {}, {});
const derived = (bytes: number, digest: string, salt = 'salt') =>
  pbkdf2Sync(samplePassword, salt, 10, bytes, digest);

describe('an export of Clerk', () => {
  it('becomes a verified user with the password; other emails are metadata', () => {
    const conversion = converted({});
    expect(conversion).toMatchObject({
      user: {
        externalUserId: 'user_2f8KxQm4Vt7NhRb1LpZcYwAe3Gs',
        userMetadata: { firstName: 'Ada', otherEmails: ['ada@work.example', 'old@example.com'] },
        loginMethods: [{ recipeId: 'emailpassword', email: 'ada@example.com', isVerified: true }],
      },
    });
    expect(isRight(conversion, samplePassword)).toBe(true);
  });

  it('is recognised, and no other export is', async () => {
    expect(await claimedBy(clerk, [])).toEqual(['clerk.csv']);
  });

  it('is verified by the list of verified addresses alone', () => {
    expect(methodsOf(converted({ verified_email_addresses: '' }))).toMatchObject([{ isVerified: false }]);
    expect(methodsOf(converted({ primary_email_address: '' }))).toMatchObject([
      { email: 'ada@example.com', isVerified: true },
    ]);
  });

  it('takes verified phone numbers and TOTP secrets', () => {
    const phone = {
      primary_phone_number: '+15555550100',
      verified_phone_numbers: '+15555550100|+15555550101',
    };
    expect(methodsOf(converted(phone))).toMatchObject([{ isPrimary: true }, { phoneNumber: '+15555550100' }]);
    expect(methodsOf(converted({ ...phone, verified_phone_numbers: '' }))).toHaveLength(1);
    expect(converted({ totp_secret: 'JBSWY3DP' })).toMatchObject({
      user: { totpDevices: [{ secretKey: 'JBSWY3DP' }] },
    });
  });

  it('takes what the Backend API adds', () => {
    const account = { provider: 'oauth_google', provider_user_id: '1098', email_address: 'ada@example.com' };
    const user = { external_accounts: [account], created_at: 1704067200000, password_digest: '' };
    expect(methodsOf(converted(user))).toEqual([
      {
        recipeId: 'thirdparty',
        email: 'ada@example.com',
        thirdPartyId: 'google',
        thirdPartyUserId: '1098',
        isVerified: true,
        timeJoinedInMSSinceEpoch: 1704067200000,
      },
    ]);
  });

  it.each([
    ['md5', createHash('md5').update(samplePassword).digest('hex')],
    ['sha256', createHash('sha256').update(samplePassword).digest('hex')],
    ['pbkdf2_sha1', `pbkdf2_sha1$10$salt$${derived(20, 'sha1').toString('hex')}$20`],
    [
      'pbkdf2_sha256',
      `pbkdf2_sha256$10$${Buffer.from('salt').toString('base64')}$${derived(32, 'sha256').toString('base64')}`,
    ],
    ['pbkdf2_sha256_django', `pbkdf2_sha256$10$salt$${derived(32, 'sha256').toString('base64')}`],
    ['pbkdf2_sha512', `pbkdf2_sha512$10$salt$${derived(64, 'sha512').toString('hex')}`],
    [
      'pbkdf2_sha512_hex',
      `pbkdf2_sha512_hex$10$${Buffer.from('salt').toString('hex')}$${derived(64, 'sha512').toString('hex')}`,
    ],
  ])('has digests of %s', (password_hasher, password_digest) => {
    const conversion = converted({ password_hasher, password_digest });
    expect(isRight(conversion, samplePassword)).toBe(true);
    expect(isRight(conversion, 'wrong')).toBe(false);
  });

  it.each([
    ['md5_salted', 'UNSUPPORTED_HASHING_ALGORITHM'],
    ['awscognito', 'UNSUPPORTED_HASHING_ALGORITHM'],
    ['sha512_symfony', 'UNSUPPORTED_HASHING_ALGORITHM'],
    ['toString', 'UNSUPPORTED_HASHING_ALGORITHM'],
    ['md5', 'INVALID_PASSWORD_HASH'],
    ['pbkdf2_sha512', 'INVALID_PASSWORD_HASH'],
  ])('rejects a digest of %s that cannot be verified', (password_hasher, code) => {
    expect(refusalOf(converted({ password_hasher, password_digest: 'x$y' }))[0]).toBe(code);
  });

  it('in the form of the API has the phones by which the user may sign in', () => {
    const verified = { status: 'verified' };
    const phones = [
      { id: 'idn_1', phone_number: '+15555550100', verification: { status: 'unverified' } },
      {
        id: 'idn_2',
        phone_number: '+15555550101',
        verification: verified,
        reserved_for_second_factor: true,
      },
      { id: 'idn_3', phone_number: '+1 555 555 0102', verification: verified },
      { id: 'idn_4', phone_number: '+15555550103', verification: verified },
    ];
    const user = {
      id: 'user_1',
      email_addresses: [],
      primary_phone_number_id: 'idn_4',
      phone_numbers: phones,
    };
    const convert = (row: SourceRow) => convertRow(clerk, row, {}, {});
    expect(methodsOf(convert(user))).toEqual([
      { recipeId: 'passwordless', phoneNumber: '+15555550103', isVerified: true },
    ]);
    expect(methodsOf(convert({ ...user, primary_phone_number_id: 'idn_2' }))).toMatchObject([
      { phoneNumber: '+15555550102' },
    ]);
    expect(convert({ ...user, two_factor_enabled: true })).toMatchObject({
      user: { secondFactors: ['sms'] },
    });
    const unproved = convert({ ...user, phone_numbers: phones.slice(0, 1) });
    expect(unproved).toMatchObject({
      ok: false,
      reason: { message: expect.stringMatching(/phone/) as string },
    });
    const ofSdk = { id: 'user_1', phoneNumbers: [{ phoneNumber: '+15555550100', verification: verified }] };
    expect(methodsOf(convert(ofSdk))).toMatchObject([{ phoneNumber: '+15555550100' }]);
  });

  it('counts a password that is at Clerk only, and one that has no email to it', () => {
    const atClerk = converted({ password_digest: '', password_hasher: '', password_enabled: true });
    expect(refusalOf(atClerk)).toEqual(['MISSING_FIELD', 'password_digest']);
    expect(atClerk).toMatchObject({ isHashElsewhere: true });
    expect(methodsOf(atClerk)).toMatchObject([{ recipeId: 'passwordless', email: 'ada@example.com' }]);
    const byPhone = converted({
      primary_email_address: '',
      verified_email_addresses: '',
      unverified_email_addresses: '',
      verified_phone_numbers: '+15555550100',
    });
    expect(refusalOf(byPhone)).toEqual(['MISSING_FIELD', 'email']);
    expect(methodsOf(byPhone)).toMatchObject([{ phoneNumber: '+15555550100' }]);
  });

  it('reads lists as Python writes them, and reports one that cannot be read', () => {
    const list =
      "[{'provider': 'oauth_google', 'provider_user_id': '1098', 'label': None, 'email_address': \"a'b@example.com\"}]";
    expect(methodsOf(converted({ password_digest: '', external_accounts: list }))).toMatchObject([
      { thirdPartyId: 'google', thirdPartyUserId: '1098', email: "a'b@example.com" },
    ]);
    const converter = new RecordConverter(clerk, { provider: 'clerk', options: {}, tenant: undefined });
    const row = { ...ada, external_accounts: "[OrderedDict([('provider', 'oauth_google')])]" };
    converter.convert({ is: 'row', row }, {}, 0);
    converter.convert({ is: 'row', row: { ...ada, external_accounts: list } }, {}, 1);
    expect(converter.account().tables.users?.external_accounts).toMatchObject({
      unparsable: 1,
      python: 1,
      examples: [{ record: 0, text: expect.not.stringContaining('google') as string }],
    });
  });

  it('is a user with a second factor for each flag that says so', () => {
    const factors = (row: SourceRow) => {
      const conversion = converted(row);
      return conversion.ok ? conversion.user.secondFactors : undefined;
    };
    expect(factors({ totp_enabled: 'true' })).toEqual(['totp']);
    expect(factors({ two_factor_enabled: true, backup_code_enabled: true })).toEqual(['other']);
    expect(factors({ backup_code_enabled: 't' })).toEqual(['other']);
    expect(factors({ totp_enabled: false, two_factor_enabled: '' })).toBeUndefined();
  });

  it('never throws for nonsense', () => {
    convertNonsense(clerk, { ...ada, external_accounts: [{ provider: 'x', provider_user_id: 'y' }] });
  });
});
