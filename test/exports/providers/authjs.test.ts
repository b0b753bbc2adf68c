import { describe, expect, it } from 'vitest';
import { authjs } from '../../../src/exports/providers/authjs.ts';
import { ExportFault } from '../../../src/exports/providers/provider.ts';
import {
  convertRow,
  claimedBy,
  convertNonsense,
  exportOf,
  isRight,
  methodsOf,
  refusalOf,
  samplesOf,
} from '../../helpers/framework-exports.ts';

const { users, accounts = [] } = exportOf('authjs.json');
const [row = {}] = users ?? [];
const [github = {}] = accounts;

describe('an export of Auth.js', () => {
  it('becomes a user of social sign-in, whose email is not verified', () => {
    expect(convertRow(authjs, row, { accounts }, {})).toEqual({
      ok: true,
      user: {
        externalUserId: row.id,
        userMetadata: { name: 'Ada Lovelace' },
        loginMethods: [
          {
            recipeId: 'thirdparty',
            email: 'ada@example.com',
            thirdPartyId: 'github',
            thirdPartyUserId: '583231',
            isVerified: false,
          },
        ],
      },
    });
  });

  it('is recognised by either table, and better-auth is not', async () => {
    const json = (await samplesOf('authjs.json')).filter(({ format }) => format === 'json');
    expect(json.map(authjs.recognises)).toEqual([9]);
    const csv = { format: 'csv', root: [] } as const;
    expect(authjs.recognises({ ...csv, columns: Object.keys(row), first: row })).toBe(7);
    const first = { user_id: '1', provider: 'google', provider_account_id: '1098' };
    expect(authjs.recognises({ format: 'json', columns: [], root: ['Account', 'User'], first })).toBe(10);
    expect(authjs.recognises({ ...csv, columns: Object.keys(first), first })).toBe(0);
    expect(await claimedBy(authjs, ['authjs.json'])).toEqual([]);
  });

  it.each([
    ['snake_case', { user_id: row.id, type: 'oidc', provider: 'google', provider_account_id: '1098' }],
    [
      'version 3',
      { user_id: row.id, provider_type: 'oauth', provider_id: 'google', provider_account_id: 1098 },
    ],
    ['lower case', { userid: row.id, type: 'oauth', provider: 'google', provideraccountid: '1098' }],
    ['MongoDB', { userId: { $oid: row.id }, type: 'oauth', provider: 'google', providerAccountId: '1098' }],
  ])('is read in the columns of %s', (_name, account) => {
    expect(authjs.tables[1]?.idOf(account)).toBe(row.id);
    expect(methodsOf(convertRow(authjs, row, { accounts: [account] }, {}))).toMatchObject([
      { thirdPartyId: 'google', thirdPartyUserId: '1098' },
    ]);
  });

  it('of MongoDB has its ids and dates unwrapped', () => {
    const { id, ...rest } = row;
    const mongo = { ...rest, _id: { $oid: id }, emailVerified: { $date: '2024-01-01T00:00:00Z' } };
    expect(authjs.tables[0]?.idOf(mongo)).toBe(id);
    expect(convertRow(authjs, mongo, { accounts }, {})).toMatchObject({
      user: { externalUserId: id, loginMethods: [{ isVerified: true }] },
    });
    const old = { ...rest, _id: id, emailVerified: { $date: { $numberLong: '1704067200000' } } };
    expect(methodsOf(convertRow(authjs, old, { accounts }, {}))[0]?.isVerified).toBe(true);
  });

  it('is verified after a magic link, and signs in by email without an account', () => {
    const linked = { ...row, emailVerified: '2024-01-01 00:00:00.000' };
    const webauthn = { ...github, type: 'webauthn', provider: 'passkey' };
    expect(methodsOf(convertRow(authjs, linked, { accounts: [webauthn] }, {}))).toEqual([
      { recipeId: 'passwordless', email: 'ada@example.com', isVerified: true },
    ]);
  });

  it('reads the hash of an app’s own column', () => {
    const hash = '$2a$10$WvvTPHKwdBJ3uk0Z37EMR.hLA2W6N9AEBhEgrAOljy2Ae5MtaSIUi';
    for (const column of ['password', 'hashedPassword', 'password_hash'])
      expect(isRight(convertRow(authjs, { ...row, [column]: hash }, { accounts }, {}), 'abc')).toBe(true);
    const refused = convertRow(authjs, { ...row, password: 'hunter2' }, { accounts }, {});
    expect(refusalOf(refused)).toEqual(['INVALID_PASSWORD_HASH', 'password']);
    expect(JSON.stringify(refused)).not.toContain('hunter2');
  });

  it('stops without the table that the social identities are in', () => {
    expect(() => convertRow(authjs, row, {}, {})).toThrow(ExportFault);
  });

  it('refuses a missing email of who has no account at a provider', () => {
    expect(refusalOf(convertRow(authjs, { ...row, email: null }, { accounts: [] }, {}))).toEqual([
      'NOT_IMPORTABLE',
      'email',
    ]);
  });

  it('of nonsense never stops a run', () => {
    convertNonsense(authjs, row, { accounts });
  });
});
