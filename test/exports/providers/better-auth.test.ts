import { describe, expect, it } from 'vitest';
import { betterAuth } from '../../../src/exports/providers/better-auth.ts';
import { ExportFault } from '../../../src/exports/providers/provider.ts';
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
  samplesOf,
} from '../../helpers/framework-exports.ts';

const { user, account } = exportOf('better-auth.json');
const [row = {}] = user ?? [];
const accounts = account ?? [];
const [credential = {}, google = {}] = accounts;
const snake = (source: SourceRow): SourceRow =>
  Object.fromEntries(
    Object.entries(source).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

describe('an export of better-auth', () => {
  it('becomes a linked user with the password that the user has', () => {
    const conversion = convertRow(betterAuth, row, { accounts }, {});
    expect(conversion).toEqual({
      ok: true,
      user: {
        externalUserId: row.id,
        userMetadata: { name: 'Ada Lovelace' },
        loginMethods: [
          {
            recipeId: 'emailpassword',
            email: 'ada@example.com',
            passwordHash: credential.password,
            hashingAlgorithm: 'better_auth',
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

  it('is the same in snake_case and from CSV', () => {
    const expected = convertRow(betterAuth, row, { accounts }, {});
    expect(convertRow(betterAuth, snake(row), { accounts: accounts.map(snake) }, {})).toEqual(expected);
    const cells = { ...row, emailVerified: 't', image: '' };
    expect(convertRow(betterAuth, cells, { accounts }, {})).toEqual(expected);
    expect(betterAuth.tables.map(({ idOf }) => idOf(snake({ ...row, ...google, id: row.id })))).toEqual([
      row.id,
      row.id,
      row.id,
    ]);
  });

  it('is recognised by either table, and Auth.js is not', async () => {
    const json = (await samplesOf('better-auth.json')).filter(({ format }) => format === 'json');
    expect(json.map(betterAuth.recognises)).toEqual([10]);
    const csv = { format: 'csv', root: [] } as const;
    expect(betterAuth.recognises({ ...csv, columns: Object.keys(row), first: row })).toBe(6);
    const accountFirst = { columns: [], root: ['account', 'user'], first: snake(google) } as const;
    expect(betterAuth.recognises({ format: 'json', ...accountFirst })).toBe(10);
    const columns = Object.keys(google);
    expect(betterAuth.recognises({ ...csv, columns, first: google })).toBe(0);
    expect(await claimedBy(betterAuth, ['better-auth.json'])).toEqual([]);
  });

  it('reads a hash of another function, and refuses other text', () => {
    const withPassword = (password: unknown) =>
      convertRow(betterAuth, row, { accounts: [{ ...credential, password }] }, {});
    const bcrypt = withPassword('$2a$10$WvvTPHKwdBJ3uk0Z37EMR.hLA2W6N9AEBhEgrAOljy2Ae5MtaSIUi');
    expect(isRight(bcrypt, 'abc')).toBe(true);
    expect(refusalOf(withPassword('00ff:00ff'))).toEqual(['INVALID_PASSWORD_HASH', 'account.password']);
    expect(methodsOf(withPassword(null))).toMatchObject([{ recipeId: 'passwordless' }]);
  });

  it('has social identities alone for a user without a credential account', () => {
    const unverified = { ...row, emailVerified: false };
    expect(methodsOf(convertRow(betterAuth, unverified, { accounts: [google] }, {}))).toMatchObject([
      { recipeId: 'thirdparty', thirdPartyId: 'google', isVerified: false },
    ]);
  });

  it('reads what plugins add: phone numbers, roles and anonymous users', () => {
    const phone = { ...row, phoneNumber: '+15555550100', phoneNumberVerified: true, role: 'admin, user' };
    const conversion = convertRow(betterAuth, phone, { accounts: [] }, {});
    expect(methodsOf(conversion)).toMatchObject([
      { recipeId: 'passwordless', email: 'ada@example.com', isPrimary: true },
      { recipeId: 'passwordless', phoneNumber: '+15555550100', isPrimary: false },
    ]);
    expect(conversion).toMatchObject({ user: { userRoles: [{ role: 'admin' }, { role: 'user' }] } });
    const anonymous = convertRow(betterAuth, { ...row, isAnonymous: 1 }, { accounts: [] }, {});
    expect(refusalOf(anonymous)).toEqual(['NOT_IMPORTABLE', 'isAnonymous']);
  });

  it('stops without the table that the hashes are in', () => {
    expect(() => convertRow(betterAuth, row, {}, {})).toThrow(ExportFault);
  });

  it('refuses a missing email', () => {
    expect(refusalOf(convertRow(betterAuth, { ...row, email: null }, { accounts }, {}))).toEqual([
      'NOT_IMPORTABLE',
      'email',
    ]);
  });

  it('of nonsense never stops a run', () => {
    convertNonsense(betterAuth, { ...row, role: 'a,b', phoneNumber: '+15555550100' }, { accounts });
  });
});

describe('the account of better-auth', () => {
  it('knows every column of the tables and of its plugins', () => {
    const tokens = { accessToken: 'x', refreshToken: 'x', idToken: 'x', scope: 'openid' };
    const factors = [{ id: '1', userId: row.id, secret: 'x', backupCodes: 'x', verified: true }];
    const admin = { banned: false, banReason: null, banExpires: null, role: 'user', twoFactorEnabled: false };
    const related = { accounts: [{ ...google, ...tokens }], factors };
    const { account: found } = recordOf(betterAuth, { ...row, ...admin }, related);
    for (const table of ['users', 'accounts', 'factors']) expect(undeclared(found, table)).toEqual([]);
  });

  it.each([
    [{ banned: true, banExpires: null }, true],
    [{ banned: 'WAHR', ban_expires: '0000-00-00 00:00:00' }, true],
    [{ banned: true, banExpires: '9999-12-31' }, true],
    [{ banned: true, banExpires: 1_600_000_000 }, false],
    [{ banned: 'f', is_blocked: 't' }, true],
    [{ suspendedAt: '2024-01-01' }, true],
  ])('%j: is disabled %j', (change, isDisabled) => {
    const { user } = recordOf(betterAuth, { ...row, ...change }, { accounts });
    expect(user).toMatchObject({ isDisabled });
  });

  it.each([{ banned: 'perhaps' }, { twoFactorEnabled: 'x' }])(
    'restricts a user whose guard cannot be read: %j',
    (change) => {
      const { user } = recordOf(betterAuth, { ...row, ...change }, { accounts });
      expect(user).toMatchObject({ isDisabled: true, requiredActions: ['CHECK_AT_SOURCE'] });
    },
  );

  it('disables a banned user whose end of the ban cannot be read, beyond what a lift reaches', () => {
    const { user } = recordOf(betterAuth, { ...row, banned: true, banExpires: 'soon' }, { accounts });
    expect(user).toMatchObject({ isDisabled: true });
    expect(user).not.toHaveProperty('requiredActions');
  });
});
