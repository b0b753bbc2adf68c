import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fusionauth } from '../../../src/exports/providers/fusionauth.ts';
import type { SourceRow } from '../../../src/exports/providers/provider.ts';
import {
  convertRow,
  recordOf,
  undeclared,
  claimedBy,
  convertNonsense,
  exportOf,
  isRight,
  methodsOf,
  refusalOf,
  samplePassword,
} from '../../helpers/framework-exports.ts';

const [ada = {}, bob = {}] = exportOf('fusionauth.json').users ?? [];
const converted = (change: SourceRow, user = ada) => convertRow(fusionauth, { ...user, ...change }, {}, {});

describe('an export of FusionAuth', () => {
  it('becomes users with their passwords, of PBKDF2 and of bcrypt in parts', () => {
    expect(converted({})).toMatchObject({
      user: {
        externalUserId: '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11',
        userMetadata: { data: { plan: 'pro' } },
        loginMethods: [{ isVerified: true, timeJoinedInMSSinceEpoch: 1704067200000 }],
      },
    });
    for (const user of [ada, bob]) {
      expect(isRight(converted({}, user), samplePassword)).toBe(true);
      expect(isRight(converted({}, user), 'wrong')).toBe(false);
    }
    expect(methodsOf(converted({}, bob))).toMatchObject([{ isVerified: false }]);
  });

  it('is recognised, and no other export is', async () => {
    expect(await claimedBy(fusionauth, [])).toEqual(['fusionauth.json']);
  });

  it.each(['md5', 'sha256'])('has salted digests of %s, repeated', (name) => {
    const salt = Buffer.from([1, 2, 250]);
    let value = createHash(name).update(samplePassword).update(salt).digest();
    for (let round = 1; round < 5; round += 1) value = createHash(name).update(value).digest();
    const parts = { factor: 5, salt: salt.toString('base64'), password: value.toString('base64') };
    const conversion = converted({ encryptionScheme: `salted-${name}`, ...parts });
    expect(isRight(conversion, samplePassword)).toBe(true);
    expect(isRight(conversion, 'wrong')).toBe(false);
  });

  it('has digests without a salt', () => {
    const value = createHash('md5').update(samplePassword).digest('base64');
    for (const salt of ['', undefined]) {
      const conversion = converted({ encryptionScheme: 'salted-md5', factor: 1, salt, password: value });
      expect(isRight(conversion, samplePassword)).toBe(true);
      expect(isRight(conversion, 'wrong')).toBe(false);
    }
  });

  it('has HMACs, whose key is the decoded salt', () => {
    const parts = {
      salt: 'KMNnrfGN0OW61kfr/tqJVaEdjQoeYRtYWuKIlDnCX+E=',
      password: 'kF1ecHV3N3NejzddcenLyKpv4qaZ7+bwGCT80zfD6zw=',
    };
    const conversion = converted({ encryptionScheme: 'salted-hmac-sha256', factor: 1, ...parts });
    expect(isRight(conversion, 'Elsa-Quill-1')).toBe(true);
    expect(isRight(conversion, 'Elsa-Quill-2')).toBe(false);
    expect(refusalOf(converted({ encryptionScheme: 'salted-hmac-sha256', ...parts, salt: '' }))[0]).toBe(
      'INVALID_PASSWORD_HASH',
    );
  });

  it('has phpass in parts, whose factor is the number of rounds, and whole', () => {
    const whole = '$P$HBM8H/vwwB/sZwXy3MHVSfZE2yl4UK1';
    const parts = { factor: 2 ** 19, salt: whole.slice(4, 12), password: whole.slice(12) };
    for (const fields of [parts, { factor: 1, salt: '', password: whole }]) {
      const conversion = converted({ encryptionScheme: 'phpass-md5', ...fields });
      expect(methodsOf(conversion)).toMatchObject([{ passwordHash: whole }]);
    }
    expect(isRight(converted({ encryptionScheme: 'phpass-md5', ...parts }), 'Nétt & späte-7')).toBe(true);
    expect(refusalOf(converted({ encryptionScheme: 'phpass-md5', ...parts, factor: 1000 }))).toEqual([
      'INVALID_PASSWORD_HASH',
      'factor',
    ]);
  });

  it('rejects schemes that cannot be verified, and damaged hashes', () => {
    for (const scheme of ['phpass-sha512', 'of-a-plugin'])
      expect(refusalOf(converted({ encryptionScheme: scheme }))).toEqual([
        'UNSUPPORTED_HASHING_ALGORITHM',
        'encryptionScheme',
      ]);
    expect(refusalOf(converted({ password: '!' }))[0]).toBe('INVALID_PASSWORD_HASH');
    expect(refusalOf(converted({ salt: 'short' }, bob))[0]).toBe('INVALID_PASSWORD_HASH');
  });

  it('has the identities of newer versions', () => {
    const identities = [
      { type: 'email', value: 'new@example.com', verified: true, primary: true },
      { type: 'phoneNumber', value: '+15555550100', verified: true },
    ];
    expect(methodsOf(converted({ email: undefined, verified: undefined, identities }))).toMatchObject([
      { email: 'new@example.com', isVerified: true },
      { phoneNumber: '+15555550100' },
    ]);
  });

  it('never throws for nonsense', () => {
    convertNonsense(fusionauth, ada);
  });
});

describe('the account of a file of FusionAuth', () => {
  it('knows every key that its API answers', () => {
    const answer = {
      ...ada,
      active: true,
      passwordChangeRequired: false,
      usernameStatus: 'ACTIVE',
      tenantId: 't',
      connectorId: 'c',
      lastLoginInstant: 1,
      lastUpdateInstant: 1,
      passwordLastUpdateInstant: 1,
      twoFactor: { methods: [{ id: 'x', method: 'sms', mobilePhone: '+1' }], recoveryCodes: [] },
      identities: [{ type: 'email', value: ada.email, verified: true, primary: true, displayValue: 'x' }],
      memberships: [{ groupId: 'g' }],
    };
    const { account, user } = recordOf(fusionauth, answer);
    expect(undeclared(account)).toEqual([]);
    expect(user).toMatchObject({ secondFactors: ['sms'], userMetadata: { memberships: [{ groupId: 'g' }] } });
    expect(undeclared(recordOf(fusionauth, { ...ada, plan: 'x' }).account)).toEqual(['plan']);
  });

  it.each([
    [{ expiry: 1_600_000_000_000 }, true],
    [{ expiry: 4_000_000_000_000, active: true }, false],
    [{ expiry: '9999-12-31', active: true }, false],
  ])('%j: is disabled %j', (change, isDisabled) => {
    expect(recordOf(fusionauth, { ...ada, ...change }).user).toMatchObject({ isDisabled });
  });

  it.each([
    { active: 'perhaps' },
    { expiry: 'some day' },
    { twoFactor: [] },
    { passwordChangeRequired: 'x' },
  ])('restricts a user whose guard cannot be read: %j', (change) => {
    const { user } = recordOf(fusionauth, { ...ada, ...change });
    expect(user).toMatchObject({ isDisabled: true, requiredActions: ['CHECK_AT_SOURCE'] });
  });
});
