import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import type { SessionInputs } from './schema.ts';
import type { StoredSession } from './model.ts';
import { type OpenedAccessToken, openAccessToken, type Payload, type SessionClaims } from './access-token.ts';
import {
  attempts,
  isOf,
  noSession,
  payloadOf,
  promote,
  requireFreePayload,
  type SessionContext,
  type TryRefresh,
  type Unauthorised,
  unauthorised,
  userOf,
  type Verified,
} from './context.ts';
import { parseHandle, type SessionHandle } from './handle.ts';
import { newAccessToken, shownSession } from './issue.ts';
import { hash2 } from './refresh-token.ts';
import { judgeAccess } from './rotation.ts';

/** Both make an access token of the same version as the given one. */
export interface VerifyOperations {
  verify(
    tenant: Tenant,
    input: SessionInputs['verifySession'],
  ): Promise<Verified | Unauthorised | TryRefresh>;
  regenerate(tenant: Tenant, input: SessionInputs['regenerateSession']): Promise<Verified | Unauthorised>;
}

/** Reads the database only if the caller or the token requires it. */
export async function verify(
  context: SessionContext,
  tenant: Tenant,
  input: SessionInputs['verifySession'],
): Promise<Verified | Unauthorised | TryRefresh> {
  const opened = await believedToken(context, tenant, input.accessToken);
  if (typeof opened === 'string') return { status: 'TRY_REFRESH_TOKEN', message: opened };
  const { claims, payload } = opened;
  if (context.now() >= claims.exp * 1000)
    return { status: 'TRY_REFRESH_TOKEN', message: 'token has expired' };
  if (isForged(input, claims)) return { status: 'TRY_REFRESH_TOKEN', message: 'anti-csrf check failed' };
  const handle = parseHandle(claims.sessionHandle);
  if (handle === undefined) return { status: 'TRY_REFRESH_TOKEN', message: 'token names no session' };
  const own: Verified = { status: 'OK', session: shownSession(handle, userOf(claims), payload) };
  const isFirst = claims.parentRefreshTokenHash1 === null;
  if (isFirst && !input.checkDatabase) return own;
  return compare(context, tenant, { opened, handle, own, isFirst });
}

function isForged(
  { doAntiCsrfCheck, enableAntiCsrf, antiCsrfToken }: SessionInputs['verifySession'],
  claims: SessionClaims,
): boolean {
  if (!doAntiCsrfCheck || !enableAntiCsrf) return false;
  return claims.antiCsrfToken === null || claims.antiCsrfToken !== antiCsrfToken;
}

interface Comparison {
  readonly opened: OpenedAccessToken;
  readonly handle: SessionHandle;
  /** The answer from the token alone. */
  readonly own: Verified;
  /** The token does not come from a refresh. */
  readonly isFirst: boolean;
}

/** Compares the token with the stored session. The first use of a refreshed token makes its refresh token the current one. */
async function compare(
  context: SessionContext,
  tenant: Tenant,
  { opened: { claims, payload, version }, handle, own, isFirst }: Comparison,
): Promise<Verified | Unauthorised> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const found = await context.sessions.find(tenant.appNo, handle.id);
    if (found === undefined || !isOf(handle, found))
      return unauthorised('Either the session has ended or has been blacklisted');
    const stored = payloadOf(found);
    const isSame = isDeepStrictEqual(stored, payload);
    if (isFirst && isSame) return own;
    const verdict = judgeAccess(claims, found.refreshHash);
    if (verdict === 'sibling' && isSame) return own;
    const isSettled =
      verdict !== 'promote' || (await promote(context, tenant, found, hash2(claims.refreshTokenHash1)));
    if (isSettled) return renewed(context, tenant, { claims, version }, { found, payload: stored });
  }
  throw new Refusal('OVERLOADED');
}

/** Makes a token of the same session without a parent, with the payload that is stored now. */
async function renewed(
  { keys, now }: SessionContext,
  tenant: Tenant,
  { claims, version }: Pick<OpenedAccessToken, 'claims' | 'version'>,
  { found, payload }: { readonly found: StoredSession; readonly payload: Payload },
): Promise<Verified> {
  const user = userOf(claims);
  const accessToken = await newAccessToken(keys, tenant, {
    handle: found,
    user,
    payload,
    now: now(),
    usesStaticKey: found.usesStaticKey,
    refreshTokenHash1: claims.refreshTokenHash1,
    parentRefreshTokenHash1: null,
    antiCsrfToken: claims.antiCsrfToken,
    version,
  });
  return { status: 'OK', session: shownSession(found, user, payload), accessToken };
}

/** Replaces the payload of a session and makes an access token with it. */
export async function regenerate(
  context: SessionContext,
  tenant: Tenant,
  input: SessionInputs['regenerateSession'],
): Promise<Verified | Unauthorised> {
  const { sessions, keys, now: clock } = context;
  const opened = await believedToken(context, tenant, input.accessToken);
  if (typeof opened === 'string') return unauthorised(opened);
  const { claims, version } = opened;
  const given = input.userDataInJWT ?? undefined;
  if (given !== undefined) requireFreePayload(given, version);
  const handle = parseHandle(claims.sessionHandle);
  const found = handle && (await sessions.find(tenant.appNo, handle.id));
  const now = clock();
  if (found === undefined || !isOf(handle, found) || found.expiresAt < now) return noSession;
  if (given !== undefined) {
    const change = { appNo: tenant.appNo, id: found.id, now, jwtPayload: JSON.stringify(given) };
    if (!(await sessions.change(change))) return noSession;
  }
  const payload = given ?? payloadOf(found);
  const user = userOf(claims);
  const session = shownSession(found, user, payload);
  if (now >= claims.exp * 1000) return { status: 'OK', session };
  const accessToken = await newAccessToken(keys, tenant, {
    handle: found,
    user,
    payload,
    now,
    exp: claims.exp,
    usesStaticKey: found.usesStaticKey,
    refreshTokenHash1: claims.refreshTokenHash1,
    parentRefreshTokenHash1: claims.parentRefreshTokenHash1,
    antiCsrfToken: claims.antiCsrfToken,
    version,
  });
  return { status: 'OK', session, accessToken };
}

/** @returns the token, perhaps expired; or why it is not one that the app has signed */
async function believedToken(
  { keys }: SessionContext,
  tenant: Tenant,
  text: string,
): Promise<OpenedAccessToken | string> {
  const opened = openAccessToken(text);
  if (opened === undefined) return 'not an access token';
  const key = await keys.verifying(tenant, opened.kid);
  if (key === undefined) return 'the key of the token is not known';
  return opened.isSignedBy(key.publicKey) ? opened : 'the signature of the token is wrong';
}
