import { describe, expect, it } from 'vitest';
import { native } from '../../../src/exports/providers/native.ts';
import type { SourceRow } from '../../../src/exports/providers/provider.ts';
import { stytch } from '../../../src/exports/providers/stytch.ts';
import { supertokens } from '../../../src/exports/providers/supertokens.ts';
import { workos } from '../../../src/exports/providers/workos.ts';
import {
  convertRow,
  claimedBy,
  convertNonsense,
  exportOf,
  firstRow,
  isRight,
  methodsOf,
  refusalOf,
  samplePassword,
} from '../../helpers/framework-exports.ts';

const stytchUser = {
  user_id: 'user-live-7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11',
  name: { first_name: 'Ada', last_name: 'Lovelace' },
  emails: [
    { email: 'old@example.com', verified: false },
    { email: 'ada@example.com', verified: true },
  ],
  phone_numbers: [{ phone_number: '+15555550100', verified: true }],
  providers: [{ provider_type: 'Google', provider_subject: '1098' }],
  trusted_metadata: { plan: 'pro' },
  status: 'active',
  created_at: '2024-01-01T00:00:00Z',
};
const stytchHash = {
  id: stytchUser.user_id,
  hash: 'JCmbRFVIS1ZMcnaClP0DrP5mxLOxLWDjEG208sFKf80=',
  salt: 'u_-rv7NwVqRMXgh7yD8DdA==',
  hash_method: 'scrypt',
};

describe('an export of Stytch', () => {
  const preamble = {
    scryptCostParameter: '1 << 15',
    scryptRParameter: '8',
    scryptPParameter: '1',
    scryptKeyLengthParamenter: '32',
  };
  const options = stytch.prepare?.(preamble) ?? {};
  const converted = (change: SourceRow, hash?: SourceRow) =>
    convertRow(stytch, { ...stytchUser, ...change }, { hashes: hash ? [hash] : [] }, options);

  it('with its hash file becomes a linked user with the password', () => {
    const conversion = converted({}, stytchHash);
    expect(conversion).toMatchObject({
      user: {
        externalUserId: stytchUser.user_id,
        userMetadata: {
          firstName: 'Ada',
          otherEmails: ['old@example.com'],
          trusted_metadata: { plan: 'pro' },
        },
        loginMethods: [
          { recipeId: 'emailpassword', email: 'ada@example.com', isVerified: true },
          { thirdPartyId: 'google', thirdPartyUserId: '1098' },
          { phoneNumber: '+15555550100' },
        ],
      },
    });
    expect(isRight(conversion, samplePassword)).toBe(true);
    expect(isRight(conversion, 'wrong')).toBe(false);
  });

  it('is not claimed by looks of others', async () => {
    expect(await claimedBy(stytch, [])).toEqual(['stytch.json']);
    const sample = { format: 'json', columns: [], root: ['results'], first: stytchUser } as const;
    expect(stytch.recognises(sample)).toBe(10);
  });

  it('needs the parameters before the hashes', () => {
    expect(() => convertRow(stytch, stytchUser, { hashes: [stytchHash] }, {})).toThrow(
      'parameters of scrypt',
    );
    expect(() => stytch.prepare?.({ scryptCostParameter: 'a lot' })).toThrow('scryptCostParameter');
  });

  it('rejects methods that cannot be verified and hashes cut off, and refuses deleted users', () => {
    expect(refusalOf(converted({}, { ...stytchHash, hash_method: 'sha_512' }))[0]).toBe(
      'UNSUPPORTED_HASHING_ALGORITHM',
    );
    expect(refusalOf(converted({}, { ...stytchHash, hash: 'JCmb' }))[0]).toBe('INVALID_PASSWORD_HASH');
    expect(refusalOf(converted({ status: 'deleted' }))).toEqual(['NOT_IMPORTABLE', 'status']);
    expect(methodsOf(converted({ providers: [], phone_numbers: [] }))).toMatchObject([
      { recipeId: 'passwordless' },
    ]);
  });

  it('never throws for nonsense', () => {
    convertNonsense(stytch, stytchUser);
  });
});

describe('an export of WorkOS', async () => {
  const ada = await firstRow('workos.csv');
  const converted = (change: SourceRow) => convertRow(workos, { ...ada, ...change }, {}, {});

  it('becomes a verified user with the password', () => {
    expect(converted({})).toMatchObject({
      user: {
        externalUserId: 'legacy-42',
        userMetadata: { firstName: 'Ada', metadata: { plan: 'pro' } },
        loginMethods: [{ recipeId: 'emailpassword', isVerified: true }],
      },
    });
    expect(isRight(converted({}), samplePassword)).toBe(true);
  });

  it('is recognised, and no other export is', async () => {
    expect(await claimedBy(workos, [])).toEqual(['workos.csv']);
  });

  it('names the scrypt variant, and rejects what cannot be verified', () => {
    const hash = '$firebase-scrypt$hash=AAAA$salt=AAAA$sk=AAAA$ss=Bw==$r=8$m=14';
    expect(
      methodsOf(converted({ password_hash: hash, password_hash_type: 'firebase-scrypt' })),
    ).toMatchObject([{ hashingAlgorithm: 'provider_scrypt' }]);
    const prefixed = { password_hash_type: 'ssha256', password_salt_position: 'prefix' };
    for (const change of [prefixed, { password_hash_type: 'own' }])
      expect(refusalOf(converted(change))[0]).toBe('UNSUPPORTED_HASHING_ALGORITHM');
    expect(refusalOf(converted({ password_hash: 'x' }))[0]).toBe('INVALID_PASSWORD_HASH');
    expect(methodsOf(converted({ password_hash: '' }))).toMatchObject([{ recipeId: 'passwordless' }]);
  });

  it('never throws for nonsense', () => {
    convertNonsense(workos, ada);
  });
});

describe('native records', () => {
  const [ada = {}] = exportOf('supertokens.json').users ?? [];

  it('are passed on as they are, without nulls', () => {
    expect(convertRow(native, ada, {}, {})).toEqual({ ok: true, user: ada });
    const methods = (ada.loginMethods as readonly SourceRow[]).map((each) => ({ ...each, tenantIds: null }));
    const converted = convertRow(supertokens, { ...ada, totpDevices: null, loginMethods: methods }, {}, {});
    expect(converted).not.toHaveProperty('user.totpDevices');
    expect(methodsOf(converted)[0]).not.toHaveProperty('tenantIds');
  });

  it('need a login method', () => {
    expect(refusalOf(convertRow(native, { externalUserId: 'x' }, {}, {}))).toEqual([
      'MISSING_FIELD',
      'loginMethods',
    ]);
    expect(refusalOf(convertRow(native, { loginMethods: [] }, {}, {}))).toEqual([
      'MISSING_FIELD',
      'loginMethods',
    ]);
  });

  it('are distinguished from the body of a bulk import', async () => {
    expect(await claimedBy(supertokens, [])).toEqual(['supertokens.json']);
    expect(await claimedBy(native, [])).toEqual(['native.csv']);
    const sample = { format: 'ndjson', columns: [], root: [], first: ada } as const;
    expect([native.recognises(sample), supertokens.recognises(sample)]).toEqual([9, 0]);
  });

  it.each([[[]], [[null]], [[1, 'x']]])('without methods in %j are rejected', (loginMethods) => {
    expect(refusalOf(convertRow(native, { loginMethods }, {}, {}))[0]).toBe('MISSING_FIELD');
  });

  it.each([1, {}, 'x', '{"a":1}'])('with %j in place of methods are rejected', (loginMethods) => {
    const refusal = refusalOf(convertRow(native, { loginMethods }, {}, {}));
    expect(refusal).toEqual(['INVALID_FIELD', 'loginMethods']);
  });

  it('with nothing to sign in with are rejected', () => {
    const refusal = refusalOf(convertRow(native, { loginMethods: null }, {}, {}));
    expect(refusal).toEqual(['NOT_IMPORTABLE', 'email']);
  });
});
