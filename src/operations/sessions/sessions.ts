import type { Tenant } from '../../domain/model.ts';
import type {
  CreateSessionInput,
  RegenerateSessionInput,
  VerifySessionInput,
} from '../../schema/requests.ts';
import {
  type Refreshed,
  requireFreePayload,
  type SessionContext,
  type Tokens,
  tokensOf,
  type TryRefresh,
  type Unauthorised,
  unauthorised,
  type Verified,
} from './context.ts';
import { newHandle } from './handle.ts';
import { newAccessToken, newRefreshToken, shownSession } from './issue.ts';
import type { TokenVersion } from './access-token.ts';
import { refresh, type RefreshInput } from './refresh.ts';
import { regenerate, verify } from './verify.ts';

/** Create and refresh make a token of the version that is asked for, 5 unless said; the others keep that of the token they are given. */
export interface TokenOperations {
  create(tenant: Tenant, input: CreateSessionInput, version?: TokenVersion): Promise<Tokens | Unauthorised>;
  refresh(tenant: Tenant, input: RefreshInput, version?: TokenVersion): Promise<Refreshed>;
  verify(tenant: Tenant, input: VerifySessionInput): Promise<Verified | Unauthorised | TryRefresh>;
  regenerate(tenant: Tenant, input: RegenerateSessionInput): Promise<Verified | Unauthorised>;
}

/** Issues and verifies tokens. See rotation.ts for the life of refresh tokens. */
export function tokenOperations(context: SessionContext): TokenOperations {
  return {
    create: (tenant, input, version = 5) => create(context, tenant, input, version),
    refresh: (tenant, input, version = 5) => refresh(context, tenant, input, version),
    verify: (tenant, input) => verify(context, tenant, input),
    regenerate: (tenant, input) => regenerate(context, tenant, input),
  };
}

async function create(
  { sessions, keys, now, activity }: SessionContext,
  tenant: Tenant,
  {
    userId,
    enableAntiCsrf,
    userDataInJWT,
    userDataInDatabase,
    useDynamicSigningKey = true,
  }: CreateSessionInput,
  version: TokenVersion,
): Promise<Tokens | Unauthorised> {
  requireFreePayload(userDataInJWT, version);
  const createdAt = now();
  const handle = newHandle(tenant.tenantId);
  const refreshToken = await newRefreshToken(keys, {
    tenant,
    handle,
    now: createdAt,
    antiCsrf: enableAntiCsrf,
  });
  const user = await sessions.create({
    tenant,
    id: handle.id,
    userId,
    refreshHash: refreshToken.hash2,
    expiresAt: refreshToken.info.expiry,
    createdAt,
    usesStaticKey: !useDynamicSigningKey,
    jwtPayload: JSON.stringify(userDataInJWT),
    data: JSON.stringify(userDataInDatabase),
  });
  if (user === 'disabled') return unauthorised('The user is disabled');
  activity.touch(tenant, user.recipeUserId);
  const accessToken = await newAccessToken(keys, tenant, {
    handle,
    user,
    payload: userDataInJWT,
    now: createdAt,
    usesStaticKey: !useDynamicSigningKey,
    refreshTokenHash1: refreshToken.hash1,
    parentRefreshTokenHash1: null,
    antiCsrfToken: refreshToken.antiCsrfToken ?? null,
    version,
  });
  return tokensOf(shownSession(handle, user, userDataInJWT), accessToken, refreshToken);
}
