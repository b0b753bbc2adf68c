import { describe, expect, it } from 'vitest';
import { keycloak } from '../../../src/exports/providers/keycloak.ts';
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

  it('declares every key of its users', () => {
    const api = { totp: false, disableableCredentialTypes: [], notBefore: 0, access: {}, groups: [] };
    const { account } = recordOf(keycloak, { ...ada, ...api });
    expect(undeclared(account)).toEqual([]);
    const more = recordOf(keycloak, { ...ada, plan: 'x', credentials: [{ ...credential, odd: 1 }] });
    expect(undeclared(more.account)).toEqual(['plan', 'credentials.odd']);
  });

  it('takes what a credential holds as texts and as objects', () => {
    const [text, data] = [String(credential.secretData), String(credential.credentialData)];
    const objects = { secretData: JSON.parse(text) as unknown, credentialData: JSON.parse(data) as unknown };
    expect(withCredential(objects)).toEqual(withCredential({}));
  });

  it.each([
    [{ enabled: 'perhaps' }, 'enabled'],
    [{ requiredActions: 'CONFIGURE_TOTP' }, 'requiredActions'],
    [{ credentials: 'lost' }, 'credentials'],
  ])('keeps a user out where %j cannot be read', (change, column) => {
    const { user, account } = recordOf(keycloak, { ...ada, ...change });
    expect(user).toMatchObject({ isDisabled: true, requiredActions: ['CHECK_AT_SOURCE'] });
    expect(account.tables.users?.[column]).toMatchObject({ unparsable: 1 });
  });

  it('asks for a new password where the one in the file is temporary', () => {
    const credentials = [{ type: 'password', value: ' first day ', temporary: true }];
    const conversion = converted({ credentials, federatedIdentities: [] });
    expect(conversion).toMatchObject({ user: { requiredActions: ['UPDATE_PASSWORD'] } });
    expect(methodsOf(conversion)).toMatchObject([{ plainTextPassword: ' first day ' }]);
  });
});

describe('the tables of Keycloak before version 8', () => {
  const row = { ID: '1', USERNAME: 'cyd', EMAIL: 'cyd@example.com', REALM_ID: 'r', ENABLED: '1' };
  const secret = JSON.parse(String(credential.secretData)) as { value: string; salt: string };
  const old = { ID: 'c', USER_ID: '1', TYPE: 'password', CREATED_DATE: '1500000000000' };
  const hashed = { ...old, VALUE: secret.value, HASH_ITERATIONS: '210000', ALGORITHM: 'pbkdf2-sha512' };
  const empty = { DEVICE: '', COUNTER: '0', DIGITS: '0', PERIOD: '0' };
  const hex = Buffer.from(secret.salt, 'base64').toString('hex');
  const of = (...credentials: readonly SourceRow[]) => recordOf(keycloak, row, { credentials });

  it.each([
    ['pg_dump', `\\x${hex}`],
    ['mysqldump', `0x${hex.toUpperCase()}`],
    ['base64', secret.salt],
  ])('have a password whose parts are in columns, with the salt of %s', (_program, SALT) => {
    const { account } = of({ ...hashed, ...empty, SALT });
    expect(undeclared(account)).toEqual([]);
    expect(undeclared(account, 'credentials')).toEqual([]);
    expect(account.passwords).toEqual({ verifiable: 1, unknown: 0, absent: 0 });
    const conversion = convertRow(keycloak, row, { credentials: [{ ...hashed, SALT }] }, {});
    expect(isRight(conversion, samplePassword)).toBe(true);
    expect(isRight(conversion, 'wrong')).toBe(false);
  });

  it('have the salt in its old column until the user signs in to version 8', () => {
    const secretData = JSON.stringify({ value: secret.value, salt: '__SALT__' });
    const credentialData = '{"hashIterations":210000,"algorithm":"pbkdf2-sha512"}';
    const moved = { ...old, SECRET_DATA: secretData, CREDENTIAL_DATA: credentialData };
    const conversion = convertRow(keycloak, row, { credentials: [{ ...moved, SALT: `\\x${hex}` }] }, {});
    expect(isRight(conversion, samplePassword)).toBe(true);
    expect(of(moved).account.passwords).toEqual({ verifiable: 0, unknown: 1, absent: 0 });
  });

  it('have codes of an app, and counted ones that are not carried over', () => {
    const otp = { ...old, VALUE: 'Hello!', ALGORITHM: 'HmacSHA1', DIGITS: '6', PERIOD: '30' };
    expect(of({ ...otp, TYPE: 'totp' }).user).toMatchObject({ totpDevices: [{ secretKey: 'JBSWY3DPEE' }] });
    expect(of({ ...otp, TYPE: 'hotp' }).user).toMatchObject({ secondFactors: ['hotp'] });
  });

  it('have whole hashes of a provider of the community', () => {
    const VALUE = '$2a$10$UMIbaGPG9yUR21WqK1DZlO1w6aEL.tTyPmjUKf/GiX6BKewPfFGa6';
    const credentials = [{ ...hashed, VALUE, ALGORITHM: 'bcrypt', SALT: '' }];
    expect(isRight(convertRow(keycloak, row, { credentials }, {}), 'Lotte-Wolf-1')).toBe(true);
  });

  it('count a password whose parts cannot be read as lost', () => {
    const { user, account } = of({ ...hashed, SALT: `0x${hex}`, HASH_ITERATIONS: 'many' });
    expect(user).toMatchObject({ loginMethods: [{ recipeId: 'passwordless' }] });
    expect(account.passwords).toEqual({ verifiable: 0, unknown: 1, absent: 0 });
  });
});
