import { describe, expect, it } from 'vitest';
import type { SourceRow } from '../../../src/exports/providers/provider.ts';
import { supabase } from '../../../src/exports/providers/supabase.ts';
import {
  convertRow,
  recordOf,
  undeclared,
  claimedBy,
  convertNonsense,
  firstRow,
  isRight,
  methodsOf,
  refusalOf,
  samplePassword,
} from '../../helpers/framework-exports.ts';

const ada = await firstRow('supabase-users.csv');
const google = await firstRow('supabase-identities.csv');
const converted = (change: SourceRow, identities: readonly SourceRow[] = [google]) =>
  convertRow(supabase, { ...ada, ...change }, { identities }, {});

describe('an export of Supabase', () => {
  it('becomes a linked user with the password and the identities', () => {
    const conversion = converted({});
    expect(conversion).toMatchObject({
      user: {
        externalUserId: '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11',
        userMetadata: { user_metadata: { name: 'Ada' }, app_metadata: { provider: 'email' } },
        loginMethods: [
          {
            recipeId: 'emailpassword',
            isVerified: true,
            timeJoinedInMSSinceEpoch: Date.UTC(2024, 0, 15, 10, 29, 12, 500),
          },
          { thirdPartyId: 'google', thirdPartyUserId: '109876543210987654321', isVerified: true },
        ],
      },
    });
    expect(isRight(conversion, samplePassword)).toBe(true);
    const [users, identities] = supabase.tables;
    expect(identities?.idOf(google)).toBe(users?.idOf(ada));
  });

  it('is recognised, and no other export is', async () => {
    expect(await claimedBy(supabase, [])).toEqual(['supabase-users.csv']);
  });

  it('takes neither the identity of the email nor an empty password for a method', () => {
    const own = { ...google, provider: 'email', provider_id: ada.id };
    expect(methodsOf(converted({}, [own]))).toMatchObject([{ recipeId: 'emailpassword' }]);
    expect(methodsOf(converted({ encrypted_password: '' }))).toMatchObject([{ recipeId: 'thirdparty' }]);
    const old = { ...google, provider_id: undefined, identity_data: '{}', id: '1098' };
    expect(methodsOf(converted({ encrypted_password: '' }, [old]))).toMatchObject([
      { thirdPartyUserId: '1098' },
    ]);
  });

  it('has phone numbers without a plus sign, and only those that were confirmed', () => {
    const phone = { phone: '15555550100', phone_confirmed_at: '2024-01-15 10:30:00+00' };
    expect(methodsOf(converted(phone, []))).toMatchObject([{}, { phoneNumber: '+15555550100' }]);
    expect(methodsOf(converted({ ...phone, phone_confirmed_at: '' }, []))).toHaveLength(1);
    expect(methodsOf(converted({ email_confirmed_at: '' }, []))).toMatchObject([{ isVerified: false }]);
  });

  it.each<[SourceRow, string]>([
    [{ deleted_at: '2024-01-15 10:30:00+00' }, 'deleted_at'],
    [{ is_anonymous: 'true' }, 'is_anonymous'],
    [{ is_sso_user: 't' }, 'is_sso_user'],
  ])('does not import %j', (change, field) => {
    expect(refusalOf(converted(change))).toEqual(['NOT_IMPORTABLE', field]);
  });

  it('rejects a hash that is damaged', () => {
    expect(refusalOf(converted({ encrypted_password: '$2a$10$short' }))).toEqual([
      'INVALID_PASSWORD_HASH',
      'encrypted_password',
    ]);
  });

  it('never throws for nonsense', () => {
    convertNonsense(supabase, ada, { identities: [google] });
  });

  it('keeps the codes of an app, and says which other factors people have', () => {
    const factors = [
      { status: 'verified', factor_type: 'totp', secret: 'JBSWY3DPEHPK3PXP', friendly_name: 'phone' },
      { status: 'verified', factor_type: 'totp', secret: '{"key_id":"1","alg":"aes-gcm-hkdf"}' },
      { status: 'verified', factor_type: 'phone', secret: null },
      { status: 'unverified', factor_type: 'webauthn', secret: null },
    ];
    expect(convertRow(supabase, ada, { identities: [], factors }, {})).toMatchObject({
      user: {
        totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXP', deviceName: 'phone' }],
        secondFactors: ['totp', 'sms'],
      },
    });
  });

  it('declares every column of its tables', () => {
    const factor = { id: '1', user_id: ada.id, factor_type: 'totp', status: 'verified', secret: 'JBSWY3DP' };
    const { account } = recordOf(supabase, ada, { identities: [google], factors: [factor] });
    for (const table of ['users', 'identities', 'factors']) expect(undeclared(account, table)).toEqual([]);
    expect(undeclared(recordOf(supabase, { ...ada, plan: 'x' }).account)).toEqual(['plan']);
  });

  it.each([
    [{ email_confirmed_at: 't' }, true],
    [{ email_confirmed_at: 'false' }, false],
    [{ email_confirmed_at: '(null)' }, false],
    [{ email_confirmed_at: '2024-01-15 10:30:00+00' }, true],
    [{ email_confirmed_at: 'null', confirmed_at: '2024-01-15 10:30:00+00' }, false],
  ])('%j: says whether the email is verified', (change, isVerified) => {
    expect(methodsOf(converted(change, []))).toMatchObject([{ isVerified }]);
  });

  it('takes the one confirmation of old versions for that of the email', () => {
    const row = { id: '1', email: 'a@example.com', confirmed_at: '2024-01-15 10:30:00+00' };
    expect(methodsOf(convertRow(supabase, row, {}, {}))).toMatchObject([{ isVerified: true }]);
  });

  it.each([
    [{ banned_until: '9999-12-31 23:59:59+00' }, true],
    [{ banned_until: '0001-01-01 00:00:00+00' }, false],
    [{ banned_until: 'None' }, false],
    [{ deleted_at: 'NULL', is_anonymous: 'FALSCH', is_sso_user: 'NULL', banned_until: '' }, false],
  ])('%j: keeps a user out or not', (change, isDisabled) => {
    expect(recordOf(supabase, { ...ada, ...change }).user).toMatchObject({ isDisabled });
  });

  it.each(['banned_until', 'deleted_at', 'is_anonymous', 'is_sso_user'])(
    'keeps a user out whose %s cannot be read',
    (name) => {
      const { user, account } = recordOf(supabase, { ...ada, [name]: 'perhaps' });
      expect(user).toMatchObject({ isDisabled: true, requiredActions: ['CHECK_AT_SOURCE'] });
      expect(account).toMatchObject({ restricted: 1, tables: { users: { [name]: { unparsable: 1 } } } });
    },
  );

  it('is read under names in capitals', () => {
    const row = Object.fromEntries(Object.entries(ada).map(([name, value]) => [name.toUpperCase(), value]));
    expect(supabase.recognises({ format: 'csv', columns: Object.keys(row), root: [], first: {} })).toBe(10);
    expect(convertRow(supabase, row, {}, {})).toEqual(convertRow(supabase, ada, {}, {}));
  });
});
