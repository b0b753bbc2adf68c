import { createHmac } from 'node:crypto';
import type { Tenant } from '../../domain/model.ts';
import type { Payload, TokenVersion } from './access-token.ts';
import { payloadOf, requireFreePayload, type SessionContext, type Tokens, tokensOf } from './context.ts';
import { newHandle, type SessionHandle } from './handle.ts';
import { type MadeRefreshToken, newAccessToken, newRefreshToken, shownSession } from './issue.ts';
import type { SessionKeys } from './keys/keys.ts';
import type { SessionRow, SessionUser } from './model.ts';
import { randomnessOf } from './refresh-token.ts';

export interface NewSession {
  readonly tenant: Tenant;
  readonly antiCsrf: boolean;
  readonly usesStaticKey: boolean;
  /** The app's claims in access tokens; see requireFreePayload. */
  readonly payload: Payload;
  readonly data: object;
  /** Of the access token. */
  readonly version: TokenVersion;
}

/** Text that a refresh token is derived from, together with the session's id and a key of the app. */
export interface Seed {
  /** Separates features. */
  readonly purpose: string;
  /** Differs for each session. */
  readonly text: string;
}

export interface BegunSession {
  /** To be stored, with the session's user, before the tokens are made. */
  readonly row: SessionRow;
  /** Makes the first tokens. */
  tokens(user: SessionUser): Promise<Tokens>;
}

/** A session whose first tokens are wanted again. */
export interface RepeatedSession {
  readonly tenant: Tenant;
  readonly id: string;
  /** ms since the epoch */
  readonly createdAt: number;
  readonly antiCsrf: boolean;
  readonly version: TokenVersion;
}

/** Begins sessions for other features, which store them in their own statements. */
export interface SessionIssuer {
  /** @throws Refusal INVALID_FIELD, BODY_TOO_LARGE */
  requireFreePayload(payload: Payload, version: TokenVersion): void;
  begin(session: NewSession, seed: Seed): Promise<BegunSession>;
  /**
   * Makes the first tokens again, on any core.
   * @returns undefined where the session has ended, or another refresh token of it is the current one: the client that has that one
   *   would be taken for a thief
   */
  repeat(session: RepeatedSession, seed: Seed): Promise<Tokens | undefined>;
}

export function sessionIssuer(context: SessionContext): SessionIssuer {
  return {
    requireFreePayload,
    begin: (session, seed) => begin(context, session, seed),
    repeat: (session, seed) => repeat(context, session, seed),
  };
}

/** @param seed of a refresh token that can be made again; random without it */
export async function begin(
  { keys, now }: SessionContext,
  { tenant, antiCsrf, usesStaticKey, payload, data, version }: NewSession,
  seed?: Seed,
): Promise<BegunSession> {
  const createdAt = now();
  const handle = newHandle(tenant.tenantId);
  const making = { tenant, handle, createdAt, antiCsrf, version };
  const refreshToken = await firstRefreshToken(keys, making, seed);
  return {
    row: {
      tenant,
      id: handle.id,
      refreshHash: refreshToken.hash2,
      expiresAt: refreshToken.info.expiry,
      createdAt,
      usesStaticKey,
      jwtPayload: JSON.stringify(payload),
      data: JSON.stringify(data),
    },
    tokens: (user) => firstTokens(keys, making, { user, payload, usesStaticKey, refreshToken }),
  };
}

async function repeat(
  { sessions, keys }: SessionContext,
  { tenant, id, createdAt, antiCsrf, version }: RepeatedSession,
  seed: Seed,
): Promise<Tokens | undefined> {
  const found = await sessions.find(tenant.appNo, id);
  if (found?.tenantId !== tenant.tenantId) return undefined;
  const making = { tenant, handle: found, createdAt, antiCsrf, version };
  const refreshToken = await firstRefreshToken(keys, making, seed);
  if (refreshToken.hash2 !== found.refreshHash) return undefined;
  const { usesStaticKey } = found;
  return firstTokens(keys, making, { user: found, payload: payloadOf(found), usesStaticKey, refreshToken });
}

interface Making {
  readonly tenant: Tenant;
  readonly handle: SessionHandle;
  readonly createdAt: number;
  readonly antiCsrf: boolean;
  readonly version: TokenVersion;
}

async function firstRefreshToken(
  keys: SessionKeys,
  { tenant, handle, createdAt: now, antiCsrf }: Making,
  seed: Seed | undefined,
): Promise<MadeRefreshToken> {
  const issuing = { tenant, handle, now, antiCsrf };
  if (seed === undefined) return newRefreshToken(keys, issuing);
  const { refreshKey } = await keys.of(tenant);
  // The key is the app's, so every core derives the same token, and nothing that is stored reveals it.
  const derive = (part: string) =>
    createHmac('sha256', refreshKey)
      .update(`${part} of ${seed.purpose} session ${handle.id} ${seed.text}`)
      .digest();
  const fixed = { randomness: randomnessOf(derive('token')), antiCsrfToken: uuidOf(derive('anti-csrf')) };
  return newRefreshToken(keys, { ...issuing, fixed });
}

/** Version 4, the form of random anti-CSRF tokens. */
function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  const variant = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant.toString(16)}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}

interface Made {
  readonly user: SessionUser;
  readonly payload: Payload;
  readonly usesStaticKey: boolean;
  readonly refreshToken: MadeRefreshToken;
}

async function firstTokens(
  keys: SessionKeys,
  { tenant, handle, createdAt, version }: Making,
  { user, payload, usesStaticKey, refreshToken }: Made,
): Promise<Tokens> {
  const accessToken = await newAccessToken(keys, tenant, {
    handle,
    user,
    payload,
    now: createdAt,
    usesStaticKey,
    refreshTokenHash1: refreshToken.hash1,
    parentRefreshTokenHash1: null,
    antiCsrfToken: refreshToken.antiCsrfToken ?? null,
    version,
  });
  return tokensOf(shownSession(handle, user, payload), accessToken, refreshToken);
}
