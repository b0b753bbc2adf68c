import { describe, expect, it } from 'vitest';
import { laravel } from '../../../src/exports/providers/laravel.ts';
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

const row = await firstRow('laravel.csv');

describe('an export of Laravel', () => {
  it('becomes a verified user with the password that the user has', () => {
    const conversion = convertRow(laravel, row, {}, {});
    expect(conversion).toEqual({
      ok: true,
      user: {
        externalUserId: '42',
        userMetadata: { name: 'Ada Lovelace' },
        loginMethods: [
          {
            recipeId: 'emailpassword',
            email: 'ada@example.com',
            passwordHash: row.password,
            isVerified: true,
            timeJoinedInMSSinceEpoch: Date.UTC(2024, 0, 1),
          },
        ],
      },
    });
    expect(isRight(conversion, samplePassword)).toBe(true);
    expect(isRight(conversion, 'wrong')).toBe(false);
  });

  it('is recognised, and no other export is', async () => {
    expect((await samplesOf('laravel.csv')).map(laravel.recognises)).toEqual([9]);
    expect(await claimedBy(laravel, ['laravel.csv'])).toEqual([]);
  });

  it.each([[''], ['NULL'], ['\\N'], ['0000-00-00 00:00:00'], [null]])(
    'of an email_verified_at %j is not verified',
    (email_verified_at) => {
      expect(methodsOf(convertRow(laravel, { ...row, email_verified_at }, {}, {}))[0]?.isVerified).toBe(
        false,
      );
    },
  );

  it('links identities of columns, of provider and provider_id, and of a table of accounts', () => {
    const user = { ...row, google_id: '1098', github_id: '', provider: 'google', provider_id: '1098' };
    const accounts = [
      { user_id: '42', provider: 'github', provider_id: '583231', email: 'octo@example.com' },
      { user_id: '42', provider_name: 'Facebook', provider_user_id: '77', email: 'not an address' },
      { user_id: '42', provider: 'twitter', provider_id: '' },
    ];
    expect(methodsOf(convertRow(laravel, user, { accounts }, {}))).toMatchObject([
      { recipeId: 'emailpassword', isPrimary: true },
      { thirdPartyId: 'google', thirdPartyUserId: '1098', email: 'ada@example.com', isVerified: true },
      { thirdPartyId: 'github', thirdPartyUserId: '583231', email: 'octo@example.com', isVerified: false },
      { thirdPartyId: 'facebook', thirdPartyUserId: '77', email: 'ada@example.com', isPrimary: false },
    ]);
  });

  it('has no password method for a user of social sign-in alone', () => {
    const user = { ...row, password: null, provider: 'google', provider_id: 1098 };
    expect(methodsOf(convertRow(laravel, user, {}, {}))).toEqual([
      {
        recipeId: 'thirdparty',
        email: 'ada@example.com',
        thirdPartyId: 'google',
        thirdPartyUserId: '1098',
        isVerified: true,
        timeJoinedInMSSinceEpoch: Date.UTC(2024, 0, 1),
      },
    ]);
  });

  it('takes an empty password for none, and refuses what is no hash without repeating it', () => {
    expect(methodsOf(convertRow(laravel, { ...row, password: '' }, {}, {}))).toMatchObject([
      { recipeId: 'passwordless' },
    ]);
    const conversion = convertRow(laravel, { ...row, password: 'hunter2hunter2' }, {}, {});
    expect(refusalOf(conversion)).toEqual(['INVALID_PASSWORD_HASH', 'password']);
    expect(JSON.stringify(conversion)).not.toContain('hunter2');
  });

  it('refuses deleted users and missing emails', () => {
    const deleted = { ...row, deleted_at: '2024-01-01 00:00:00' };
    expect(refusalOf(convertRow(laravel, deleted, {}, {}))).toEqual(['NOT_IMPORTABLE', '']);
    expect(convertRow(laravel, deleted, {}, { 'include-deleted': 'true' })).toMatchObject({
      user: { isDisabled: true },
    });
    expect(refusalOf(convertRow(laravel, { ...row, email: '' }, {}, {}))).toEqual([
      'NOT_IMPORTABLE',
      'email',
    ]);
  });

  it('of nonsense never stops a run', () => {
    const accounts = [{ user_id: '42', provider: 'github', provider_id: '1', data: '{"email":"a@b"}' }];
    convertNonsense(laravel, { ...row, google_id: '1', provider: 'x', provider_id: '2' }, { accounts });
  });
});
