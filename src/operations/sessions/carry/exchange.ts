import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { SessionSource, Tenant } from '../../../domain/model.ts';
import type { CarrySessionInput } from '../../../schema/requests.ts';
import type { OperationsContext } from '../../context.ts';
import type { CarriedBefore } from '../../ports/carry.ts';
import type { SessionUser } from '../../ports/sessions.ts';
import { markSignIn } from '../../sign-in/notes.ts';
import { payloadOf, type Tokens, tokensOf } from '../context.ts';
import { newHandle, type SessionHandle } from '../handle.ts';
import { type MadeRefreshToken, newAccessToken, newRefreshToken, shownSession } from '../issue.ts';
import type { SessionKeys } from '../keys.ts';
import type { Payload, TokenVersion } from '../access-token.ts';
import { randomnessOf } from '../refresh-token.ts';
import { earliestIssue, type OpenedToken } from './opened.ts';
import { CarryRefused } from './refused.ts';

/** So long a repeat gets the session again: two tabs of one browser send the same token. */
const repeatMs = 10_000;
const dayMs = 86_400_000;
/** The longest `max_age`, and as much again as clocks may be off. */
const longestAgeMs = 402 * dayMs;
const undatedKeptMs = 10 * 365 * dayMs;

type ExchangeContext = OperationsContext & { readonly keys: SessionKeys };

export interface Exchange {
  readonly tenant: Tenant;
  readonly input: CarrySessionInput;
  readonly source: SessionSource;
  readonly opened: OpenedToken;
  readonly address: string | undefined;
  /** Of the access token. */
  readonly version: TokenVersion;
}

interface Exchanged {
  readonly tokens: Tokens;
  readonly isRepeat: boolean;
}

/**
 * A session for the token, or again the one that it was exchanged for.
 * @throws CarryRefused
 */
export async function exchange(context: ExchangeContext, each: Exchange): Promise<Exchanged> {
  const { tenant, input, source, opened, address, version } = each;
  const { enableAntiCsrf = false, useDynamicSigningKey = true } = input;
  const createdAt = context.now();
  const handle = newHandle(tenant.tenantId);
  const digest = digestOf(opened);
  const making: Making = { tenant, handle, digest, createdAt, antiCsrf: enableAntiCsrf, version };
  const refreshToken = await refreshTokenOf(context, making);
  const payload: Payload = { ...input.userDataInJWT, ...(opened.amr && { amr: opened.amr }) };
  const caller = createHash('sha256')
    // Without an address every caller is another one: a token that was stolen must not be repeated.
    .update(address ?? randomUUID())
    .digest('hex');
  const outcome = await context.stores.carries.carry({
    tenant,
    id: handle.id,
    externalId: opened.userId,
    refreshHash: refreshToken.hash2,
    expiresAt: refreshToken.info.expiry,
    createdAt,
    usesStaticKey: !useDynamicSigningKey,
    jwtPayload: JSON.stringify(payload),
    data: JSON.stringify(input.userDataInDatabase ?? {}),
    tokenDigest: digest,
    caller,
    antiCsrf: enableAntiCsrf,
    issuedAt: earliestIssue(opened, source),
    keptUntil: keptUntil(opened, createdAt),
  });
  if (outcome.outcome === 'refused') throw new CarryRefused(outcome.obstacle);
  if (outcome.outcome === 'before')
    return { tokens: await repeated(context, making, outcome.before, caller), isRepeat: true };
  await markSignIn(context, tenant, { userId: outcome.methodId });
  const usesStaticKey = !useDynamicSigningKey;
  const tokens = await tokensFor(context, making, { user: outcome, payload, usesStaticKey, refreshToken });
  return { tokens, isRepeat: false };
}

interface Making {
  readonly tenant: Tenant;
  readonly handle: SessionHandle;
  readonly digest: string;
  readonly createdAt: number;
  readonly antiCsrf: boolean;
  readonly version: TokenVersion;
}

function digestOf({ fingerprint }: OpenedToken): string {
  return createHash('sha256').update(fingerprint).digest('hex');
}

function keptUntil({ issuedAt }: OpenedToken, now: number): number {
  return issuedAt === undefined ? now + undatedKeptMs : issuedAt + longestAgeMs;
}

/** Made of the app's key, the token and the session: every core makes the same, and nothing that is stored gives it away. */
async function refreshTokenOf(
  { keys }: ExchangeContext,
  { tenant, handle, digest, createdAt, antiCsrf }: Making,
): Promise<MadeRefreshToken> {
  const { refreshKey } = await keys.of(tenant);
  const derive = (purpose: string) =>
    createHmac('sha256', refreshKey).update(`${purpose} of carried session ${handle.id} ${digest}`).digest();
  const fixed = { randomness: randomnessOf(derive('token')), antiCsrfToken: uuidOf(derive('anti-csrf')) };
  return newRefreshToken(keys, { tenant, handle, now: createdAt, antiCsrf, fixed });
}

/** Version 4, as callers know them. */
function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  const variant = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant.toString(16)}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}

/** @throws CarryRefused when it is too late, another client asks, or the session has gone on or has ended */
async function repeated(
  context: ExchangeContext,
  { tenant, digest, version }: Making,
  before: CarriedBefore,
  caller: string,
): Promise<Tokens> {
  const isInTime = context.now() < before.carriedAt + repeatMs;
  const isSame = isInTime && before.caller === caller;
  const found = isSame ? await context.stores.sessions.find(tenant.appNo, before.sessionId) : undefined;
  if (found?.tenantId !== tenant.tenantId) throw new CarryRefused('used');
  const { antiCsrf, carriedAt: createdAt } = before;
  const making: Making = { tenant, handle: found, digest, createdAt, antiCsrf, version };
  const refreshToken = await refreshTokenOf(context, making);
  // Another one is current: the client that has it goes on with it, and must not meet this one.
  if (refreshToken.hash2 !== found.refreshHash) throw new CarryRefused('used');
  const { usesStaticKey } = found;
  return tokensFor(context, making, { user: found, payload: payloadOf(found), usesStaticKey, refreshToken });
}

interface Made {
  readonly user: SessionUser;
  readonly payload: Payload;
  readonly usesStaticKey: boolean;
  readonly refreshToken: MadeRefreshToken;
}

async function tokensFor(
  { keys }: ExchangeContext,
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
