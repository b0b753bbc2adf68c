import { describe, expect, it } from 'vitest';
import type { BulkRecord, RecordReject } from '../../src/imports/record/parse-record.ts';
import { headOf, parseRecord } from '../../src/imports/record/parse-record.ts';
import { identityKey, thirdPartyKey } from '../../src/domain/identity.ts';
import type { RecordRules } from '../../src/imports/tasks.ts';
import { bcryptHash, now, passwordMethod, person, rules } from '../helpers/bulk-records.ts';
import { mutated, randomNumbers } from '../helpers/mutations.ts';
import { readVectors, scryptVariantString } from '../helpers/vectors.ts';

const textOf = (record: object | string) => (typeof record === 'string' ? record : JSON.stringify(record));

function accepted(record: object | string, changed: Partial<RecordRules> = {}): BulkRecord {
  const result = parseRecord(textOf(record), { ...rules, ...changed });
  if (result.ok) return result.record;
  throw new Error(`rejected: ${JSON.stringify(result.reject)}`);
}

function rejected(record: object | string, changed: Partial<RecordRules> = {}): RecordReject {
  const result = parseRecord(textOf(record), { ...rules, ...changed });
  if (!result.ok) return result.reject;
  throw new Error(`accepted: ${textOf(record)}`);
}

const method = (more: object, base: object = passwordMethod(1)) =>
  accepted({ loginMethods: [{ ...base, ...more }] }).methods[0];
const refused = (more: object, changed: Partial<RecordRules> = {}) =>
  rejected({ loginMethods: [passwordMethod(1, more)] }, changed);
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('a record', () => {
  it('comes out as it will be stored', () => {
    const record = person(
      1,
      { externalUserId: '  legacy-1 ', id: 'ignored', superTokensUserId: 'ignored' },
      {
        email: '  User1@Example.COM ',
        passwordHash: ` ${bcryptHash}\n`,
        hashingAlgorithm: 'BCrypt',
        isVerified: true,
        timeJoinedInMSSinceEpoch: 1_704_067_200_000,
      },
    );
    expect(accepted(record)).toEqual({
      externalUserId: 'legacy-1',
      metadata: undefined,
      roles: undefined,
      totpDevices: undefined,
      methods: [
        {
          recipe: 1,
          tenantNos: [0],
          identities: [{ kind: 1, key: identityKey('user1@example.com') }],
          isDateOdd: false,
          isVerified: true,
          isPrimary: false,
          timeJoined: 1_704_067_200_000,
          email: 'user1@example.com',
          phone: undefined,
          thirdPartyId: undefined,
          thirdPartyUserId: undefined,
          passwordHash: bcryptHash,
          hashKind: 'bcrypt',
          plainTextPassword: undefined,
        },
      ],
    });
  });

  it('may be of any recipe', () => {
    const social = { recipeId: 'thirdparty', email: 'A@b', thirdPartyId: 'g', thirdPartyUserId: ' 1 ' };
    expect(method({}, social)).toMatchObject({
      recipe: 2,
      email: 'a@b',
      thirdPartyUserId: ' 1 ',
      identities: [{ kind: 2, key: thirdPartyKey('g', ' 1 ') }],
      timeJoined: now,
    });
    const passwordless = { recipeId: 'passwordless', email: 'A@b', phoneNumber: ' +4915112345678 ' };
    expect(method({}, passwordless)).toMatchObject({
      recipe: 3,
      phone: '+4915112345678',
      identities: [
        { kind: 3, key: identityKey('a@b') },
        { kind: 4, key: identityKey('+4915112345678') },
      ],
    });
    expect(method({ email: undefined }, passwordless)?.identities).toHaveLength(1);
    expect(method({ phoneNumber: undefined }, passwordless)?.identities).toHaveLength(1);
  });

  it('names tenants in any case and as often as it likes', () => {
    expect(method({ tenantIds: ['T1', 'public', ' t1 '] })?.tenantNos).toEqual([4, 0]);
    expect(method({ tenantIds: ['t2'] })?.tenantNos).toEqual([7]);
  });

  it('has its head in the primary login method, else in the first', () => {
    const two = (more: object) => ({ loginMethods: [passwordMethod(1), passwordMethod(2, more)] });
    expect(headOf(accepted(two({})))).toBe(0);
    expect(headOf(accepted(two({ isPrimary: true })))).toBe(1);
  });

  it('keeps what it states of metadata, roles and devices, and nothing that says nothing', () => {
    const stated = accepted(
      person(1, {
        userMetadata: { a: [1, { b: 'https://x:y' }] },
        userRoles: [{ role: ' admin ', tenantIds: ['T1', 't1'], extra: 1 }, { role: 'user' }],
        totpDevices: [
          { secretKey: ' JBSWY3DP ', period: 30, skew: 0, deviceName: 'd', extra: 1 },
          { secretKey: 'GEZDGNBV' },
        ],
      }),
    );
    expect(stated.metadata).toEqual({ a: [1, { b: 'https://x:y' }] });
    expect(stated.roles).toEqual([{ role: 'admin', tenantIds: ['t1'] }, { role: 'user' }]);
    expect(stated.totpDevices).toStrictEqual([
      { secretKey: 'JBSWY3DP', period: 30, skew: 0, deviceName: 'd' },
      { secretKey: 'GEZDGNBV' },
    ]);
    const empty = accepted(person(1, { userMetadata: {}, userRoles: [], totpDevices: [] }));
    expect([empty.metadata, empty.roles, empty.totpDevices]).toEqual([undefined, undefined, undefined]);
  });

  it('may have keys called __proto__ and constructor, which do nothing', () => {
    const hostile = '{"__proto__":{"role":"admin","email":"x@y"},"constructor":{"prototype":{"p":1}}}';
    const methods = JSON.stringify([passwordMethod(1)]);
    const { metadata } = accepted(
      `{"__proto__":{"p":1},"loginMethods":${methods},"userMetadata":${hostile}}`,
    );
    expect(JSON.stringify(metadata)).toBe(hostile);
    expect({}).not.toHaveProperty('p');
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
    const inherited = `{"loginMethods":[{"__proto__":${JSON.stringify(passwordMethod(1))}}]}`;
    expect(rejected(inherited)).toMatchObject({ code: 'MISSING_FIELD', field: 'loginMethods.0.recipeId' });
  });

  it.each(['constructor', '__proto__', 'toString', 'nobody', '', 'ä'])('finds no tenant called %j', (id) => {
    expect(refused({ tenantIds: ['public', id] })).toMatchObject({
      code: 'UNKNOWN_TENANT',
      field: 'loginMethods.0.tenantIds',
    });
    expect(rejected(person(1, { userRoles: [{ role: 'r', tenantIds: [id] }] }))).toMatchObject({
      code: 'UNKNOWN_TENANT',
      field: 'userRoles.0.tenantIds',
    });
  });
});

describe('a line that is no object', () => {
  it.each([
    'nonsense',
    '[]',
    '[{}]',
    '7',
    'null',
    '"x"',
    '{',
    '{}{}',
    '{},',
    "{'a':1}",
    '\ufeff{}',
    '{"a":\0}',
  ])('is refused: %j', (line) => {
    expect(rejected(line)).toMatchObject({ code: 'INVALID_JSON', field: '', externalUserId: undefined });
  });
});

describe('a key that occurs twice', () => {
  const methods = JSON.stringify([passwordMethod(1)]);

  it.each([
    [`{"externalUserId":"a","externalUserId":"b","loginMethods":${methods}}`, 'externalUserId'],
    [`{"externalUserId":"a","external\\u0055serId":"b","loginMethods":${methods}}`, 'externalUserId'],
    [`{"loginMethods":[{"email":"a@b","email" : "a@b"}]}`, 'loginMethods.0.email'],
    [
      `{"userMetadata":{"u":"x:\\":y","l":[0,{"b":1,"b":2}]},"loginMethods":${methods}}`,
      'userMetadata.l.1.b',
    ],
    [`{"x":{"__proto__":1,"__proto__":2},"loginMethods":${methods}}`, 'x.__proto__'],
    [`{"x":{"1":1,"1":2},"loginMethods":${methods}}`, 'x.1'],
    [`{"x":{"<b>":1,"<b>":2},"loginMethods":${methods}}`, 'x'],
    [`{"x":{"\\\\":1,"\\\\":2},"loginMethods":${methods}}`, 'x'],
  ])('is found in %s', (line, field) => {
    expect(rejected(line)).toMatchObject({ code: 'DUPLICATE_KEY', field });
  });

  it('is not seen in colons, quotes and brackets of texts, nor in other objects', () => {
    const texts = ['a:b', '":"', '\\":{', '{"a":1,"a":2}', '[', ']}', '\\', '\\\\"'];
    const metadata = { texts, 'k:1': { a: 1 }, 'k:2': { a: 1, texts }, list: [{ a: 1 }, { a: 2 }] };
    expect(accepted(person(1, { userMetadata: metadata })).metadata).toEqual(metadata);
  });

  it('is found as JSON.parse with a reviver would count it, in random objects', () => {
    const random = randomNumbers(99);
    const keys = ['"a"', '"b"', '"\\u0061"', '"a:"', '"\\""', '"\\\\"'];
    for (let round = 0; round < 3000; round++) {
      const used = Array.from({ length: random(4) }, () => keys[random(keys.length)] ?? '""');
      const object = `{${used.map((key) => `${key}:{"v":":"}`).join(',')}}`;
      const distinct = new Set(used.map((key) => JSON.parse(key) as string)).size;
      const result = parseRecord(`{"loginMethods":${methods},"userMetadata":${object}}`, rules);
      expect([object, result.ok]).toEqual([object, distinct === used.length]);
    }
  });
});

describe('what cannot be stored', () => {
  const unclean = 'must not contain U+0000 or lone surrogates';

  it.each(['\\u0000', 'a\\u0000b', '\\ud800', 'x\\udc00', '\\udc00\\ud800'])('is refused: %s', (bad) => {
    const line = (json: string) => `{"externalUserId":"e","loginMethods":[${json}`;
    const ok = JSON.stringify(passwordMethod(1));
    for (const [text, field] of [
      [`{"externalUserId":"${bad}","loginMethods":[${ok}]}`, 'externalUserId'],
      [line(`{"recipeId":"emailpassword","email":"${bad}@b"}]}`), 'loginMethods.0.email'],
      [line(`${ok}],"userMetadata":{"a":["${bad}"]}}`), 'userMetadata.a.0'],
      [line(`${ok}],"userMetadata":{"a":{"${bad}":1}}}`), 'userMetadata.a'],
      [line(`${ok}],"unknown":"${bad}"}`), 'unknown'],
      [line(`${ok}],"userRoles":[{"role":"${bad}"}]}`), 'userRoles.0.role'],
    ] as const) {
      expect(rejected(text)).toMatchObject({ code: 'INVALID_FIELD', field });
      expect(rejected(text).message).toContain(unclean);
    }
    expect(rejected(`{"externalUserId":"${bad}","loginMethods":[]}`).externalUserId).toBeUndefined();
  });

  it('is a number out of range, in metadata too', () => {
    const ok = JSON.stringify([passwordMethod(1)]);
    for (const bad of ['1e400', '-1e999', `1${'0'.repeat(400)}`]) {
      const text = `{"externalUserId":"e","loginMethods":${ok},"userMetadata":{"n":[${bad}]}}`;
      expect(rejected(text)).toMatchObject({
        code: 'INVALID_FIELD',
        field: 'userMetadata.n.0',
        externalUserId: 'e',
      });
    }
    expect(refused({ timeJoinedInMSSinceEpoch: 1e300 })).toMatchObject({
      field: 'loginMethods.0.timeJoinedInMSSinceEpoch',
    });
  });

  it('is what nests too deep', () => {
    const of = (levels: number) =>
      `{"loginMethods":${JSON.stringify([passwordMethod(1)])},"userMetadata":{"d":${nested(levels)}}}`;
    expect(accepted(of(62)).metadata).toBeDefined();
    expect(rejected(of(63))).toMatchObject({ code: 'INVALID_FIELD', field: 'userMetadata.d.0.0.0.0.0.0' });
    expect(rejected(of(500_000)).code).toBe('INVALID_FIELD');
    expect(rejected(`{"loginMethods":${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}}`).code).toBe(
      'INVALID_FIELD',
    );
  });
});

describe('a field', () => {
  const at = (field: string, code = 'INVALID_FIELD') => ({ code, field });

  it('is missed where it is needed', () => {
    expect(rejected({})).toMatchObject(at('loginMethods', 'MISSING_FIELD'));
    expect(rejected({ loginMethods: [{}] })).toMatchObject(at('loginMethods.0.recipeId', 'MISSING_FIELD'));
    for (const [recipeId, field] of [
      ['emailpassword', 'email'],
      ['thirdparty', 'email'],
      ['passwordless', 'email'],
    ] as const) {
      expect(rejected({ loginMethods: [{ recipeId }] })).toMatchObject(
        at(`loginMethods.0.${field}`, 'MISSING_FIELD'),
      );
    }
    const social = { recipeId: 'thirdparty', email: 'a@b', thirdPartyId: 'g' };
    expect(rejected({ loginMethods: [passwordMethod(1), social] })).toMatchObject(
      at('loginMethods.1.thirdPartyUserId', 'MISSING_FIELD'),
    );
    expect(refused({ passwordHash: undefined })).toMatchObject(
      at('loginMethods.0.passwordHash', 'MISSING_FIELD'),
    );
    expect(rejected(person(1, { userRoles: [{}] }))).toMatchObject(at('userRoles.0.role', 'MISSING_FIELD'));
    expect(rejected(person(1, { totpDevices: [{ secretKey: 'jbswy3dp' }, {}] }))).toMatchObject(
      at('totpDevices.1.secretKey', 'MISSING_FIELD'),
    );
  });

  it.each([
    ['externalUserId', { externalUserId: 7 }],
    ['externalUserId', { externalUserId: ' ' }],
    ['externalUserId', { externalUserId: 'x'.repeat(129) }],
    ['loginMethods', { loginMethods: [] }],
    ['loginMethods', { loginMethods: {} }],
    ['loginMethods.0', { loginMethods: [7] }],
    ['loginMethods.0.recipeId', { loginMethods: [{ recipeId: 'webauthn' }] }],
    ['userMetadata', { userMetadata: [] }],
    ['userRoles', { userRoles: {} }],
    ['userRoles.0', { userRoles: ['admin'] }],
    ['userRoles.0.role', { userRoles: [{ role: '' }] }],
    ['userRoles.0.tenantIds', { userRoles: [{ role: 'r', tenantIds: [7] }] }],
    ['totpDevices.0.secretKey', { totpDevices: [{ secretKey: '' }] }],
    ['totpDevices.0.period', { totpDevices: [{ secretKey: 'jbswy3dp', period: 0 }] }],
    ['totpDevices.0.skew', { totpDevices: [{ secretKey: 'jbswy3dp', skew: 1.5 }] }],
    ['totpDevices.0.deviceName', { totpDevices: [{ secretKey: 'jbswy3dp', deviceName: 7 }] }],
  ])('%s of the record is checked against its rule', (field, more) => {
    expect(rejected(person(1, more))).toMatchObject(at(field));
  });

  it('of a record that is null counts as left out, unless it is required', () => {
    const nulls = { externalUserId: null, userMetadata: null, userRoles: null, isDisabled: null };
    const record = accepted({ ...person(1), ...nulls });
    expect(record).toEqual(accepted({ ...person(1), externalUserId: undefined }));
    expect(rejected(person(1, { loginMethods: null }))).toMatchObject(at('loginMethods'));
    expect(rejected(person(1, { userRoles: [{ role: null }] }))).toMatchObject(at('userRoles.0.role'));
  });

  it.each([
    ['email', { email: 'no email' }],
    ['email', { email: `${'x'.repeat(256)}@y` }],
    ['email', { email: null }],
    ['tenantIds', { tenantIds: [] }],
    ['tenantIds', { tenantIds: 'public' }],
    ['tenantIds', { tenantIds: [7] }],
    ['isVerified', { isVerified: 'yes' }],
    ['isPrimary', { isPrimary: 1 }],
    ['timeJoinedInMSSinceEpoch', { timeJoinedInMSSinceEpoch: -1 }],
    ['timeJoinedInMSSinceEpoch', { timeJoinedInMSSinceEpoch: 1.5 }],
    ['timeJoinedInMSSinceEpoch', { timeJoinedInMSSinceEpoch: '1704067200000' }],
    ['passwordHash', { passwordHash: 7 }],
    ['hashingAlgorithm', { hashingAlgorithm: 7 }],
  ])('%s of a login method is checked against its rule', (field, more) => {
    expect(refused(more)).toMatchObject(at(`loginMethods.0.${field}`));
  });

  it('may be at its bounds', () => {
    expect(method({ timeJoinedInMSSinceEpoch: 0 })?.timeJoined).toBe(0);
    expect(method({ timeJoinedInMSSinceEpoch: now })?.timeJoined).toBe(now);
    expect(accepted(person(1, { externalUserId: 'x'.repeat(128) })).externalUserId).toHaveLength(128);
  });

  it.each([
    [Date.UTC(2000, 0, 1), Date.UTC(2000, 0, 1), false],
    [Date.UTC(2000, 0, 1) - 1, Date.UTC(2000, 0, 1) - 1, true],
    [1_690_000_000, 1_690_000_000, true],
    [now, now, false],
    [now + 1, now, true],
    [1_690_000_000_000_000, now, true],
    [undefined, now, false],
  ])('joined at %j: is %j, odd %j', (timeJoinedInMSSinceEpoch, timeJoined, isDateOdd) => {
    expect(method({ timeJoinedInMSSinceEpoch })).toMatchObject({ timeJoined, isDateOdd });
  });

  it.each(['+1234', '+1234567890123456', '4915112345678', '+49 151 12345678', '+0151123456', 'x', ''])(
    'phoneNumber is not %j',
    (phoneNumber) => {
      expect(rejected({ loginMethods: [{ recipeId: 'passwordless', phoneNumber }] })).toMatchObject(
        at('loginMethods.0.phoneNumber'),
      );
    },
  );

  it('is one of the recipe that was named', () => {
    expect(
      accepted({ loginMethods: [passwordMethod(1, { phoneNumber: 7, thirdPartyId: [] })] }).methods,
    ).toHaveLength(1);
  });
});

describe('login methods of one record', () => {
  const primary = { isPrimary: true };

  it('have one primary at most', () => {
    const three = [passwordMethod(1, primary), passwordMethod(2), passwordMethod(3, primary)];
    expect(rejected({ loginMethods: three })).toMatchObject({
      code: 'INVALID_FIELD',
      field: 'loginMethods.2.isPrimary',
    });
  });

  it('are not the same twice in one tenant', () => {
    const twice = [passwordMethod(1, { tenantIds: ['t1', 'public'] }), passwordMethod(1)];
    expect(rejected({ loginMethods: twice })).toMatchObject({
      code: 'INVALID_FIELD',
      field: 'loginMethods.1.email',
    });
    const apart = [passwordMethod(1, { tenantIds: ['t1'] }), passwordMethod(1)];
    expect(accepted({ loginMethods: apart }).methods).toHaveLength(2);
    const otherRecipe = [passwordMethod(1), { recipeId: 'passwordless', email: 'user1@example.com' }];
    expect(accepted({ loginMethods: otherRecipe }).methods).toHaveLength(2);
    const phone = { recipeId: 'passwordless', phoneNumber: '+4915112345678' };
    expect(rejected({ loginMethods: [phone, { ...phone, email: 'a@b' }] }).field).toBe(
      'loginMethods.1.phoneNumber',
    );
  });
});

describe('a password', () => {
  it.each([
    [{ hashingAlgorithm: 'rot13' }, 'UNSUPPORTED_HASHING_ALGORITHM', 'hashingAlgorithm'],
    [{ passwordHash: 'S3CRET' }, 'INVALID_PASSWORD_HASH', 'passwordHash'],
    [{ passwordHash: ' ' }, 'INVALID_PASSWORD_HASH', 'passwordHash'],
    [{ passwordHash: bcryptHash.slice(0, -1) }, 'INVALID_PASSWORD_HASH', 'passwordHash'],
    [{ hashingAlgorithm: 'argon2' }, 'INVALID_PASSWORD_HASH', 'passwordHash'],
    [{ passwordHash: bcryptHash.replace('$10$', '$16$') }, 'HASH_OVER_CEILING', 'passwordHash'],
    [{ plainTextPassword: 'S3CRET' }, 'PLAIN_TEXT_NOT_ALLOWED', 'plainTextPassword'],
  ])('is refused: %j', (more, code, field) => {
    const reject = refused(more);
    expect(reject).toMatchObject({ code, field: `loginMethods.0.${field}` });
    expect(reject.message).not.toContain('S3CRET');
    expect(reject.message).not.toContain(bcryptHash.slice(7, 20));
  });

  it('of the scrypt variant needs the signer key', () => {
    const vector = readVectors().find(({ id }) => id === '142');
    const passwordHash = vector === undefined ? '' : scryptVariantString(vector);
    const more = { passwordHash, hashingAlgorithm: 'firebase_scrypt' };
    expect(refused(more)).toMatchObject({ code: 'SIGNER_KEY_MISSING', field: 'loginMethods.0.passwordHash' });
    const signerKey = Buffer.from(vector?.signerKey ?? '', 'base64');
    const record = accepted({ loginMethods: [passwordMethod(1, more)] }, { signerKey });
    expect(record.methods[0]).toMatchObject({ hashKind: 'provider_scrypt', passwordHash });
  });

  it('is stored with its kind where it does not show it', () => {
    const passwordHash = '5f4dcc3b5aa765d61d8327deb882cf99';
    expect(method({ passwordHash, hashingAlgorithm: 'md5' })).toMatchObject({
      hashKind: 'md5',
      passwordHash: `$carryover$md5$${passwordHash}`,
    });
  });

  it('in plain text is taken where it is allowed, and then alone', () => {
    const plain = { passwordHash: undefined, plainTextPassword: ' é ' };
    const record = accepted({ loginMethods: [passwordMethod(1, plain)] }, { allowPlainText: true });
    expect(record.methods[0]).toMatchObject({ plainTextPassword: ' é ', passwordHash: undefined });
    for (const more of [{ plainTextPassword: 'x' }, { ...plain, plainTextPassword: '' }]) {
      expect(refused(more, { allowPlainText: true })).toMatchObject({
        code: 'INVALID_FIELD',
        field: 'loginMethods.0.plainTextPassword',
      });
    }
    const long = { ...plain, plainTextPassword: 'é'.repeat(2049) };
    expect(refused(long, { allowPlainText: true }).message).toContain('at most 4096 bytes');
  });
});

describe('a reject', () => {
  it('says whose it is where that can be read', () => {
    expect(rejected(person(1, { externalUserId: ' a ' }, { email: 7 })).externalUserId).toBe('a');
    expect(rejected(person(1, { externalUserId: 'x'.repeat(129) })).externalUserId).toBeUndefined();
    expect(rejected(person(1, { externalUserId: {} })).externalUserId).toBeUndefined();
  });

  it('is all that comes of damaged lines: nothing throws', () => {
    const random = randomNumbers(4711);
    const lines = [
      JSON.stringify(person(1, { userMetadata: { a: 'b:c', n: [1e3, null] } })),
      JSON.stringify(person(2, { userRoles: [{ role: 'r' }], totpDevices: [{ secretKey: 'JBSWY3DP' }] })),
      '{"loginMethods":[{"recipeId":"thirdparty","email":"a\\u0040b","thirdPartyId":"g","thirdPartyUserId":"1"}]}',
      '{"loginMethods":[{"recipeId":"passwordless","phoneNumber":"+4915112345678"}],"__proto__":{"a":[]}}',
    ];
    let oks = 0;
    for (let round = 0; round < 100_000; round++) {
      const result = parseRecord(mutated(lines[round % lines.length] ?? '', random), rules);
      if (result.ok) oks++;
      else if (result.reject.message === '') throw new Error('a reject says why');
    }
    expect(oks).toBeGreaterThan(1000);
  });
});
