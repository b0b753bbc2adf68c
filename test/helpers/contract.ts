/** The routes of the contract, written from it and not from the code, each with a well-formed request. */
import { knownHash } from './people.ts';

export interface ContractRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** (T): works in every tenant. (A): belongs to the app. */
  readonly scope: 'T' | 'A';
  /** The required fields, in the order of the contract's tables. */
  readonly required: readonly string[];
  /** Body or query parameters. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The answer for an unknown user; 200 by default. */
  readonly http?: number;
}

/** Its input is in the URL. */
export const takesQuery = ({ method }: ContractRoute): boolean => method === 'GET' || method === 'DELETE';

const email = 'ada@example.com';
const userId = 'nobody';
const password = 'correct horse';

function route(
  method: ContractRoute['method'],
  path: string,
  scope: ContractRoute['scope'],
  fields: Omit<Partial<ContractRoute>, 'method' | 'path' | 'scope'> = {},
): ContractRoute {
  const { input = {}, required = Object.keys(input), http = 200 } = fields;
  return { method, path, scope, required, input, http };
}

export const contract: readonly ContractRoute[] = [
  route('POST', '/recipe/user/passwordhash/import', 'T', {
    required: ['email', 'passwordHash'],
    input: { email, passwordHash: knownHash, hashingAlgorithm: 'bcrypt' },
  }),
  route('POST', '/recipe/signinup', 'T', {
    required: ['thirdPartyId', 'thirdPartyUserId', 'email', 'email.id'],
    input: { thirdPartyId: 'google', thirdPartyUserId: '42', email: { id: email, isVerified: true } },
  }),
  route('POST', '/recipe/user/email/verify/token', 'T', { input: { email, userId } }),
  route('POST', '/recipe/user/email/verify', 'T', { input: { method: 'token', token: 'unknown' } }),
  route('GET', '/recipe/user/email/verify', 'A', { input: { userId, email } }),
  route('POST', '/recipe/user/email/verify/remove', 'A', { input: { userId, email } }),
  route('POST', '/recipe/user/email/verify/token/remove', 'T', { input: { userId, email } }),
  route('POST', '/recipe/signin', 'T', { input: { email, password } }),
  route('POST', '/recipe/user/passwordhash/verify', 'T', { input: { email, password } }),
  route('POST', '/recipe/signup', 'T', { input: { email, password } }),
  route('POST', '/recipe/userid/map', 'A', {
    required: ['superTokensUserId', 'externalUserId'],
    input: { superTokensUserId: userId, externalUserId: 'theirs', externalUserIdInfo: 'info', force: false },
  }),
  route('GET', '/recipe/userid/map', 'A', { required: ['userId'], input: { userId, userIdType: 'ANY' } }),
  route('POST', '/recipe/userid/map/remove', 'A', {
    required: ['userId'],
    input: { userId, userIdType: 'EXTERNAL', force: true },
  }),
  route('PUT', '/recipe/userid/external-user-id-info', 'A', {
    required: ['userId', 'externalUserIdInfo'],
    input: { userId, userIdType: 'SUPERTOKENS', externalUserIdInfo: null },
  }),
  route('GET', '/recipe/user/passwordhash/report', 'A', { required: [], input: { days: 7, limit: 10 } }),
  route('GET', '/user/id', 'A', { input: { userId } }),
  route('GET', '/users/by-accountinfo', 'T', {
    required: [],
    input: { email, thirdPartyId: 'google', thirdPartyUserId: '42', doUnionOfAccountInfo: true },
  }),
  route('GET', '/users', 'T', {
    required: [],
    input: {
      limit: 10,
      timeJoinedOrder: 'DESC',
      includeRecipeIds: 'emailpassword,thirdparty',
      email: 'ada',
      phone: '+44',
      provider: 'google',
    },
  }),
  route('GET', '/user/search/tags', 'A'),
  route('GET', '/users/count/active', 'A', { input: { since: 0 } }),
  route('GET', '/users/count', 'T', { required: [], input: { includeRecipeIds: 'emailpassword' } }),
  route('GET', '/user/restrictions', 'A', { required: [], input: { limit: 10 } }),
  route('PUT', '/user/restrictions', 'A', {
    required: ['userId'],
    input: { userId, isDisabled: true, isHeld: false },
  }),
  route('POST', '/recipe/session', 'T', {
    required: ['userId', 'enableAntiCsrf', 'userDataInJWT', 'userDataInDatabase'],
    input: {
      userId,
      enableAntiCsrf: true,
      userDataInJWT: { role: null },
      userDataInDatabase: {},
      useDynamicSigningKey: false,
    },
  }),
  route('POST', '/recipe/session/refresh', 'A', {
    input: { refreshToken: 'unknown', enableAntiCsrf: false, useDynamicSigningKey: true },
  }),
  route('POST', '/recipe/session/verify', 'A', {
    input: { accessToken: 'unknown', doAntiCsrfCheck: false, enableAntiCsrf: false, checkDatabase: false },
  }),
  route('POST', '/recipe/session/regenerate', 'A', {
    required: ['accessToken'],
    input: { accessToken: 'unknown', userDataInJWT: null },
  }),
  route('GET', '/recipe/session', 'A', { input: { sessionHandle: 'unknown' } }),
  route('PUT', '/recipe/session/data', 'A', {
    input: { sessionHandle: 'unknown', userDataInDatabase: {} },
  }),
  route('PUT', '/recipe/jwt/data', 'A', { input: { sessionHandle: 'unknown', userDataInJWT: {} } }),
  route('GET', '/recipe/session/user', 'T', {
    required: ['userId'],
    input: { userId, fetchAcrossAllTenants: false, fetchSessionsForAllLinkedAccounts: true },
  }),
  route('POST', '/recipe/session/remove', 'T', { required: [], input: { sessionHandles: ['unknown'] } }),
  route('POST', '/recipe/jwt', 'A', {
    required: ['algorithm', 'jwksDomain', 'payload', 'validity'],
    input: { algorithm: 'RS256', jwksDomain: 'https://api', payload: {}, validity: 60 },
  }),
  route('GET', '/recipe/jwt/jwks', 'A'),
  ...(['primary', 'unlink'] as const).map((what) =>
    route('POST', `/recipe/accountlinking/user/${what}`, 'A', { input: { recipeUserId: userId }, http: 400 }),
  ),
  route('GET', '/recipe/accountlinking/user/primary/check', 'A', {
    input: { recipeUserId: userId },
    http: 400,
  }),
  route('GET', '/recipe/accountlinking/user/link/check', 'A', {
    input: { recipeUserId: userId, primaryUserId: 'nobody-either' },
    http: 400,
  }),
  route('POST', '/recipe/accountlinking/user/link', 'A', {
    input: { recipeUserId: userId, primaryUserId: 'nobody-either' },
    http: 400,
  }),
  route('POST', '/recipe/signinup/code', 'T', { required: [], input: { email } }),
  route('POST', '/recipe/signinup/code/consume', 'T', {
    required: ['preAuthSessionId'],
    input: { preAuthSessionId: 'unknown', linkCode: 'unknown' },
  }),
  route('POST', '/recipe/signinup/code/check', 'T', {
    required: ['preAuthSessionId'],
    input: { preAuthSessionId: 'unknown', linkCode: 'unknown' },
  }),
  route('GET', '/recipe/signinup/codes', 'T', { required: [], input: { email } }),
  route('POST', '/recipe/signinup/code/remove', 'T', { required: [], input: { codeId: 'unknown' } }),
  route('POST', '/recipe/signinup/codes/remove', 'T', { required: [], input: { email } }),
  route('GET', '/recipe/user/roles', 'T', { input: { userId } }),
  route('GET', '/recipe/user/metadata', 'A', { input: { userId } }),
  route('PUT', '/recipe/user/metadata', 'A', { input: { userId, metadataUpdate: { theme: null } } }),
  route('POST', '/recipe/user/metadata/remove', 'A', { input: { userId } }),
  route('PUT', '/recipe/role', 'A', { required: ['role'], input: { role: 'admin', permissions: ['write'] } }),
  route('PUT', '/recipe/user/role', 'T', { input: { userId, role: 'unknown' } }),
  route('POST', '/recipe/user/role/remove', 'T', { input: { userId, role: 'unknown' } }),
  route('GET', '/recipe/role/users', 'T', { input: { role: 'unknown' } }),
  route('GET', '/recipe/role/permissions', 'A', { input: { role: 'unknown' } }),
  route('POST', '/recipe/role/permissions/remove', 'A', {
    required: ['role'],
    input: { role: 'unknown', permissions: null },
  }),
  route('GET', '/recipe/permission/roles', 'A', { input: { permission: 'read' } }),
  route('POST', '/recipe/role/remove', 'A', { input: { role: 'unknown' } }),
  route('GET', '/recipe/roles', 'A'),
  route('GET', '/recipe/totp/device/list', 'A', { input: { userId } }),
  route('POST', '/recipe/totp/device', 'A', {
    required: ['userId', 'skew', 'period'],
    input: { userId, deviceName: 'phone', skew: 1, period: 30 },
  }),
  route('PUT', '/recipe/totp/device', 'A', {
    input: { userId, existingDeviceName: 'phone', newDeviceName: 'tablet' },
  }),
  route('POST', '/recipe/totp/device/import', 'A', {
    required: ['userId', 'skew', 'period', 'secretKey'],
    input: { userId, deviceName: 'phone', skew: 1, period: 30, secretKey: 'JBSWY3DPEHPK3PXP' },
  }),
  route('POST', '/recipe/totp/device/remove', 'A', { input: { userId, deviceName: 'phone' } }),
  route('POST', '/recipe/totp/device/verify', 'T', {
    input: { userId, deviceName: 'phone', totp: '123456' },
  }),
  route('POST', '/recipe/totp/verify', 'T', { input: { userId, totp: '123456' } }),
  route('POST', '/recipe/dashboard/signin', 'A', { input: { email, password } }),
  route('POST', '/recipe/dashboard/session/verify', 'A', { input: { sessionId: 'unknown' } }),
  route('DELETE', '/recipe/dashboard/session', 'A', { input: { sessionId: 'unknown' } }),
  route('POST', '/recipe/dashboard/user', 'A', { input: { email, password } }),
  route('PUT', '/recipe/dashboard/user', 'A', {
    required: [],
    input: { userId, email, newEmail: email, newPassword: 'correct horse 1' },
  }),
  route('DELETE', '/recipe/dashboard/user', 'A', { required: [], input: { userId, email } }),
  route('GET', '/recipe/dashboard/users', 'A'),
  route('GET', '/recipe/dashboard/tenant/core-config', 'T'),
  route('GET', '/recipe/dashboard/user/sessions', 'A', { input: { userId } }),
  route('POST', '/user/remove', 'A', {
    required: ['userId'],
    input: { userId, removeAllLinkedAccounts: true },
  }),
  route('PUT', '/recipe/user', 'A', {
    required: ['recipeUserId'],
    input: { recipeUserId: userId, email, password },
  }),
  route('POST', '/recipe/user/password/reset/token', 'T', { input: { userId, email } }),
  route('POST', '/recipe/user/password/reset/token/consume', 'T', { input: { token: 'unknown' } }),
  route('PUT', '/recipe/multitenancy/app/v2', 'A', {
    required: ['appId'],
    input: { appId: 'sample-app', coreConfig: { bcrypt_max_cost: 12 } },
  }),
  route('PUT', '/recipe/multitenancy/tenant/v2', 'A', {
    required: ['tenantId'],
    input: { tenantId: 'sample-tenant', coreConfig: {} },
  }),
  route('PUT', '/recipe/multitenancy/config/thirdparty', 'T', {
    required: ['config'],
    input: { config: { thirdPartyId: 'google', clients: [{ clientId: 'ours' }] }, skipValidation: true },
  }),
  route('POST', '/recipe/multitenancy/config/thirdparty/remove', 'T', { input: { thirdPartyId: 'none' } }),
  route('POST', '/recipe/multitenancy/tenant/user', 'T', { input: { recipeUserId: userId } }),
  route('POST', '/recipe/multitenancy/tenant/user/remove', 'T', { input: { recipeUserId: userId } }),
  route('GET', '/recipe/multitenancy/tenant/v2', 'T'),
  route('GET', '/recipe/multitenancy/tenant/list/v2', 'A'),
  route('GET', '/recipe/multitenancy/app/list/v2', 'A'),
  route('POST', '/recipe/multitenancy/tenant/remove', 'A', { input: { tenantId: 'no-such-tenant' } }),
  route('POST', '/recipe/multitenancy/app/remove', 'A', { input: { appId: 'no-such-app' } }),
];

const job = '/bulk-import/jobs/{id}';

/**
 * Bulk imports and exports, and routes without a body: streams, and special answers. `success` is the status of a granted
 * request.
 */
export const bulk = [
  { method: 'POST', path: '/config/encryption-keys/reseal', success: '200' },
  { method: 'POST', path: '/bulk-import/jobs', success: '201' },
  { method: 'PUT', path: '/bulk-import/jobs', success: '200' },
  { method: 'OPTIONS', path: '/bulk-import/jobs', success: '204' },
  { method: 'GET', path: '/bulk-import/jobs', success: '200' },
  { method: 'HEAD', path: job, success: '200' },
  { method: 'PATCH', path: job, success: '204' },
  { method: 'DELETE', path: job, success: '204' },
  { method: 'OPTIONS', path: job, success: '204' },
  { method: 'GET', path: job, success: '200' },
  { method: 'GET', path: `${job}/rejects`, success: '200' },
  { method: 'GET', path: `${job}/conflicts`, success: '200' },
  { method: 'GET', path: `${job}/absent`, success: '200' },
  { method: 'GET', path: `${job}/events`, success: '200' },
  { method: 'GET', path: `${job}/undo`, success: '200' },
  { method: 'POST', path: `${job}/undo`, success: '200' },
  { method: 'POST', path: '/bulk-import/users', success: '200' },
  { method: 'GET', path: '/bulk-import/users', success: '200' },
  { method: 'GET', path: '/bulk-import/users/count', success: '200' },
  { method: 'POST', path: '/bulk-import/users/remove', success: '200' },
  { method: 'POST', path: '/bulk-import/import', success: '200' },
  { method: 'GET', path: '/bulk-export/users', success: '200' },
] as const;

/** About old systems, and for them: each has separate rules and tests. */
export const oldSystems = [
  { method: 'GET', path: '/recipe/user/legacy/report' },
  { method: 'POST', path: '/recipe/session/carry' },
  { method: 'POST', path: '/recipe/session/carry/import' },
  ...['kratos', 'okta', 'fusionauth', 'http'].map((name) => ({ method: 'POST', path: `/hooks/${name}` })),
  ...['GET', 'POST'].map((method) => ({ method, path: '/hooks/keycloak-migration/{name}' })),
] as const;

/** Receipts of imports, and the move from an old system: each has separate rules and tests. */
export const receiptsAndMoves = [
  { method: 'POST', path: `${job}/receipt` },
  ...['receipt', 'receipt/proof', 'receipt/outcomes'].map((name) => ({
    method: 'GET',
    path: `${job}/${name}`,
  })),
  ...['GET', 'POST'].map((method) => ({ method, path: '/bulk-import/receipt-keys' })),
  ...['GET', 'POST'].map((method) => ({ method, path: '/move' })),
  { method: 'GET', path: '/move/status' },
  ...['next', 'back', 'close', 'plan', 'canaries', 'comparison', 'sign-ins', 'way-back'].map((name) => ({
    method: 'POST',
    path: `/move/${name}`,
  })),
  ...['POST', 'PUT'].map((method) => ({ method, path: '/move/lease' })),
  { method: 'POST', path: '/move/lease/release' },
  { method: 'GET', path: '/move/changes' },
  { method: 'POST', path: '/move/changes/settled' },
  { method: 'POST', path: '/move/receipt' },
  { method: 'GET', path: '/move/receipt/entries' },
] as const;

const file = '/console/files/{id}';
const run = '/console/runs/{id}';

/** The console: its session has no key, and its routes have separate rules and tests. */
export const console = [
  ...['/console', '/console/{name}'].map((path) => ({ method: 'GET', path })),
  ...['POST', 'GET', 'DELETE'].map((method) => ({ method, path: '/console/session' })),
  ...['GET', 'POST', 'OPTIONS'].map((method) => ({ method, path: '/console/files' })),
  ...['HEAD', 'PATCH', 'DELETE'].map((method) => ({ method, path: file })),
  { method: 'POST', path: '/console/demo' },
  ...['GET', 'POST'].map((method) => ({ method, path: '/console/runs' })),
  ...['GET', 'DELETE'].map((method) => ({ method, path: run })),
  ...['rejects', 'settle'].map((what) => ({ method: 'GET', path: `${run}/${what}` })),
  ...['mend', 'decide', 'settle'].map((what) => ({ method: 'POST', path: `${run}/${what}` })),
  ...['morning', 'cores', 'users', 'user', 'history'].map((name) => ({
    method: 'GET',
    path: `/console/${name}`,
  })),
  { method: 'POST', path: '/console/user/reveal' },
] as const;

/** Answered by the core itself, whatever the tenant. */
export const discovery = [
  { method: 'GET', path: '/' },
  ...(['GET', 'POST', 'PUT', 'DELETE'] as const).map((method) => ({ method, path: '/hello' })),
  { method: 'GET', path: '/apiversion' },
  { method: 'GET', path: '/.well-known/jwks.json' },
  { method: 'GET', path: '/livez' },
  { method: 'GET', path: '/readyz' },
  { method: 'GET', path: '/health' },
  { method: 'GET', path: '/metrics' },
  { method: 'GET', path: '/config/audit' },
  { method: 'GET', path: '/docs/openapi.json' },
] as const;
