import { describe, expect, it } from 'vitest';
import { kratos } from '../../../src/exports/providers/kratos.ts';
import type { SourceRow } from '../../../src/exports/providers/provider.ts';
import {
  convertRow,
  recordOf,
  undeclared,
  claimedBy,
  convertNonsense,
  isRight,
  methodsOf,
  refusalOf,
  samplePassword,
  samplesOf,
} from '../../helpers/framework-exports.ts';

const samples = await samplesOf('kratos.json');
const [row = {}] = samples.filter(({ format }) => format === 'ndjson').map(({ first }) => first);
const credentials = row.credentials as SourceRow;
const withPassword = (config: unknown, more = {}) =>
  convertRow(kratos, { ...row, credentials: { password: { config, ...more } } }, {}, {});
const field = 'credentials.password.config.hashed_password';

describe('an export of Ory Kratos', () => {
  it('becomes a linked user with the password that the user has', () => {
    const conversion = convertRow(kratos, row, {}, {});
    expect(conversion).toEqual({
      ok: true,
      user: {
        isDisabled: false,
        userMetadata: {
          traits: { email: 'ada@example.com' },
          metadata_public: { plan: 'pro' },
          metadata_admin: { imported_from: 'legacy' },
        },
        loginMethods: [
          {
            recipeId: 'emailpassword',
            email: 'ada@example.com',
            passwordHash: (credentials.password as { config: SourceRow }).config.hashed_password,
            isVerified: true,
            isPrimary: true,
          },
          {
            recipeId: 'thirdparty',
            email: 'ada@example.com',
            thirdPartyId: 'google',
            thirdPartyUserId: '109876543210987654321',
            isVerified: true,
            isPrimary: false,
          },
        ],
      },
    });
    expect(isRight(conversion, samplePassword)).toBe(true);
    expect(isRight(conversion, 'wrong')).toBe(false);
  });

  it('is recognised in each of its forms, and no other export is', async () => {
    expect(samples.map(kratos.recognises)).toEqual([10, 10]);
    expect(kratos.recognises({ format: 'json', columns: [], root: 'array', first: row })).toBe(10);
    const batch = { patch_id: '1', create: row };
    expect(kratos.recognises({ format: 'json', columns: [], root: ['identities'], first: batch })).toBe(10);
    expect(await claimedBy(kratos, ['kratos.json'])).toEqual([]);
  });

  it('has the id and the date of an export, else the external id', () => {
    const exported = { ...row, id: 'k-1', external_id: 'x', created_at: '2024-01-01T00:00:00.5Z' };
    expect(convertRow(kratos, exported, {}, {})).toMatchObject({ user: { externalUserId: 'k-1' } });
    expect(methodsOf(convertRow(kratos, exported, {}, {}))[0]).toMatchObject({
      timeJoinedInMSSinceEpoch: Date.UTC(2024, 0, 1) + 500,
    });
    const imported = { create: { ...row, external_id: 'x' } };
    expect(convertRow(kratos, imported, {}, {})).toMatchObject({ user: { externalUserId: 'x' } });
    expect(kratos.tables[0]?.idOf(imported)).toBe('x');
  });

  it('is verified by the address of the email alone', () => {
    const verified = (value: string, flag: unknown) =>
      methodsOf(
        convertRow(
          kratos,
          { ...row, verifiable_addresses: [{ value, verified: flag, via: 'email' }] },
          {},
          {},
        ),
      )[0]?.isVerified;
    expect(verified('ADA@example.com', true)).toBe(true);
    expect(verified('ada@example.com', false)).toBe(false);
    expect(verified('bob@example.com', true)).toBe(false);
  });

  it('finds the email and the phone number where the schema has other traits', () => {
    const addresses = [
      { value: '+15555550100', verified: true, via: 'sms' },
      { value: 'ada@mail.example', verified: true, via: 'email' },
    ];
    const other = { ...row, traits: { name: { first: 'Ada' } }, verifiable_addresses: addresses };
    expect(methodsOf(convertRow(kratos, other, {}, {}))).toMatchObject([
      { recipeId: 'emailpassword', email: 'ada@mail.example', isVerified: true, isPrimary: true },
      { recipeId: 'thirdparty', email: 'ada@mail.example' },
      { recipeId: 'passwordless', phoneNumber: '+15555550100', isVerified: true },
    ]);
  });

  it('reads social identities from identifiers where their configuration was not asked for', () => {
    const oidc = { type: 'oidc', identifiers: ['github:583231', 'nonsense'] };
    expect(methodsOf(convertRow(kratos, { ...row, credentials: { oidc } }, {}, {}))).toMatchObject([
      { recipeId: 'thirdparty', thirdPartyId: 'github', thirdPartyUserId: '583231' },
    ]);
  });

  it('carries a TOTP device over', () => {
    const totp_url = 'otpauth://totp/Demo:ada@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Demo&period=30';
    const user = { ...row, credentials: { ...credentials, totp: { config: { totp_url } } } };
    expect(convertRow(kratos, user, {}, {})).toMatchObject({
      user: { totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXP', period: 30 }] },
    });
  });

  it('refuses who has no email', () => {
    const without = { ...row, traits: {}, verifiable_addresses: [] };
    expect(refusalOf(convertRow(kratos, without, {}, {}))).toEqual(['NOT_IMPORTABLE', 'traits.email']);
  });

  it('declares every key of its identities', () => {
    const id = '7a6b5c4d-0000-4000-8000-000000000001';
    const at = { created_at: '2023-01-02T03:04:05.678901Z', updated_at: '2023-01-02T03:04:05.678901Z' };
    const answer = {
      ...row,
      ...at,
      id,
      schema_url: 'http://127.0.0.1:4433/schemas/x',
      state_changed_at: at.created_at,
      organization_id: null,
      recovery_addresses: [{ id, value: 'a@example.com', via: 'email', ...at }],
    };
    const { account } = recordOf(kratos, answer);
    expect(undeclared(account)).toEqual([]);
    const odd = { ...answer, credentials: { ...credentials, saml2: {} }, plan: 'x' };
    expect(undeclared(recordOf(kratos, { create: odd }).account)).toEqual(['plan', 'credentials.saml2']);
  });

  it.each([
    [{ state: 'locked' }, 'state'],
    [{ credentials: [] }, 'credentials'],
    [{ credentials: { totp: 'secret' } }, 'credentials.totp'],
  ])('keeps a user out where %j cannot be read', (change, column) => {
    const { user, account } = recordOf(kratos, { ...row, ...change });
    expect(user).toMatchObject({ isDisabled: true, requiredActions: ['CHECK_AT_SOURCE'] });
    expect(account.tables.users?.[column]).toMatchObject({ unparsable: 1 });
  });

  it('of nonsense never stops a run', () => {
    const totp = { config: { totp_url: 'otpauth://totp/a?secret=JBSWY3DPEHPK3PXP' } };
    const emails = ['a@b.example'];
    convertNonsense(kratos, {
      ...row,
      traits: { emails },
      credentials: { ...credentials, totp, saml: totp },
    });
  });
});

describe('a password of Ory Kratos', () => {
  it.each([
    [
      '$pbkdf2-sha224$i=100000,l=32$A2nzbFd+wwzPSb+TqkF5Pw$9M4GM2yOYw/fZvsvQbF/0Ec8JO2u9O1MYRTfrDimX6o',
      'pbkdf2_kratos',
    ],
    [
      '$scrypt$ln=16384,r=8,p=1$2npRo7P03Mt8keSoMbyD/tKFWyUzjiQf2svUaNDSrhA=$MiCzNcIplSMqSBrm4HckjYqYhaVPPjTARTzwB1cVNYE=',
      undefined,
    ],
    ['$md5$CY9rzUYh03PK3k6DJie09g==', undefined],
    [
      '$hmac-sha256$ZTAzMWJhMWMyOTM4YjFkMjgzZjkxOWExZGY5YWM2NmMxOTJhN2RkNzQ0MzJkNWZkNGFkYTI5OTk0MWJhMTA5Zg==$MTIzNDU=',
      undefined,
    ],
    ['{SSHA256}czO44OTV17PcF1cRxWrLZLy9xHd7CWyVYplr1rOhuMlx/7IK', undefined],
  ])('of the dialect %s is right', (hashed_password, algorithm) => {
    const conversion = withPassword({ hashed_password });
    const [method] = methodsOf(conversion);
    expect(method && 'hashingAlgorithm' in method ? method.hashingAlgorithm : undefined).toBe(algorithm);
    expect(isRight(conversion, hashed_password.startsWith('{') ? 'test123' : 'test')).toBe(true);
  });

  it('of Firebase names its kind and is right with the signer key', () => {
    const signerKey =
      'YE0dO4bwD4JnJafh6lZZfkp1MtKzuKAXQcDCJNJNyeCHairWHKENOkbh3dzwaCdizzOspwr/FITUVlnOAwPKyw==';
    const hashed_password = `$firescrypt$ln=14,r=8,p=1$sPtDhWcd1MfdAw==$xbSou7FOl6mChCyzpCPIQ7tku7nsQMTFtyOZSXXd7tjBa4NtimOx7v42Gv2SfzPQu1oxM2/k4SsbOu73wlKe1A==$Bw==$${signerKey}`;
    const secrets = { signerKey: Buffer.from(signerKey, 'base64') };
    expect(isRight(withPassword({ hashed_password }), '8x4WjoDbSxJZdR', secrets)).toBe(true);
  });

  it('in plain text is handed over as such', () => {
    expect(methodsOf(withPassword({ password: 'a b' }))).toMatchObject([{ plainTextPassword: 'a b' }]);
  });

  it('that the export does not have is refused with the cure, never imported as none', () => {
    const missing = withPassword(undefined, { type: 'password', identifiers: ['ada@example.com'] });
    expect(refusalOf(missing)).toEqual(['INVALID_PASSWORD_HASH', field]);
    expect(JSON.stringify(missing)).toContain('include_credential=password');
    const hook = withPassword({ use_password_migration_hook: true });
    expect(refusalOf(hook)).toEqual(['INVALID_PASSWORD_HASH', field]);
  });

  it('of another kind is refused', () => {
    const unknown = withPassword({ hashed_password: '$pbkdf2-sha3$i=1$a$b' });
    expect(refusalOf(unknown)).toEqual(['UNSUPPORTED_HASHING_ALGORITHM', field]);
  });

  it('that was never set leaves the email to sign in with', () => {
    const bare = convertRow(
      kratos,
      { ...row, credentials: { code: { identifiers: ['ada@example.com'] } } },
      {},
      {},
    );
    expect(methodsOf(bare)).toMatchObject([{ recipeId: 'passwordless', isVerified: true }]);
  });
});
