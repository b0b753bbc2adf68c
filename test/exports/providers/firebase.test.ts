import { describe, expect, it } from 'vitest';
import { firebaseColumns, firebase } from '../../../src/exports/providers/firebase.ts';
import type { ConvertOptions, SourceRow } from '../../../src/exports/providers/provider.ts';
import {
  convertRow,
  claimedBy,
  convertNonsense,
  exportOf,
  isRight,
  methodsOf,
  refusalOf,
  samplePassword,
  samplesOf,
} from '../../helpers/framework-exports.ts';

const [ada = {}] = exportOf('firebase.json').users ?? [];
const prepared = (options: ConvertOptions = {}) => firebase.prepare?.(options) ?? {};
const converted = (change: SourceRow, options?: ConvertOptions) =>
  convertRow(firebase, { ...ada, ...change }, {}, prepared(options));
const signerKey = 'r/YwiLpd6LKRmuHcsbhosD/cCckwR8JQRv06DLlmXf5atwiODKFiM3A/QBhm447mjJm5matNu0cc3fctj+PVjQ==';

describe('an export of Firebase', () => {
  it('becomes a linked user with the password and the identities', () => {
    const conversion = converted({});
    expect(conversion).toMatchObject({
      user: {
        externalUserId: 'u1Kf03hZpQbT9xWmR7cLsYvN2aE8',
        userMetadata: { name: 'Lovelace, Ada', customClaims: { plan: 'pro' } },
        loginMethods: [
          {
            recipeId: 'emailpassword',
            hashingAlgorithm: 'provider_scrypt',
            isPrimary: true,
            isVerified: true,
            timeJoinedInMSSinceEpoch: 1704067200000,
          },
          { thirdPartyId: 'google', thirdPartyUserId: '109876543210987654321', isPrimary: false },
        ],
      },
    });
    const secrets = { signerKey: Buffer.from(signerKey, 'base64') };
    expect(isRight(conversion, samplePassword, secrets)).toBe(true);
    expect(isRight(conversion, 'wrong', secrets)).toBe(false);
  });

  it('may have base64url as the Admin SDK has it', () => {
    const urlSafe = (value: unknown) => String(value).replaceAll('+', '-').replaceAll('/', '_');
    const conversion = converted({ passwordHash: urlSafe(ada.passwordHash), salt: urlSafe(ada.salt) });
    expect(isRight(conversion, samplePassword, { signerKey: Buffer.from(signerKey, 'base64') })).toBe(true);
  });

  it('says for users without a password or a provider what may be missing', () => {
    const none = { passwordHash: undefined, salt: undefined, phoneNumber: undefined };
    const noteOf = (change: SourceRow): unknown => (converted(change) as { note?: string }).note;
    expect(noteOf({ ...none, providerUserInfo: [] })).toMatch(/Apple, Microsoft .* listUsers/);
    // The API lists a link by email as a password.
    expect(noteOf({ ...none, providerUserInfo: [{ providerId: 'password', rawId: 'a' }] })).toBeUndefined();
    expect(noteOf({ ...none, providerUserInfo: [], phoneNumber: '+15555550100' })).toBeUndefined();
    expect(noteOf({ providerUserInfo: [] })).toBeUndefined();
  });

  it('may be users of the Admin SDK, who have every identity and second factor', () => {
    const record = {
      uid: 'u1',
      email: 'ada@example.com',
      emailVerified: true,
      displayName: 'Ada',
      disabled: false,
      passwordHash: ada.passwordHash,
      passwordSalt: ada.salt,
      customClaims: { role: 'admin' },
      metadata: { creationTime: 'Mon, 01 Jan 2024 00:00:00 GMT', lastSignInTime: null },
      providerData: [
        { uid: 'ada@example.com', providerId: 'password', email: 'ada@example.com' },
        { uid: '001234.abcd', providerId: 'apple.com', email: 'ada@example.com' },
      ],
      multiFactor: {
        enrolledFactors: [{ factorId: 'phone', phoneNumber: '+1555***0100' }, { factorId: 'totp' }],
      },
    };
    const conversion = convertRow(firebase, record, {}, prepared());
    expect(conversion).toMatchObject({
      user: {
        externalUserId: 'u1',
        userMetadata: { name: 'Ada', customClaims: { role: 'admin' } },
        secondFactors: ['sms', 'totp'],
        loginMethods: [
          { recipeId: 'emailpassword', timeJoinedInMSSinceEpoch: 1704067200000, isVerified: true },
          { recipeId: 'thirdparty', thirdPartyId: 'apple', thirdPartyUserId: '001234.abcd' },
        ],
      },
    });
    const secrets = { signerKey: Buffer.from(signerKey, 'base64') };
    expect(isRight(conversion, samplePassword, secrets)).toBe(true);
    expect(firebase.recognises({ format: 'json', columns: [], root: 'array', first: record })).toBe(10);
  });

  it('is recognised, and no other export is', async () => {
    for (const file of ['firebase.json', 'firebase.csv'])
      for (const sample of (await samplesOf(file)).slice(0, 1)) expect(firebase.recognises(sample)).toBe(10);
    expect(await claimedBy(firebase, ['firebase.json', 'firebase.csv'])).toEqual([]);
  });

  it.each([['UkVEQUNURUQ='], ['UkVEQUNURUQ9PT0='], ['UkVEQUNURUQ']])(
    'with %s stops the run',
    (passwordHash) => {
      expect(() => converted({ passwordHash })).toThrow('REDACTED');
    },
  );

  it('takes the parameters of the project, and refuses those that cannot be', () => {
    const options = { 'firebase-salt-separator': 'Cg==', 'firebase-rounds': '4', 'firebase-mem-cost': '12' };
    const [method] = methodsOf(converted({}, options));
    expect(method).toMatchObject({ passwordHash: expect.stringMatching(/\$m=12\$r=4\$s=Cg==$/) as string });
    expect(prepared({ 'firebase-signer-key': signerKey })).not.toHaveProperty('firebase-signer-key');
    for (const [name, value] of [
      ['firebase-signer-key', 'c2VjcmV0'],
      ['firebase-signer-key', `${signerKey.slice(0, -1)}!`],
      ['firebase-salt-separator', '!'],
      ['firebase-rounds', '9'],
      ['firebase-mem-cost', '15'],
      ['firebase-mem-cost', 'x'],
    ] as const) {
      expect(() => prepared({ [name]: value })).toThrow(`--${name}`);
      expect(() => prepared({ [name]: value })).not.toThrow('c2VjcmV0');
    }
  });

  it('says where the signer key belongs, also if it is given to the command, which does not send it', () => {
    const place = 'docs/from/firebase.md has the request';
    expect(firebase.hint?.({})).toContain(place);
    const given = firebase.hint?.({ 'firebase-signer-key': signerKey, 'firebase-rounds': '8' });
    expect(given).toContain('--firebase-signer-key is not sent');
    expect(given).toContain(place);
    expect(firebase.hint?.({ 'firebase-rounds': '8' })).not.toContain('is not sent');
    expect(firebase.hint?.({ 'firebase-rounds': '8' }, { hasSignerKey: true })).toBe('Signer key: set');
  });

  it('has phone, social and bare users, and refuses anonymous ones', () => {
    const bare = { passwordHash: undefined, salt: undefined, providerUserInfo: [] };
    const phone = converted({ ...bare, email: undefined, phoneNumber: '+15555550100' });
    expect(methodsOf(phone)).toMatchObject([{ recipeId: 'passwordless', phoneNumber: '+15555550100' }]);
    expect(methodsOf(converted({ ...bare, providerUserInfo: ada.providerUserInfo }))).toMatchObject([
      { recipeId: 'thirdparty' },
    ]);
    expect(methodsOf(converted(bare))).toMatchObject([
      { recipeId: 'passwordless', email: 'ada@example.com' },
    ]);
    const game = { providerId: 'playgames.google.com', rawId: 'g7' };
    expect(methodsOf(converted({ ...bare, email: undefined, providerUserInfo: [game] }))).toMatchObject([
      { recipeId: 'thirdparty', email: 'g7.play-games@stfakeemail.supertokens.com' },
    ]);
    expect(converted({ ...bare, email: undefined })).toMatchObject({
      reason: { code: 'NOT_IMPORTABLE', message: expect.stringContaining('anonymous') as string },
    });
  });

  it('rejects a damaged hash and one without salt, and drops no password', () => {
    expect(refusalOf(converted({ passwordHash: 'AA!' }))).toEqual(['INVALID_PASSWORD_HASH', 'passwordHash']);
    expect(refusalOf(converted({ salt: '' }))).toEqual(['INVALID_PASSWORD_HASH', 'salt']);
  });

  it('as CSV is read in each of its widths and refused in any other', () => {
    const cells = ['id1', 'a@example.com', 'true', '', '', 'A', '', 'g1', '', '', ''];
    const rowOf = (count: number): SourceRow =>
      Object.fromEntries(firebaseColumns.slice(0, count).map((name, place) => [name, cells[place] ?? '']));
    for (const count of [26, 27, 28, 29, 52, 53])
      expect(methodsOf(convertRow(firebase, rowOf(count), {}, prepared()))).toMatchObject([
        { thirdPartyId: 'google', thirdPartyUserId: 'g1', email: 'a@example.com' },
      ]);
    expect(refusalOf(convertRow(firebase, rowOf(30), {}, prepared()))).toEqual(['INVALID_FIELD', '']);
    expect(refusalOf(convertRow(firebase, { ...rowOf(53), end: 'x' }, {}, prepared()))).toEqual([
      'INVALID_FIELD',
      '',
    ]);
  });

  it.each([
    ['{"a":"x\\"y","b":1}', '"{"a":"x\\"y"",""b"":1}"', { a: 'x"y', b: 1 }],
    ['{"a":"\\"q\\""}', '"{"a":"\\"q\\"""}"', { a: '"q"' }],
  ])('as CSV has claims %s, whose escaped quotes are not doubled', (json, cell, customClaims) => {
    for (const customAttributes of [json, cell])
      expect(converted({ customAttributes })).toMatchObject({ user: { userMetadata: { customClaims } } });
    const broken = `${json}}`;
    expect(refusalOf(converted({ customAttributes: broken }))).toEqual(['INVALID_FIELD', 'customAttributes']);
  });

  it('never throws for nonsense', () => {
    convertNonsense(firebase, ada);
  });
});
