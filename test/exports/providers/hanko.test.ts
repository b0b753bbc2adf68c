import { describe, expect, it } from 'vitest';
import { hanko } from '../../../src/exports/providers/hanko.ts';
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
} from '../../helpers/framework-exports.ts';

const ada = await firstRow('hanko.json');
const converted = (change: SourceRow) => convertRow(hanko, { ...ada, ...change }, {}, {});
const userOf = (change: SourceRow) => {
  const conversion = converted(change);
  if (!conversion.ok) throw new Error(conversion.reason.message);
  return conversion.user;
};

describe('an export of Hanko', () => {
  it('becomes a verified user with the password of its import form', () => {
    const conversion = converted({});
    expect(conversion).toMatchObject({
      user: {
        externalUserId: '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11',
        userMetadata: { username: 'ada', otherEmails: ['ada@work.example'] },
        loginMethods: [{ recipeId: 'emailpassword', email: 'ada@example.com', isVerified: true }],
      },
    });
    expect(isRight(conversion, samplePassword)).toBe(true);
  });

  it('is recognised, and no other export is', async () => {
    expect(await claimedBy(hanko, [])).toEqual(['hanko.json']);
  });

  it('of the command alone is a user by email', () => {
    const { user_id, emails, created_at, updated_at } = ada;
    expect(methodsOf(convertRow(hanko, { user_id, emails, created_at, updated_at }, {}, {}))).toMatchObject([
      { recipeId: 'passwordless', email: 'ada@example.com', isVerified: true },
    ]);
  });

  it('of the Admin API has identities and a user name in an object, and its password is counted as lost', () => {
    const google = { id: '1', provider_id: '109', provider_name: 'google' };
    const user = { username: { id: '2', username: 'ada' }, password: { id: '3' }, identities: [google] };
    const conversion = converted(user);
    expect(methodsOf(conversion)).toMatchObject([{ thirdPartyId: 'google', thirdPartyUserId: '109' }]);
    expect(conversion).toMatchObject({ isHashElsewhere: true, user: { userMetadata: { username: 'ada' } } });
    expect(refusalOf(conversion)).toEqual(['MISSING_FIELD', 'password']);
  });

  it('has TOTP, or holds a user with a factor that cannot be carried over', () => {
    expect(userOf({ otp_secret: { secret: 'JBSWY3DP' } })).toMatchObject({
      totpDevices: [{ secretKey: 'JBSWY3DP' }],
    });
    expect(userOf({ otp: { id: '1' } }).secondFactors).toEqual(['totp']);
    expect(userOf({ webauthn_credentials: [{ id: '1', mfa_only: true }] }).secondFactors).toEqual([
      'webauthn',
    ]);
    expect(userOf({ webauthn_credentials: [{ id: '1', mfa_only: false }] })).not.toHaveProperty(
      'secondFactors',
    );
  });

  it('comes without a hash of Firebase, which holds its signer key', () => {
    expect(refusalOf(converted({ password: { password: '$fbscrypt$v=1,n=14,r=8,p=1$a$b' } }))).toEqual([
      'UNSUPPORTED_HASHING_ALGORITHM',
      'password',
    ]);
  });

  it('never throws for nonsense', () => {
    convertNonsense(hanko, ada);
  });
});
