import { randomUUID } from 'node:crypto';
import type { Tenant } from '../../domain/model.ts';
import type { SessionUser } from './model.ts';
import { type Payload, type SessionClaims, signAccessToken, type TokenVersion } from './access-token.ts';
import { handleText, type SessionHandle } from './handle.ts';
import type { SessionKeys } from './keys/keys.ts';
import { hash1, hash2, type Randomness, sealRefreshToken } from './refresh-token.ts';

/** A token in an answer; times in ms since the epoch. */
export interface TokenInfo {
  readonly token: string;
  readonly expiry: number;
  readonly createdTime: number;
}

export interface ShownSession {
  readonly handle: string;
  readonly userId: string;
  readonly recipeUserId: string;
  readonly userDataInJWT: Payload;
  readonly tenantId: string;
}

/** A refresh token, and the hashes of it that its tokens and session hold. */
export interface MadeRefreshToken {
  readonly info: TokenInfo;
  readonly hash1: string;
  readonly hash2: string;
  readonly antiCsrfToken: string | undefined;
}

export interface Issuing {
  readonly tenant: Tenant;
  readonly handle: SessionHandle;
  readonly now: number;
  readonly antiCsrf: boolean;
  /** `hash1` of the refresh token that this one is exchanged for. */
  readonly parentHash1?: string | undefined;
  /** Makes the same token again; random by default. */
  readonly fixed?: { readonly randomness: Randomness; readonly antiCsrfToken: string };
}

/** Makes a refresh token and nothing durable. */
export async function newRefreshToken(keys: SessionKeys, issuing: Issuing): Promise<MadeRefreshToken> {
  const { tenant, handle, now, antiCsrf, parentHash1, fixed } = issuing;
  const { refreshKey } = await keys.of(tenant);
  const antiCsrfToken = antiCsrf ? (fixed?.antiCsrfToken ?? randomUUID()) : undefined;
  const parts = { handle, parentHash1, antiCsrfToken };
  const token = sealRefreshToken(refreshKey, tenant.appNo, parts, fixed?.randomness);
  const ofToken = hash1(token);
  const expiry = now + tenant.settings.refreshTokenValidityMs;
  return { info: { token, expiry, createdTime: now }, hash1: ofToken, hash2: hash2(ofToken), antiCsrfToken };
}

export interface AccessGrant {
  readonly handle: SessionHandle;
  readonly user: SessionUser;
  readonly payload: Payload;
  readonly refreshTokenHash1: string;
  readonly parentRefreshTokenHash1: string | null;
  readonly antiCsrfToken: string | null;
  readonly usesStaticKey: boolean;
  readonly now: number;
  /** s since the epoch; the full validity by default. */
  readonly exp?: number;
  readonly version: TokenVersion;
}

/** @param tenant whose settings limit how long the token is valid */
export async function newAccessToken(
  keys: SessionKeys,
  tenant: Tenant,
  grant: AccessGrant,
): Promise<TokenInfo> {
  const iat = Math.floor(grant.now / 1000);
  const exp = grant.exp ?? Math.floor((grant.now + tenant.settings.accessTokenValidityMs) / 1000);
  const claims: SessionClaims = {
    sub: grant.user.userId,
    rsub: grant.user.recipeUserId,
    tId: grant.handle.tenantId,
    iat,
    exp,
    sessionHandle: handleText(grant.handle),
    refreshTokenHash1: grant.refreshTokenHash1,
    parentRefreshTokenHash1: grant.parentRefreshTokenHash1,
    antiCsrfToken: grant.antiCsrfToken,
  };
  const key = await keys.signing(tenant, grant.usesStaticKey);
  const token = await signAccessToken(key, grant.payload, claims, grant.version);
  return { token, expiry: exp * 1000, createdTime: iat * 1000 };
}

export function shownSession(handle: SessionHandle, user: SessionUser, payload: Payload): ShownSession {
  const { userId, recipeUserId } = user;
  const { tenantId } = handle;
  return { handle: handleText(handle), userId, recipeUserId, userDataInJWT: payload, tenantId };
}
