import { describe, expect, test } from 'vitest';
import { Refusal } from '../../src/domain/errors.ts';
import { validatorsText } from '../../generate/validators.ts';
import { bodies, parseBody, parseQuery, queries } from '../helpers/forms.ts';
import type { FieldSchema, RequestSchema } from '../../src/schema/fields.ts';

const inJson = (field: string, why?: string) =>
  `Field name '${field}' is invalid in JSON input${why === undefined ? '' : `: ${why}`}`;
const inGet = (field: string, why: string) => `Field name '${field}' is invalid in GET request: ${why}`;
const notAnEmail =
  'must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs';
const unclean = 'must not contain U+0000 or lone surrogates';

function refusalOf(parse: () => unknown): Refusal {
  try {
    parse();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('was accepted');
}

const messageOf = (name: string, value: unknown) => refusalOf(() => parseBody(name, value)).message;
const queryMessageOf = (name: string, text: string) => refusalOf(() => parseQuery(name, text)).message;

/** A valid body of each kind, with every possible field. */
const valid = {
  importPasswordHash: { email: 'a@b', passwordHash: '$2b$', hashingAlgorithm: 'bcrypt' },
  signUp: { email: 'a@b', password: 'p' },
  signIn: { email: 'a@b', password: 'p' },
  signInUp: { thirdPartyId: 'g', thirdPartyUserId: '1', email: { id: 'a@b', isVerified: true } },
  createVerificationToken: { email: 'a@b', userId: 'u' },
  redeemVerificationToken: { method: 'token', token: 't' },
  verificationPair: { userId: 'u', email: 'a@b' },
  mapUserId: { superTokensUserId: 'u', externalUserId: 'e', externalUserIdInfo: 'i', force: false },
  removeUserIdMap: { userId: 'u', userIdType: 'ANY', force: true },
  updateExternalUserIdInfo: { userId: 'u', userIdType: 'EXTERNAL', externalUserIdInfo: null },
  removeUser: { userId: 'u', removeAllLinkedAccounts: false },
  updateUser: { recipeUserId: 'u', email: 'a@b', password: 'p' },
  putRestrictions: { userId: 'u', isDisabled: true, disabledUntil: 1, isHeld: false },
  createResetToken: { userId: 'u', email: 'a@b' },
  consumeResetToken: { token: 't' },
  refreshSessionByKeptKey: {
    refreshToken: 'r',
    antiCsrfToken: 'a',
    enableAntiCsrf: true,
    useDynamicSigningKey: false,
  },
  putFormerTenant: {
    tenantId: 't',
    emailPasswordEnabled: true,
    thirdPartyEnabled: false,
    passwordlessEnabled: true,
    coreConfig: {},
    firstFactors: ['thirdparty'],
    requiredSecondaryFactors: ['totp'],
  },
  createFormerResetToken: { userId: 'u' },
  resetPassword: { method: 'token', token: 't', newPassword: 'p' },
  putApp: {
    appId: 'a',
    coreConfig: { key: null },
    firstFactors: ['totp'],
    requiredSecondaryFactors: ['totp'],
  },
  putTenant: { tenantId: 't', coreConfig: {}, firstFactors: ['totp'], requiredSecondaryFactors: ['totp'] },
  removeApp: { appId: 'a' },
  removeTenant: { tenantId: 't' },
  addBulkUsers: { users: [{}] },
  importBulkUser: {
    externalUserId: 'e',
    userMetadata: {},
    userRoles: [],
    totpDevices: [],
    backupCodes: [],
    secondFactors: [],
    requiredActions: [],
    isDisabled: true,
    disabledUntil: 1,
    sameIds: true,
    restoreRemoved: true,
    loginMethods: [{ recipeId: 'emailpassword' }],
  },
  removeBulkUsers: { ids: ['i'] },
  undoJob: { force: true },
  carrySession: { source: 's', token: 't' },
  importSessions: {
    source: 's',
    sessions: [{ userId: 'u', tokenSha256: 'ab'.repeat(32), expiresAt: 1 }],
  },
  createSession: {
    userId: 'u',
    enableAntiCsrf: true,
    userDataInJWT: { a: null },
    userDataInDatabase: {},
    useDynamicSigningKey: false,
  },
  refreshSession: {
    refreshToken: 't',
    antiCsrfToken: 'a',
    enableAntiCsrf: true,
    useDynamicSigningKey: true,
  },
  verifySession: {
    accessToken: 't',
    antiCsrfToken: null,
    doAntiCsrfCheck: true,
    enableAntiCsrf: true,
    checkDatabase: false,
  },
  regenerateSession: { accessToken: 't', userDataInJWT: null },
  putSessionData: { sessionHandle: 'h', userDataInDatabase: { a: 1 } },
  putJwtData: { sessionHandle: 'h', userDataInJWT: {} },
  removeSessions: {
    sessionHandles: ['h'],
    userId: 'u',
    revokeAcrossAllTenants: true,
    revokeSessionsForLinkedAccounts: false,
  },
  recipeUser: { recipeUserId: 'r' },
  putProvider: {
    config: { thirdPartyId: 'g', clients: [{ clientId: 'c', scope: ['s'] }] },
    skipValidation: true,
  },
  removeProvider: { thirdPartyId: 'g' },
  tenantUser: { recipeUserId: 'r' },
  linkUsers: { recipeUserId: 'r', primaryUserId: 'p' },
  createJwt: { algorithm: 'RS256', jwksDomain: 'd', payload: {}, validity: 10, useStaticSigningKey: true },
  putRole: { role: 'r', permissions: ['p'] },
  removePermissions: { role: 'r', permissions: ['p'] },
  removeRole: { role: 'r' },
  userRole: { userId: 'u', role: 'r' },
  putMetadata: { userId: 'u', metadataUpdate: { a: null } },
  removeMetadata: { userId: 'u' },
  dashboardSignIn: { email: 'a@b', password: 'p' },
  addDashboardUser: { email: 'a@b', password: 'p' },
  changeDashboardUser: { newEmail: 'a@b', newPassword: null, userId: 'u', email: null },
  verifyDashboardSession: { sessionId: 's' },
  createTotpDevice: { userId: 'u', deviceName: 'd', skew: 0, period: 30 },
  importTotpDevice: {
    userId: 'u',
    deviceName: 'd',
    skew: 1,
    period: 30,
    secretKey: 'JBSWY3DPEHPK3PXP',
    algorithm: 'SHA256',
    digits: 8,
  },
  renameTotpDevice: { userId: 'u', existingDeviceName: 'd', newDeviceName: 'e' },
  removeTotpDevice: { userId: 'u', deviceName: 'd' },
  verifyTotpDevice: { userId: 'u', deviceName: 'd', totp: '123456' },
  verifyTotp: { userId: 'u', totp: '123456' },
  createCode: { email: 'a@b', phoneNumber: '+441', deviceId: 'd', userInputCode: '1' },
  useCode: { preAuthSessionId: 'p', linkCode: 'l', deviceId: 'd', userInputCode: '1' },
  removeCode: { codeId: 'c', preAuthSessionId: 'p' },
  removeCodes: { email: 'a@b', phoneNumber: '+441' },
  updatePasswordless: { recipeUserId: 'u', email: null, phoneNumber: '+441' },
  kratosHook: { identifier: 'a@b', password: 'p' },
  oktaHook: { data: { context: { credential: { username: 'a@b', password: 'p' } } } },
  keycloakHook: { password: 'p' },
  fusionAuthHook: { loginId: 'a@b', password: 'p' },
  httpHook: { email: 'a@b', password: 'p' },
  createCheckedJob: {
    canaries: [{ email: 'a@b', password: 'p', passwordHash: '$2b$', hashingAlgorithm: 'bcrypt' }],
    codeCanaries: [{ code: '123456', at: 1, secretKey: 'JBSWY3DPEHPK3PXP' }],
    onConflict: 'skip',
    dryRun: true,
    secondFactor: 'drop',
    name: 'n',
  },
  makeReceipt: { files: [{ name: 'users.ndjson', sha256: '0'.repeat(64) }] },
  startMove: { system: 'laravel', address: 'mysql://db:3306/shop', source: 's' },
  stepForwards: { dryRun: true, revision: 1, share: 5, refusedBefore: 1.5 },
  stepBack: { dryRun: true, revision: 1, share: 5 },
  closeMove: { dryRun: true, revision: 1, abandon: true },
  reportPlan: { users: 1, counts: { records: 1 } },
  reportCanaries: { verified: 1, failed: 0 },
  reportComparison: {
    users: 1,
    unexplained: 0,
    counts: { missingHere: 0 },
    digest: '0'.repeat(64),
    tookMs: 1,
  },
  reportWayBack: { users: 1, without: 1, why: { NO_HASH: 1 }, tookMs: 1 },
  claimLease: {
    role: 'follow',
    holder: 'h',
    system: 'laravel',
    address: 'mysql://db:3306/shop',
    source: 's',
  },
  renewLease: { role: 'follow', fence: 1, position: 'p', lagMs: 1, lagRecords: 1 },
  settleChanges: {
    fence: 1,
    settled: [
      {
        id: '01890000-0000-7000-8000-000000000000',
        changes: ['1'],
        oldId: '5',
        conflict: 'CHANGED_THERE',
        passwordMark: '0123456789abcdef0123456789abcdef',
      },
    ],
  },
  releaseLease: { role: 'write-back', fence: 1 },
  beginConsoleSession: { key: 'k', email: 'a@b', password: 'p', isSecure: true },
  startRun: {
    kind: 'import',
    files: ['01890000-0000-7000-8000-000000000000'],
    canaries: '01890000-0000-7000-8000-000000000000',
    related: { 'auth0-hashes': '01890000-0000-7000-8000-000000000000' },
    secrets: { pepper: 'p' },
    address: 'mysql://db:3306/shop',
    map: ['email=mail'],
    from: 'auth0',
    hashAs: 'md5',
    withoutPassword: 'reject',
    idPrefix: 'p:',
    tenant: 't',
    encoding: 'utf-8',
    table: 'users',
    dates: 'dmy',
    country: 'DE',
    rolesFrom: 'roles',
    onConflict: 'ours',
    secondFactor: 'flag',
    absent: 'report',
    source: 's',
    schema: 'public',
    tablePrefix: 'wp_',
    usersTable: 'users',
    realm: 'shop',
    partial: true,
    includeDeleted: true,
    showSamples: true,
  },
  mendRecords: { records: [{ mend: 0, record: '{}' }] },
  decideRecords: { lines: [1] },
  settleDifferences: { kind: 'both', choice: 'ours' },
  revealUser: { userId: 'u' },
  reportSignIns: { signIns: [{ email: 'a@b', userId: 'u', isRight: true }] },
};

const validBodies: Readonly<Record<string, object>> = valid;
const schemaOf = (name: string): RequestSchema => {
  const schema = bodies[name];
  if (schema === undefined) throw new Error(`no body is called ${name}`);
  return schema;
};

test('there is a valid body of every name', () => {
  expect(Object.keys(valid).sort()).toEqual(Object.keys(bodies).sort());
});

describe.each(Object.keys(valid))('the body of %s', (name) => {
  const { properties, required } = schemaOf(name);
  const without = (field: string) => Object.entries(validBodies[name] ?? {}).filter(([key]) => key !== field);
  const validOf = (field: string): unknown =>
    Object.entries(validBodies[name] ?? {}).find(([key]) => key === field)?.[1];
  const ofAnotherType = (field: string): unknown => (typeof validOf(field) === 'number' ? 'seven' : 7);

  test('is accepted as it is', () => {
    expect(parseBody(name, validBodies[name])).toEqual(validBodies[name]);
  });

  test.each(Object.keys(properties))('%s of another type is refused', (field) => {
    const another = ofAnotherType(field);
    const own = (properties as Record<string, FieldSchema>)[field]?.['x-messages']?.type;
    expect(messageOf(name, { ...validBodies[name], [field]: another })).toBe(own ?? inJson(field));
    const isList = Array.isArray(validOf(field));
    expect(messageOf(name, { ...validBodies[name], [field]: isList ? {} : [] })).toBe(own ?? inJson(field));
  });

  test.each(Object.keys(properties))('%s may be missing only if it is optional', (field) => {
    const body = Object.fromEntries(without(field));
    if (required.some((each) => each === field)) expect(messageOf(name, body)).toBe(inJson(field));
    else expect(parseBody(name, body)).toEqual(body);
  });

  test('reports the first field in the order of the contract', () => {
    const wrong = Object.fromEntries(Object.keys(properties).map((field) => [field, ofAnotherType(field)]));
    expect(messageOf(name, wrong)).toBe(inJson(Object.keys(properties)[0] ?? ''));
    const [first] = required;
    if (first !== undefined) expect(messageOf(name, {})).toBe(inJson(first));
  });
});

describe('any body', () => {
  test.each([undefined, null, 7, 'text', [], [{}]])('that is %j is no JSON object', (value) => {
    expect(refusalOf(() => parseBody('signIn', value)).code).toBe('INVALID_JSON_INPUT');
  });

  test('loses its unknown fields', () => {
    expect(parseBody('signIn', { ...valid.signIn, extra: 1, constructor: 2 })).toEqual(valid.signIn);
  });

  test('may have a field called __proto__, which does nothing', () => {
    const hostile = JSON.parse('{"__proto__":{"email":"a@b","password":"p"}}') as unknown;
    expect(messageOf('signIn', hostile)).toBe(inJson('email'));
    const nested = JSON.parse(
      '{"thirdPartyId":"g","thirdPartyUserId":"1","email":{"__proto__":{"id":"a@b"}}}',
    ) as unknown;
    expect(messageOf('signInUp', nested)).toBe(inJson('email.id'));
    const both = JSON.parse('{"email":"a@b","password":"p","__proto__":{"admin":true}}') as unknown;
    const input = parseBody('signIn', both);
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    expect(input).not.toHaveProperty('admin');
    expect({}).not.toHaveProperty('admin');
  });

  test('is refused for U+0000 or a lone surrogate in any text, at any depth', () => {
    for (const bad of ['\0', 'a\0b', '\ud800', 'x\udc00x', '\udc00\ud800']) {
      expect(messageOf('consumeResetToken', { token: bad })).toBe(inJson('token', unclean));
      expect(messageOf('mapUserId', { ...valid.mapUserId, externalUserIdInfo: bad })).toBe(
        inJson('externalUserIdInfo', unclean),
      );
      for (const coreConfig of [{ a: bad }, { [bad]: 1 }, { a: [{ b: bad }] }]) {
        expect(messageOf('putApp', { appId: 'a', coreConfig })).toBe(inJson('coreConfig', unclean));
      }
    }
    expect(messageOf('signInUp', { ...valid.signInUp, email: { id: 'a\0@b' } })).toBe(
      inJson('email.id', unclean),
    );
    expect(parseBody('consumeResetToken', { token: '😀' })).toEqual({ token: '😀' });
  });

  test.each(Object.keys(bodies))('of %s takes null for an optional field as if it were left out', (name) => {
    const { properties, required } = schemaOf(name);
    const rest: Record<string, unknown> = { ...validBodies[name] };
    for (const [field, { type }] of Object.entries(properties)) {
      if (required.includes(field) || [type].flat().includes('null')) continue;
      const without = Object.fromEntries(Object.entries(rest).filter(([each]) => each !== field));
      expect(parseBody(name, { ...rest, [field]: null }), field).toEqual(parseBody(name, without));
    }
  });

  test('takes null so inside of its fields, too, and not where a field is required', () => {
    const { email, ...ids } = valid.signInUp as Record<string, unknown> & { email: { id: string } };
    const input = { ...ids, email: { id: email.id, isVerified: null } };
    expect(parseBody('signInUp', input)).toEqual({ ...ids, email: { id: email.id } });
    expect(messageOf('signInUp', { ...ids, email: null })).toBe(
      "Field name 'email' is invalid in JSON input",
    );
    expect(messageOf('signIn', { ...valid.signIn, password: null })).toBe(
      "Field name 'password' is invalid in JSON input",
    );
    expect(parseBody('putMetadata', { userId: 'u', metadataUpdate: { a: null } })).toMatchObject({
      metadataUpdate: { a: null },
    });
  });

  test('is not searched for them when its text held no escape', () => {
    expect(parseBody('consumeResetToken', { token: '\0' }, { escaped: false })).toEqual({ token: '\0' });
  });

  test('names the earlier field, whichever rule it breaks', () => {
    expect(messageOf('signIn', { email: 'a', password: '\0' })).toBe(inJson('email', notAnEmail));
    expect(messageOf('signIn', { email: 'a@b', password: '\0' })).toBe(inJson('password', unclean));
    expect(messageOf('signInUp', { thirdPartyId: '', email: 7 })).toBe(
      inJson('thirdPartyId', 'must not be empty'),
    );
  });

  test('is never quoted', () => {
    const secret = 'S3CRET';
    expect(messageOf('signIn', { email: secret, password: secret })).not.toContain(secret);
    expect(messageOf('redeemVerificationToken', { method: secret, token: secret })).not.toContain(secret);
    expect(messageOf('removeUserIdMap', { userId: 'u', userIdType: secret })).not.toContain(secret);
  });
});

describe('an email', () => {
  const parse = (email: unknown) => parseBody('signIn', { email, password: 'p' }).email;

  test('is trimmed and lower-cased before it is checked', () => {
    expect(parse(' \t A.B@C.D \n')).toBe('a.b@c.d');
    expect(parse(`${' '.repeat(300)}${'x'.repeat(254)}@y  `)).toHaveLength(256);
  });

  test.each(['a@b', 'ü@münchen.example', 'a+b@c', '""@x', '😀@x', "o'neil@x"])('may be %s', (email) => {
    expect(parse(email)).toBe(email);
  });

  test.each([
    'a',
    '@',
    '@b',
    'a@',
    'a@b@c',
    'a b@c',
    'a@b c',
    'a\u00a0@b',
    'a@b\u0007',
    'a\u007f@b',
    'a@\u0085b',
  ])('may not be %j', (email) => {
    expect(messageOf('signIn', { email, password: 'p' })).toBe(inJson('email', notAnEmail));
  });

  test('is measured in UTF-16 units', () => {
    expect(parse(`${'😀'.repeat(127)}@y`)).toHaveLength(256);
    expect(messageOf('signIn', { email: `${'😀'.repeat(127)}@yz`, password: 'p' })).toBe(
      inJson('email', 'must be at most 256 characters'),
    );
    expect(messageOf('signIn', { email: '  ', password: 'p' })).toBe(inJson('email', 'must not be empty'));
  });
});

describe('other rules', () => {
  test('a password is kept as it is, 1 to 4096 bytes of UTF-8', () => {
    const parse = (password: string) => parseBody('signUp', { email: 'a@b', password }).password;
    expect(parse(' \t')).toBe(' \t');
    expect(parse('é'.repeat(2048))).toHaveLength(2048);
    for (const name of ['signUp', 'signIn'] as const) {
      expect(messageOf(name, { email: 'a@b', password: '' })).toBe('Password cannot be an empty string');
      expect(messageOf(name, { email: 'a@b', password: 'é'.repeat(2049) })).toBe(
        inJson('password', 'must be at most 4096 bytes'),
      );
    }
  });

  test('a password hash is trimmed and not empty; its kind is not judged here', () => {
    const body = { email: 'a@b', passwordHash: '  $2b$  ', hashingAlgorithm: 'Whatever' };
    expect(parseBody('importPasswordHash', body)).toEqual({ ...body, passwordHash: '$2b$' });
    expect(messageOf('importPasswordHash', { email: 'a@b', passwordHash: ' ' })).toBe(
      'Password hash cannot be an empty string',
    );
  });

  test('ids of third parties are kept as they are', () => {
    const ids = { thirdPartyId: ' G ', thirdPartyUserId: ' 1 ' };
    expect(parseBody('signInUp', { ...ids, email: { id: 'A@B' } })).toEqual({ ...ids, email: { id: 'a@b' } });
    expect(messageOf('signInUp', { ...valid.signInUp, thirdPartyId: 'x'.repeat(129) })).toBe(
      inJson('thirdPartyId', 'must be at most 128 characters'),
    );
    expect(messageOf('signInUp', { ...valid.signInUp, thirdPartyUserId: 'x'.repeat(257) })).toBe(
      inJson('thirdPartyUserId', 'must be at most 256 characters'),
    );
  });

  test('nested fields are named with a dot', () => {
    expect(messageOf('signInUp', { ...valid.signInUp, email: {} })).toBe(inJson('email.id'));
    expect(messageOf('signInUp', { ...valid.signInUp, email: { id: 'a@b', isVerified: 'yes' } })).toBe(
      inJson('email.isVerified'),
    );
    expect(messageOf('signInUp', { ...valid.signInUp, email: null })).toBe(inJson('email'));
  });

  test('an external id is trimmed before it is measured', () => {
    const parse = (externalUserId: string) => ({ superTokensUserId: ' u ', externalUserId });
    expect(parseBody('mapUserId', parse(`  ${'x'.repeat(128)}  `))).toEqual({
      superTokensUserId: 'u',
      externalUserId: 'x'.repeat(128),
    });
    expect(messageOf('mapUserId', parse(' '))).toBe(inJson('externalUserId', 'must not be empty'));
    expect(messageOf('mapUserId', parse('x'.repeat(129)))).toBe(
      inJson('externalUserId', 'must be at most 128 characters'),
    );
  });

  test('words have to be one of a few', () => {
    expect(messageOf('redeemVerificationToken', { method: 'otp', token: 't' })).toBe(
      'Unsupported method for email verification',
    );
    expect(messageOf('removeUserIdMap', { userId: 'u', userIdType: 'any' })).toBe(
      inJson('userIdType', 'must be one of ANY, SUPERTOKENS, EXTERNAL'),
    );
  });

  test('names of apps and tenants are trimmed and lower-cased', () => {
    expect(parseBody('putApp', { appId: ' My-App1 ' })).toEqual({ appId: 'my-app1' });
    for (const appId of ['', 'a_b', 'ä', 'x'.repeat(65)]) {
      expect(messageOf('putApp', { appId })).toBe(
        inJson('appId', 'must be 1 to 64 letters, digits and hyphens'),
      );
    }
    for (const tenantId of ['recipe', 'Users', 'bulk-import', '.well-known', 'appid-x']) {
      expect(messageOf('putTenant', { tenantId })).toMatch(
        /^Field name 'tenantId' is invalid in JSON input: /,
      );
    }
    expect(parseBody('putTenant', { tenantId: 'recipes' })).toEqual({ tenantId: 'recipes' });
  });
});

describe('a query', () => {
  test('is decoded and converted', () => {
    expect(
      parseQuery(
        'listUsers',
        'limit=500&timeJoinedOrder=ASC&paginationToken=a%2Bb&includeRecipeIds=emailpassword',
      ),
    ).toEqual({
      limit: 500,
      timeJoinedOrder: 'ASC',
      paginationToken: 'a+b',
      includeRecipeIds: ['emailpassword'],
    });
    expect(
      parseQuery('countUsers', 'includeRecipeIds=thirdparty,passwordless&includeAllTenants=TRUE'),
    ).toEqual({
      includeRecipeIds: ['thirdparty', 'passwordless'],
      includeAllTenants: true,
    });
    expect(parseQuery('listUsers', '')).toEqual({});
    expect(parseQuery('userId', 'x=1&userId=a+b&userId=second&__proto__=1')).toEqual({ userId: 'a b' });
  });

  test('has emails that are only trimmed and lower-cased', () => {
    expect(parseQuery('accountInfo', 'email=+No+Email+')).toEqual({ email: 'no email' });
    expect(parseQuery('verification', 'userId=u&email=A%40B')).toEqual({ userId: 'u', email: 'a@b' });
  });

  test('is refused for what is missing, in the order of the contract', () => {
    const refusal = refusalOf(() => parseQuery('verification', 'email=a'));
    expect([refusal.code, refusal.message]).toEqual([
      'MISSING_QUERY_PARAMETER',
      "Field name 'userId' is missing in GET request",
    ]);
    expect(queryMessageOf('verification', 'userId=u')).toBe("Field name 'email' is missing in GET request");
  });

  test.each([
    ['verification', 'userId=&email=a@b', inGet('userId', 'must not be empty')],
    ['userId', 'userId=%00', inGet('userId', unclean)],
    ['userId', 'userId=%ff', inGet('userId', unclean)],
    ['userIdMap', 'userId=u&userIdType=x', inGet('userIdType', 'must be one of ANY, SUPERTOKENS, EXTERNAL')],
    ...['0', 'ten', '1.5', ''].map(
      (limit) =>
        [
          'listUsers',
          `limit=${limit}`,
          inGet('limit', 'limit must a positive integer with min value 1'),
        ] as const,
    ),
    ['listUsers', 'timeJoinedOrder=UP', inGet('timeJoinedOrder', 'must be one of ASC, DESC')],
    [
      'listUsers',
      'includeRecipeIds=emailpassword,saml',
      inGet('includeRecipeIds', 'must be one of emailpassword, thirdparty, passwordless, webauthn'),
    ],
    ['accountInfo', 'doUnionOfAccountInfo=1', inGet('doUnionOfAccountInfo', 'must be true or false')],
  ] as const)('%s?%s is refused', (name, text, message) => {
    const refusal = refusalOf(() => parseQuery(name, text));
    expect([refusal.code, refusal.message]).toEqual(['INVALID_QUERY_PARAMETER', message]);
  });
});

describe('the generated validators', () => {
  test('need no package, and no two requests share a name', () => {
    expect(validatorsText()).not.toContain('require(');
    expect(Object.keys(bodies).filter((name) => name in queries)).toEqual([]);
  });
});
