import { createHash, randomUUID } from 'node:crypto';
import type { SessionSource, Tenant } from '../../domain/model.ts';
import { markSignIn } from '../../operations/sign-in/notes.ts';
import type { Payload, Tokens, TokenVersion } from '../sessions/feature.ts';
import type { CarryContext } from './context.ts';
import type { CarriedBefore } from './model.ts';
import { earliestIssue, type OpenedToken } from './opened-token.ts';
import { CarryRefused } from './refused.ts';
import type { CarryInputs } from './schema.ts';

/** Within this time a repeat gets the session again: two tabs of one browser send the same token. */
const repeatMs = 10_000;
const dayMs = 86_400_000;
/** The longest `max_age`, and a margin for clocks. */
const longestAgeMs = 402 * dayMs;
const undatedKeptMs = 10 * 365 * dayMs;

export interface Exchange {
  readonly tenant: Tenant;
  readonly input: CarryInputs['carrySession'];
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
 * Begins a session for the token, or repeats the one that it was exchanged for.
 * @throws CarryRefused
 */
export async function exchange(context: CarryContext, each: Exchange): Promise<Exchanged> {
  const { heart, carries, sessions } = context;
  const { tenant, input, source, opened, address, version } = each;
  const { enableAntiCsrf: antiCsrf = false, useDynamicSigningKey = true } = input;
  const tokenDigest = digestOf(opened);
  const payload: Payload = { ...input.userDataInJWT, ...(opened.amr && { amr: opened.amr }) };
  const begun = await sessions.begin(
    {
      tenant,
      antiCsrf,
      usesStaticKey: !useDynamicSigningKey,
      payload,
      data: input.userDataInDatabase ?? {},
      version,
    },
    seedOf(tokenDigest),
  );
  const caller = createHash('sha256')
    // Without an address every caller is another one: a stolen token must not be repeated.
    .update(address ?? randomUUID())
    .digest('hex');
  const outcome = await carries.carry({
    ...begun.row,
    externalId: opened.userId,
    tokenDigest,
    caller,
    antiCsrf,
    issuedAt: earliestIssue(opened, source),
    keptUntil: keptUntil(opened, begun.row.createdAt),
  });
  if (outcome.outcome === 'refused') throw new CarryRefused(outcome.obstacle);
  if (outcome.outcome === 'before')
    return { tokens: await repeated(context, each, tokenDigest, outcome.before, caller), isRepeat: true };
  await markSignIn(heart, tenant, { userId: outcome.methodId });
  return { tokens: await begun.tokens(outcome), isRepeat: false };
}

function digestOf({ fingerprint }: OpenedToken): string {
  return createHash('sha256').update(fingerprint).digest('hex');
}

function seedOf(tokenDigest: string) {
  return { purpose: 'carried', text: tokenDigest };
}

function keptUntil({ issuedAt }: OpenedToken, now: number): number {
  return issuedAt === undefined ? now + undatedKeptMs : issuedAt + longestAgeMs;
}

/** @throws CarryRefused when it is too late, another client asks, or the session was refreshed or has ended */
async function repeated(
  { heart, sessions }: CarryContext,
  { tenant, version }: Exchange,
  tokenDigest: string,
  before: CarriedBefore,
  caller: string,
): Promise<Tokens> {
  const { sessionId: id, antiCsrf, carriedAt: createdAt } = before;
  const isInTime = heart.now() < createdAt + repeatMs;
  if (!isInTime || before.caller !== caller) throw new CarryRefused('used');
  const session = { tenant, id, createdAt, antiCsrf, version };
  const tokens = await sessions.repeat(session, seedOf(tokenDigest));
  if (tokens === undefined) throw new CarryRefused('used');
  return tokens;
}
