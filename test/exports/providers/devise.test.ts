import { describe, expect, it } from 'vitest';
import { devise } from '../../../src/exports/providers/devise.ts';
import { ExportFault } from '../../../src/exports/providers/provider.ts';
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

const row = await firstRow('devise.csv');
const peppered = devise.prepare?.({ pepper: 'demo-pepper' }) ?? {};
const withPepper = { signerKey: undefined, pepper: Buffer.from('demo-pepper') };

describe('an export of Devise', () => {
  it('becomes a linked user whose peppered password is right with the same pepper only', () => {
    const conversion = convertRow(devise, row, {}, peppered);
    expect(conversion).toEqual({
      ok: true,
      user: {
        externalUserId: '42',
        loginMethods: [
          {
            recipeId: 'emailpassword',
            email: 'ada@example.com',
            passwordHash: row.encrypted_password,
            hashingAlgorithm: 'bcrypt_peppered',
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
    expect(isRight(conversion, samplePassword, withPepper)).toBe(true);
    expect(isRight(conversion, samplePassword, { ...withPepper, pepper: Buffer.from('other') })).toBe(false);
  });

  it('is plain bcrypt without the pepper', () => {
    const [method] = methodsOf(convertRow(devise, row, {}, {}));
    expect(method).toMatchObject({ passwordHash: row.encrypted_password });
    expect(method).not.toHaveProperty('hashingAlgorithm');
  });

  it('says that the core needs the pepper too, and keeps it out of what goes on', () => {
    expect(devise.about).toContain('bcrypt_pepper');
    expect(devise.options?.find(({ name }) => name === 'pepper')).toMatchObject({ isSecret: true });
    expect(JSON.stringify(peppered)).not.toContain('demo-pepper');
    expect(() => devise.prepare?.({ pepper: '' })).toThrow(ExportFault);
  });

  it("is recognised, and Supabase's column of the same name is not", async () => {
    expect((await samplesOf('devise.csv')).map(devise.recognises)).toEqual([9]);
    const columns = ['id', 'aud', 'email', 'encrypted_password', 'email_confirmed_at', 'confirmed_at'];
    expect(devise.recognises({ format: 'csv', columns, root: [], first: {} })).toBe(0);
    expect(await claimedBy(devise, ['devise.csv'])).toEqual([]);
  });

  it('reads identities of a table of their own', () => {
    const identities = [{ user_id: '42', provider: 'github', uid: '583231' }];
    const user = { ...row, provider: '', uid: '' };
    expect(methodsOf(convertRow(devise, user, { identities }, {}))).toMatchObject([
      { recipeId: 'emailpassword', isPrimary: true },
      { thirdPartyId: 'github', thirdPartyUserId: '583231', isPrimary: false },
    ]);
  });

  it.each(['deleted_at', 'discarded_at'])(
    'leaves out a user with %s, unless deleted ones are wanted',
    (column) => {
      const deleted = { ...row, [column]: '2024-06-01 00:00:00' };
      expect(refusalOf(convertRow(devise, deleted, {}, {}))[0]).toBe('NOT_IMPORTABLE');
      expect(convertRow(devise, deleted, {}, { 'include-deleted': 'true' })).toMatchObject({
        user: { isDisabled: true },
      });
    },
  );

  it('is unverified without confirmed_at', () => {
    expect(methodsOf(convertRow(devise, { ...row, confirmed_at: '' }, {}, {}))[0]?.isVerified).toBe(false);
  });

  it.each([{}, peppered])('has no password where the column is empty', (options) => {
    const social = convertRow(devise, { ...row, encrypted_password: '' }, {}, options);
    expect(methodsOf(social)).toMatchObject([{ recipeId: 'thirdparty' }]);
    const nothing = convertRow(
      devise,
      { ...row, encrypted_password: '', provider: null, uid: null },
      {},
      options,
    );
    expect(methodsOf(nothing)).toMatchObject([{ recipeId: 'passwordless', email: 'ada@example.com' }]);
  });

  it('refuses by name what is no bcrypt under a pepper, and any other hash', () => {
    const argon2 = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
    const refused = convertRow(devise, { ...row, encrypted_password: argon2 }, {}, peppered);
    expect(refusalOf(refused)).toEqual(['UNSUPPORTED_HASHING_ALGORITHM', 'encrypted_password']);
    expect(convertRow(devise, { ...row, encrypted_password: argon2 }, {}, {}).ok).toBe(true);
    const cut = convertRow(devise, { ...row, encrypted_password: '$2a$12$rQsv5mY5' }, {}, peppered);
    expect(refusalOf(cut)).toEqual(['INVALID_PASSWORD_HASH', 'encrypted_password']);
    const encryptable = convertRow(devise, { ...row, encrypted_password: 'ab'.repeat(64) }, {}, {});
    expect(refusalOf(encryptable)).toEqual(['INVALID_PASSWORD_HASH', 'encrypted_password']);
  });

  it('refuses a missing email', () => {
    expect(refusalOf(convertRow(devise, { ...row, email: '' }, {}, {}))).toEqual(['NOT_IMPORTABLE', 'email']);
  });

  it('keeps a lock for the hour that it lasts by default, and counts those that are over', () => {
    const now = Date.now();
    const convert = (locked_at: string) => convertRow(devise, { ...row, locked_at }, {}, {});
    const recent = new Date(now - 600_000).toISOString();
    expect(convert(recent)).toMatchObject({
      user: { isDisabled: true, disabledUntil: Date.parse(recent) + 3_600_000 },
    });
    const old = convert('2024-01-01 00:00:00');
    expect(old).toMatchObject({ user: { isDisabled: false } });
    expect(old).toHaveProperty('note', expect.stringContaining('unlock_strategy'));
    expect(convert('')).not.toHaveProperty('note');
  });

  it('of nonsense never stops a run', () => {
    convertNonsense(devise, row, { identities: [{ user_id: '42', provider: 'github', uid: '1' }] });
  });
});
