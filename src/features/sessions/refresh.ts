import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import type { SessionInputs } from './schema.ts';
import type { StoredSession } from './model.ts';
import { holdsOwnClaim, type TokenVersion } from './access-token.ts';
import {
  attempts,
  isOf,
  payloadOf,
  promote,
  type Refreshed,
  type SessionContext,
  tokensOf,
  unauthorised,
} from './context.ts';
import type { SessionHandle } from './handle.ts';
import { newAccessToken, newRefreshToken, shownSession } from './issue.ts';
import { hash1, hash2, openRefreshToken, type RefreshToken } from './refresh-token.ts';
import { judgeRefresh } from './rotation.ts';

/** Without `useDynamicSigningKey`, which is optional before version 5.0 of the interface, the kind of the session's key stays. */
export type RefreshInput = Omit<SessionInputs['refreshSession'], 'useDynamicSigningKey'> &
  Partial<Pick<SessionInputs['refreshSession'], 'useDynamicSigningKey'>>;

export interface RefreshOperations {
  /** @param version of the access token, 5 by default */
  refresh(tenant: Tenant, input: RefreshInput, version?: TokenVersion): Promise<Refreshed>;
}

/** See rotation.ts for the life of the token. */
export async function refresh(
  context: SessionContext,
  tenant: Tenant,
  input: RefreshInput,
  version: TokenVersion,
): Promise<Refreshed> {
  const { keys } = context;
  const { refreshKey } = await keys.of(tenant);
  const token = openRefreshToken(refreshKey, tenant.appNo, input.refreshToken);
  if (token === undefined) return unauthorised('Refresh token is invalid');
  const isGuarded = input.enableAntiCsrf && token.antiCsrfToken !== undefined;
  if (isGuarded && token.antiCsrfToken !== input.antiCsrfToken)
    return unauthorised('Anti CSRF token missing, or not matching');
  return grantChild(context, tenant, { ...input, version }, token);
}

type Wanted = RefreshInput & { readonly version: TokenVersion };

async function grantChild(
  context: SessionContext,
  tenant: Tenant,
  input: Wanted,
  token: RefreshToken,
): Promise<Refreshed> {
  const { sessions, now } = context;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const found = await sessions.find(tenant.appNo, token.handle.id);
    if (found === undefined || !isOf(token.handle, found) || found.expiresAt < now())
      return unauthorised('Session missing in db or has expired');
    const verdict = judgeRefresh(input.refreshToken, token, found.refreshHash);
    if (verdict === 'theft') return theftOf(token.handle, found);
    const isCurrent =
      verdict === 'child' || (await promote(context, tenant, found, hash2(hash1(input.refreshToken))));
    if (isCurrent) return childOf(context, tenant, input, found);
  }
  throw new Refusal('OVERLOADED');
}

async function childOf(
  { sessions, keys, activity, now: clock }: SessionContext,
  tenant: Tenant,
  input: Wanted,
  found: StoredSession,
): Promise<Refreshed> {
  const payload = payloadOf(found);
  if (holdsOwnClaim(payload, input.version)) return unauthorised('The user payload contains protected field');
  const now = clock();
  const usesStaticKey =
    input.useDynamicSigningKey === undefined ? found.usesStaticKey : !input.useDynamicSigningKey;
  if (usesStaticKey !== found.usesStaticKey)
    await sessions.change({ appNo: tenant.appNo, id: found.id, now, usesStaticKey });
  const parentHash1 = hash1(input.refreshToken);
  const refreshToken = await newRefreshToken(keys, {
    tenant,
    handle: found,
    now,
    antiCsrf: input.enableAntiCsrf,
    parentHash1,
  });
  const accessToken = await newAccessToken(keys, tenant, {
    handle: found,
    user: found,
    payload,
    now,
    usesStaticKey,
    refreshTokenHash1: refreshToken.hash1,
    parentRefreshTokenHash1: parentHash1,
    antiCsrfToken: refreshToken.antiCsrfToken ?? null,
    version: input.version,
  });
  activity.touch(tenant, found.recipeUserId);
  return tokensOf(shownSession(found, found, payload), accessToken, refreshToken);
}

function theftOf(handle: SessionHandle, found: StoredSession): Refreshed {
  const { handle: shown, userId, recipeUserId } = shownSession(handle, found, {});
  return { status: 'TOKEN_THEFT_DETECTED', session: { handle: shown, userId, recipeUserId } };
}
