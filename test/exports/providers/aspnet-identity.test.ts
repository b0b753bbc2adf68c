import { describe, expect, it } from 'vitest';
import { aspnetIdentity } from '../../../src/exports/providers/aspnet-identity.ts';
import {
  convertRow,
  claimedBy,
  convertNonsense,
  firstRow,
  isRight,
  methodsOf,
  refusalOf,
  samplePassword,
  samplesOf,
} from '../../helpers/framework-exports.ts';

const row = await firstRow('aspnet-identity.csv');
const google = {
  LoginProvider: 'Google',
  ProviderKey: '1098',
  ProviderDisplayName: 'Google',
  UserId: row.Id,
};
const converted = (more: object, options = {}) =>
  convertRow(aspnetIdentity, { ...row, ...more }, {}, options);

describe('an export of ASP.NET Core Identity', () => {
  it('becomes a linked user with the password that the user has', () => {
    const conversion = convertRow(aspnetIdentity, row, { logins: [google] }, {});
    expect(conversion).toEqual({
      ok: true,
      user: {
        isDisabled: false,
        externalUserId: row.Id,
        loginMethods: [
          {
            recipeId: 'emailpassword',
            email: 'ada@example.com',
            passwordHash: row.PasswordHash,
            hashingAlgorithm: 'aspnet',
            isVerified: true,
            isPrimary: true,
          },
          {
            recipeId: 'thirdparty',
            email: 'ada@example.com',
            thirdPartyId: 'google',
            thirdPartyUserId: '1098',
            isVerified: true,
            isPrimary: false,
          },
        ],
      },
    });
    expect(isRight(conversion, samplePassword)).toBe(true);
    expect(isRight(conversion, 'wrong')).toBe(false);
  });

  it('is recognised in either spelling of the columns, and no other export is', async () => {
    expect((await samplesOf('aspnet-identity.csv')).map(aspnetIdentity.recognises)).toEqual([10]);
    const columns = ['id', 'normalized_user_name', 'normalized_email', 'password_hash', 'security_stamp'];
    expect(aspnetIdentity.recognises({ format: 'csv', columns, root: [], first: {} })).toBe(10);
    expect(await claimedBy(aspnetIdentity, ['aspnet-identity.csv'])).toEqual([]);
  });

  it('is the same in snake_case', () => {
    const snake = { id: '1', email: 'a@b.example', email_confirmed: 'True', password_hash: row.PasswordHash };
    const login = { login_provider: 'GitHub', provider_key: '583231', user_id: '1' };
    expect(methodsOf(convertRow(aspnetIdentity, snake, { logins: [login] }, {}))).toMatchObject([
      { email: 'a@b.example', isVerified: true, hashingAlgorithm: 'aspnet' },
      { thirdPartyId: 'github', thirdPartyUserId: '583231' },
    ]);
    expect(aspnetIdentity.tables.map(({ idOf }) => idOf({ ...snake, ...login }))).toEqual(['1', '1']);
  });

  it('reads version 2 of the hash, and another hasher’s', () => {
    const two = converted({
      PasswordHash: 'AAABAgMEBQYHCAkKCwwNDg+ukCEMDf0yyQ29NYubggHIVY0sdEUfdyeM+E1LtH1uJg==',
    });
    expect(isRight(two, 'my password')).toBe(true);
    const bcrypt = converted({
      PasswordHash: '$2a$10$WvvTPHKwdBJ3uk0Z37EMR.hLA2W6N9AEBhEgrAOljy2Ae5MtaSIUi',
    });
    expect(isRight(bcrypt, 'abc')).toBe(true);
    expect(methodsOf(bcrypt)[0]).not.toHaveProperty('hashingAlgorithm');
  });

  it('refuses a hash that was cut off', () => {
    const cut = converted({ PasswordHash: String(row.PasswordHash).slice(0, 40) });
    expect(refusalOf(cut)).toEqual(['INVALID_PASSWORD_HASH', 'PasswordHash']);
  });

  it('makes a way to sign in of a phone number that is confirmed', () => {
    const phone = { PhoneNumber: '+1 (555) 555-0100', PhoneNumberConfirmed: '1' };
    expect(methodsOf(converted(phone))).toMatchObject([
      { recipeId: 'emailpassword', isPrimary: true },
      { recipeId: 'passwordless', phoneNumber: '+15555550100', isVerified: true, isPrimary: false },
    ]);
    expect(methodsOf(converted({ ...phone, PhoneNumberConfirmed: '0' }))).toHaveLength(1);
    const alone = { ...phone, Email: '', UserName: 'ada', PasswordHash: '' };
    expect(methodsOf(converted(alone))).toMatchObject([{ phoneNumber: '+15555550100' }]);
  });

  it('disables users who are locked out, until the lock ends', () => {
    const disabledOf = (more: object) => {
      const conversion = converted(more);
      if (!conversion.ok) throw new Error(conversion.reason.message);
      return [conversion.user.isDisabled, conversion.user.disabledUntil];
    };
    const forGood = { LockoutEnd: '9999-12-31 23:59:59.9999999 +00:00' };
    const locked = { LockoutEnd: '2999-01-02 03:04:05.6780000 +00:00' };
    expect(disabledOf(forGood)).toEqual([true, undefined]);
    expect(disabledOf(locked)).toEqual([true, Date.parse('2999-01-02T03:04:05.678Z')]);
    expect(disabledOf({ ...forGood, LockoutEnabled: '0' })).toEqual([false, undefined]);
    expect(disabledOf({ ...locked, LockoutEnabled: '0' })).toEqual([false, undefined]);
    expect(disabledOf({ LockoutEnd: '2024-07-01 12:00:00 +00:00' })).toEqual([false, undefined]);
  });

  it('takes a user name that is an address for a missing email, and refuses without either', () => {
    expect(methodsOf(converted({ Email: '' }))[0]).toMatchObject({ email: 'ada@example.com' });
    expect(refusalOf(converted({ Email: '', UserName: 'ada' }))).toEqual(['NOT_IMPORTABLE', 'Email']);
  });

  it('of nonsense never stops a run', () => {
    convertNonsense(aspnetIdentity, row, { logins: [google] });
  });
});
