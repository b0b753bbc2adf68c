/** Rows of CSV under the names of the record's fields, and rows of a custom table. */
import { describe, expect, it } from 'vitest';
import { native } from '../../../src/exports/providers/native.ts';
import type { SourceRow } from '../../../src/exports/providers/provider.ts';
import {
  convertNonsense,
  methodsOf,
  convertRow,
  recordOf,
  undeclared,
} from '../../helpers/framework-exports.ts';

const hash = '$2b$10$pz9wj5VnjseLzsZIFntXOuDZ9rinO8n6eeLztHLbWBhy4vM3QFXTa';
const row = { externalUserId: 'u-1', email: 'ada@example.com', passwordHash: hash };
const userOf = (more: SourceRow) => recordOf(native, { ...row, ...more }).user;

describe('a row with the names of the record', () => {
  const everything = {
    ...row,
    isVerified: 'WAHR',
    phoneNumber: '+1 555 010 0123',
    timeJoinedInMSSinceEpoch: '2024-01-15 10:30:00',
    passwordTransforms: 'slashed',
    isDisabled: 'FALSCH',
    bannedUntil: '(null)',
    deleted: 'NULL',
    requiredActions: 'UPDATE_PASSWORD, terms',
    totpDevices: '[{"secretKey":"JBSWY3DPEHPK3PXP"}]',
    backupCodes: '[{"code":"abcd-efgh"}]',
    secondFactors: '["sms","push"]',
    userRoles: 'admin,staff',
    tenantIds: 'public',
    userMetadata: '{"plan":"pro"}',
    sameIds: 'oui',
    thirdPartyId: 'google.com',
    thirdPartyUserId: '1098',
  };

  it('has every field that one user may have', () => {
    const { user, account } = recordOf(native, everything);
    const common = { isVerified: true, tenantIds: ['public'], timeJoinedInMSSinceEpoch: 1_705_314_600_000 };
    expect(user).toEqual({
      externalUserId: 'u-1',
      userMetadata: { plan: 'pro' },
      userRoles: [{ role: 'admin' }, { role: 'staff' }],
      totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXP' }],
      backupCodes: [{ code: 'abcd-efgh' }],
      secondFactors: ['sms', 'push'],
      requiredActions: ['UPDATE_PASSWORD', 'terms'],
      isDisabled: false,
      sameIds: true,
      loginMethods: [
        {
          recipeId: 'emailpassword',
          email: row.email,
          passwordHash: hash,
          isPrimary: true,
          passwordTransforms: 'slashed',
          ...common,
        },
        {
          recipeId: 'thirdparty',
          email: row.email,
          isPrimary: false,
          thirdPartyId: 'google',
          thirdPartyUserId: '1098',
          ...common,
        },
        { recipeId: 'passwordless', phoneNumber: '+15550100123', isPrimary: false, ...common },
      ],
    });
    expect(undeclared(account)).toEqual([]);
  });

  const optional = Object.keys(everything).filter((name) => name !== 'email');
  it.each(optional)('says nothing of %s where it is empty', (name) => {
    const { user, reject } = recordOf(native, { ...everything, [name]: '\\N' });
    if (name === 'thirdPartyId' || name === 'thirdPartyUserId')
      expect(reject).toMatchObject({ code: 'MISSING_FIELD', field: name });
    else expect(user?.loginMethods.length).toBeGreaterThan(0);
  });

  it('has its methods in JSON where it has such a column', () => {
    const loginMethods = JSON.stringify([{ recipeId: 'passwordless', email: 'b@example.com' }]);
    const { user } = recordOf(native, { externalUserId: '1', isDisabled: 't', userRoles: 'a', loginMethods });
    expect(user).toEqual({
      externalUserId: '1',
      isDisabled: true,
      userRoles: [{ role: 'a' }],
      loginMethods: [{ recipeId: 'passwordless', email: 'b@example.com' }],
    });
  });

  it('may name the old system that knows the password', () => {
    const bare = { externalUserId: 'u-1', email: 'ada@example.com' };
    expect(recordOf(native, { ...bare, legacy: 'shop' }).user?.loginMethods).toMatchObject([
      { legacy: 'shop' },
    ]);
    expect(recordOf(native, { ...bare, legacy: 'a b' }).reject).toMatchObject({ field: 'legacy' });
  });
});

describe('guards of a table of its own', () => {
  it.each([
    [{ isDisabled: 'VRAI' }, true],
    [{ isDisabled: 'nein' }, false],
    [{ isDisabled: '2024-01-15 10:30:00' }, true],
    [{ isDisabled: '0000-00-00 00:00:00' }, false],
    [{ bannedUntil: '9999-12-31' }, true],
    [{ bannedUntil: '1900-01-01' }, false],
    [{ bannedUntil: 'None', isDisabled: '0' }, false],
  ])('%j: is disabled %j', (more, isDisabled) => {
    const user = userOf(more);
    expect(user).toMatchObject({ isDisabled });
    expect(user).not.toHaveProperty('requiredActions');
  });

  it.each(['isDisabled', 'bannedUntil', 'deleted', 'totpDevices'])(
    '%s that cannot be read restricts',
    (name) => {
      const { user, account } = recordOf(native, { ...row, [name]: 'perhaps' });
      expect(user).toMatchObject({ isDisabled: true, requiredActions: ['CHECK_AT_SOURCE'] });
      expect(account.restricted).toBe(1);
    },
  );

  it('that nothing is mapped to are named', () => {
    const { account } = recordOf(native, { ...row, suspended: '1', status: 'banned' });
    expect(account.tables.users).toMatchObject({
      suspended: { looksLike: 'guard', used: 1 },
      status: { looksLike: 'guard', used: 1 },
    });
  });
});

it('counts values that are carried and cannot be read', () => {
  const { user, account } = recordOf(native, {
    ...row,
    timeJoinedInMSSinceEpoch: 'long ago',
    isVerified: '?',
  });
  expect(user).toMatchObject({ loginMethods: [{ isVerified: false }] });
  for (const name of ['timeJoinedInMSSinceEpoch', 'isVerified'])
    expect(account.tables.users?.[name]).toMatchObject({ unparsable: 1 });
});

it('takes an id of its own where there is no other, in any order of the columns', () => {
  expect(convertRow(native, { id: '7', ...row }, {}, {})).toMatchObject({ user: { externalUserId: 'u-1' } });
  const bare = { email: 'ada@example.com' };
  expect(convertRow(native, { id: '7', ...bare }, {}, {})).toMatchObject({ user: { externalUserId: '7' } });
});

it('passes whole records on, for the core to check against its schema', () => {
  const record = { odd: 1, gone: null, loginMethods: [{ recipeId: 'passwordless', email: 'a@example.com' }] };
  const conversion = convertRow(native, record, {}, {});
  expect(conversion).toEqual({ ok: true, user: { odd: 1, loginMethods: methodsOf(conversion) } });
});

it('never throws for nonsense', () => {
  convertNonsense(native, row);
});
