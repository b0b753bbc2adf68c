import { describe, expect, it } from 'vitest';
import { azureB2c } from '../../../src/exports/providers/azure-b2c.ts';
import type { SourceRow } from '../../../src/exports/providers/provider.ts';
import {
  claimedBy,
  convertNonsense,
  convertRow,
  exportOf,
  methodsOf,
  refusalOf,
} from '../../helpers/framework-exports.ts';

const [ada = {}] = exportOf('azure-b2c.json').value ?? [];
const converted = (change: SourceRow) => convertRow(azureB2c, { ...ada, ...change }, {}, {});
const local = (signInType: string, issuerAssignedId: string) => ({
  signInType,
  issuerAssignedId,
  issuer: 'demo.onmicrosoft.com',
});

describe('an export of Azure AD B2C', () => {
  it('becomes a user of the identities, with attributes of the app in the metadata', () => {
    expect(converted({})).toEqual({
      ok: true,
      user: {
        externalUserId: '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11',
        userMetadata: {
          displayName: 'Ada Lovelace',
          givenName: 'Ada',
          surname: 'Lovelace',
          extension_ab603c56068041afb2f6832e2a17e237_plan: 'pro',
        },
        isDisabled: false,
        loginMethods: [
          {
            recipeId: 'thirdparty',
            email: 'ada@example.com',
            thirdPartyId: 'google',
            thirdPartyUserId: '109876543210987654321',
            isVerified: false,
            timeJoinedInMSSinceEpoch: 1704067200000,
          },
        ],
      },
    });
  });

  it('is recognised, and no other export is', async () => {
    expect(await claimedBy(azureB2c, [])).toEqual(['azure-b2c.json']);
    const csv = { format: 'csv', root: [], first: {} } as const;
    const columns = ['userPrincipalName', 'displayName', 'mail', 'id', 'accountEnabled'];
    expect(azureB2c.recognises({ ...csv, columns })).toBe(10);
  });

  it('has the email of the sign-in, else that of the profile, and never one that B2C made up', () => {
    const emailOf = (change: SourceRow) => methodsOf(converted({ identities: [], ...change }))[0]?.email;
    const identities = [
      local('userPrincipalName', 'x@demo.onmicrosoft.com'),
      local('emailAddress', 'a@b.example'),
    ];
    expect(emailOf({ identities, mail: 'mail@b.example' })).toBe('a@b.example');
    expect(emailOf({ mail: 'mail@b.example' })).toBe('mail@b.example');
    expect(emailOf({ otherMails: ['c@b.example'] })).toBe('c@b.example');
    expect(emailOf({ otherMails: [], userPrincipalName: 'work@b.example' })).toBe('work@b.example');
    const madeUp = converted({ identities: [], otherMails: [] });
    expect(refusalOf(madeUp)).toEqual(['NOT_IMPORTABLE', 'identities']);
    expect(
      refusalOf(
        converted({ identities: [], otherMails: [], userPrincipalName: 'a_b.example#EXT#@d.example' }),
      ),
    ).toEqual(['NOT_IMPORTABLE', 'identities']);
  });

  it('has phones, user names and providers, and keeps out users whose account is not enabled', () => {
    const identities = [local('phoneNumber', '+15555550100'), local('userName', 'ada')];
    const byPhone = converted({ identities, otherMails: [] });
    expect(methodsOf(byPhone)).toMatchObject([{ recipeId: 'passwordless', phoneNumber: '+15555550100' }]);
    expect(byPhone).toMatchObject({ user: { userMetadata: { userName: 'ada' } } });
    const live = [{ signInType: 'federated', issuer: 'live.com', issuerAssignedId: '7' }];
    expect(methodsOf(converted({ identities: live }))).toMatchObject([{ thirdPartyId: 'microsoft' }]);
    expect(converted({ accountEnabled: false })).toMatchObject({ user: { isDisabled: true } });
    expect(converted({ deletedDateTime: '2024-01-01T00:00:00Z' })).toMatchObject({
      reason: { isGone: true },
    });
  });

  it('goes to the old system for passwords where that is asked for', () => {
    const identities = [local('emailAddress', 'ada@example.com')];
    const asked = convertRow(azureB2c, { ...ada, identities }, {}, { 'without-password': 'legacy:b2c' });
    expect(methodsOf(asked)).toMatchObject([{ recipeId: 'emailpassword', legacy: 'b2c' }]);
  });

  it('never throws for nonsense', () => {
    convertNonsense(azureB2c, ada);
  });
});
