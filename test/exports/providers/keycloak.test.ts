import { describe, expect, it } from 'vitest';
import { keycloak } from '../../../src/exports/providers/servers/keycloak.ts';
import type { SourceRow } from '../../../src/exports/providers/provider.ts';
import {
  convertRow,
  claimedBy,
  convertNonsense,
  exportOf,
  isRight,
  methodsOf,
  refusalOf,
  samplePassword,
} from '../../helpers/framework-exports.ts';

const [ada = {}, bob = {}] = exportOf('keycloak-users-0.json').users ?? [];
const converted = (change: SourceRow, user = ada) => convertRow(keycloak, { ...user, ...change }, {}, {});
const [credential = {}] = bob.credentials as readonly SourceRow[];
const withCredential = (change: SourceRow) => converted({ credentials: [{ ...credential, ...change }] }, bob);

describe('an export of Keycloak', () => {
  it('becomes users with their passwords, of Argon2 and of PBKDF2', () => {
    expect(converted({})).toMatchObject({
      user: {
        externalUserId: '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01',
        userMetadata: { username: 'ada', firstName: 'Ada', attributes: { locale: ['en'] } },
        userRoles: [{ role: 'default-roles-demo' }],
        loginMethods: [
          { recipeId: 'emailpassword', isVerified: true, timeJoinedInMSSinceEpoch: 1704067200000 },
          { thirdPartyId: 'google', thirdPartyUserId: '109876543210987654321' },
        ],
      },
    });
    for (const user of [ada, bob]) {
      expect(isRight(converted({}, user), samplePassword)).toBe(true);
      expect(isRight(converted({}, user), 'wrong')).toBe(false);
    }
  });

  it('is recognised, and no other export is', async () => {
    expect(await claimedBy(keycloak, [])).toEqual(['keycloak-users-0.json']);
    expect(
      keycloak.recognises({ format: 'json', columns: [], root: ['id', 'realm', 'users'], first: {} }),
    ).toBe(10);
  });

  it.each([
    ['bcrypt', '$2a$10$UMIbaGPG9yUR21WqK1DZlO1w6aEL.tTyPmjUKf/GiX6BKewPfFGa6'],
    ['BCrypt', '$2a$10$UMIbaGPG9yUR21WqK1DZlO1w6aEL.tTyPmjUKf/GiX6BKewPfFGa6'],
  ])('has whole hashes of the provider %s', (algorithm, value) => {
    const secretData = JSON.stringify({ value, salt: '', additionalParameters: {} });
    const credentialData = JSON.stringify({ hashIterations: 10, algorithm, additionalParameters: {} });
    const conversion = withCredential({ secretData, credentialData });
    expect(isRight(conversion, 'Lotte-Wolf-1')).toBe(true);
    expect(isRight(conversion, 'Lotte-Wolf-2')).toBe(false);
  });

  it('has credentials of very old versions, and never one of the history', () => {
    const secret = JSON.parse(String(credential.secretData)) as SourceRow;
    const old = { hashedSaltedValue: secret.value, salt: secret.salt, hashIterations: 210000 };
    const fields = { type: 'password', algorithm: 'pbkdf2-sha512', ...old };
    expect(isRight(converted({ credentials: [fields] }, bob), samplePassword)).toBe(true);
    expect(methodsOf(withCredential({ type: 'password-history' }))).toMatchObject([
      { recipeId: 'passwordless' },
    ]);
  });

  it('has TOTP devices, whose key Keycloak keeps as text', () => {
    const otp = {
      type: 'otp',
      userLabel: 'phone',
      secretData: '{"value":"Hello!"}',
      credentialData: '{"subType":"totp","digits":6,"period":30,"algorithm":"HmacSHA1"}',
    };
    expect(converted({ credentials: [otp] })).toMatchObject({
      user: { totpDevices: [{ secretKey: 'JBSWY3DPEE', period: 30, deviceName: 'phone' }] },
    });
    const of = (data: string) => ({ ...otp, credentialData: `{"subType":${data}}` });
    const others = ['"hotp","digits":6', '"totp","algorithm":"HmacMD5"', '"totp","digits":10'].map(of);
    expect(converted({ credentials: others })).not.toHaveProperty('user.totpDevices');
    expect(
      converted({ credentials: [of('"totp","digits":8,"period":60,"algorithm":"HmacSHA256"')] }),
    ).toMatchObject({ user: { totpDevices: [{ digits: 8, period: 60, algorithm: 'SHA256' }] } });
  });

  it.each<[string, SourceRow, string]>([
    [
      'an unknown algorithm',
      { credentialData: '{"algorithm":"bcrypt","hashIterations":5}' },
      'UNSUPPORTED_HASHING_ALGORITHM',
    ],
    ['no salt', { secretData: '{"value":"AAAA"}' }, 'INVALID_PASSWORD_HASH'],
    ['no JSON', { secretData: '{' }, 'INVALID_PASSWORD_HASH'],
    [
      'Argon2 without costs',
      { credentialData: '{"algorithm":"argon2","hashIterations":5}' },
      'INVALID_PASSWORD_HASH',
    ],
  ])('rejects a credential with %s', (_what, change, code) => {
    expect(refusalOf(withCredential(change))[0]).toBe(code);
  });

  it('refuses service accounts, and takes a user name that is an email', () => {
    expect(refusalOf(converted({ serviceAccountClientId: 'x' }))).toEqual([
      'NOT_IMPORTABLE',
      'serviceAccountClientId',
    ]);
    expect(methodsOf(converted({ email: undefined, username: 'a@example.com' }))).toMatchObject([
      { email: 'a@example.com' },
      {},
    ]);
  });

  it('says whose way in is not in the file', () => {
    const noteOf = (change: SourceRow, options = {}): unknown => {
      const user = { ...ada, credentials: [], federatedIdentities: [], ...change };
      return (convertRow(keycloak, user, {}, options) as { note?: string }).note;
    };
    const linked = { federationLink: '5b2f-ldap' };
    expect(noteOf(linked)).toMatch(/directory \(LDAP\).*--without-password legacy:<source>/);
    expect(noteOf(linked, { 'without-password': 'legacy:ldap' })).toBeUndefined();
    expect(noteOf({ ...linked, credentials: ada.credentials })).toBeUndefined();
    expect(noteOf({ credentials: [{ type: 'webauthn-passwordless' }] })).toMatch(/passkey/);
    expect(noteOf({})).toBeUndefined();
  });

  it('never throws for nonsense', () => {
    convertNonsense(keycloak, ada);
  });
});
