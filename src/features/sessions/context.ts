import { sessionBytes } from '../../domain/access/session-bytes.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import type { Activity } from '../../operations/context.ts';
import type { SessionStore, StoredSession } from './model.ts';
import { holdsOwnClaim, type Payload, type SessionClaims, type TokenVersion } from './access-token.ts';
import type { SessionHandle } from './handle.ts';
import type { ShownSession, TokenInfo } from './issue.ts';
import type { SessionKeys } from './keys/keys.ts';

export interface SessionContext {
  readonly sessions: SessionStore;
  readonly keys: SessionKeys;
  /** ms since the epoch */
  readonly now: () => number;
  readonly activity: Activity;
}

export interface Unauthorised {
  readonly status: 'UNAUTHORISED';
  readonly message: string;
}
export interface TryRefresh {
  readonly status: 'TRY_REFRESH_TOKEN';
  readonly message: string;
}

export interface Tokens {
  readonly status: 'OK';
  readonly session: ShownSession;
  readonly accessToken: TokenInfo;
  readonly refreshToken: TokenInfo;
  readonly antiCsrfToken?: string;
}

export type Refreshed =
  | Tokens
  | Unauthorised
  | {
      readonly status: 'TOKEN_THEFT_DETECTED';
      readonly session: Pick<ShownSession, 'handle' | 'userId' | 'recipeUserId'>;
    };

export interface Verified {
  readonly status: 'OK';
  readonly session: ShownSession;
  readonly accessToken?: TokenInfo;
}

/** A session is read again when another request has replaced its current token. Twice is enough: a replaced token never returns. */
export const attempts = 3;

/** @returns false when another token became the current one first */
export function promote(
  { sessions, now }: SessionContext,
  { appNo, settings }: Tenant,
  { id, refreshHash }: StoredSession,
  to: string,
): Promise<boolean> {
  const expiresAt = now() + settings.refreshTokenValidityMs;
  return sessions.promote({ appNo, id, from: refreshHash, to, expiresAt });
}

export function tokensOf(
  session: ShownSession,
  accessToken: TokenInfo,
  { info, antiCsrfToken }: { readonly info: TokenInfo; readonly antiCsrfToken: string | undefined },
): Tokens {
  const tokens = { status: 'OK', session, accessToken, refreshToken: info } as const;
  return antiCsrfToken === undefined ? tokens : { ...tokens, antiCsrfToken };
}

export function userOf({ sub, rsub }: SessionClaims) {
  return { userId: sub, recipeUserId: rsub };
}

export function isOf(handle: SessionHandle | undefined, found: StoredSession): boolean {
  return handle?.tenantId === found.tenantId;
}

export function payloadOf({ jwtPayload }: StoredSession): Payload {
  return JSON.parse(jwtPayload) as Payload;
}

export function unauthorised(message: string): Unauthorised {
  return { status: 'UNAUTHORISED', message };
}

export const noSession = unauthorised('Session does not exist.');

/** @throws Refusal INVALID_FIELD when the app's payload has a claim of the session; BODY_TOO_LARGE */
export function requireFreePayload(payload: Payload, version: TokenVersion): void {
  if (Buffer.byteLength(JSON.stringify(payload)) > sessionBytes.payload)
    throw new Refusal('BODY_TOO_LARGE', `userDataInJWT is larger than ${sessionBytes.payload} bytes of JSON`);
  if (holdsOwnClaim(payload, version))
    throw new Refusal('INVALID_FIELD', 'The user payload contains protected field');
}
