import { createHash } from 'node:crypto';
import { Refusal } from '../../domain/errors.ts';
import type { SessionSource, Tenant } from '../../domain/model.ts';
import type { Guess } from '../../operations/sign-in/guess.ts';
import type { Payload, SessionIssuer, Tokens, TokenVersion } from '../sessions/feature.ts';
import type { CarryContext } from './context.ts';
import { exchange } from './exchange.ts';
import { openToken } from './open-token.ts';
import { type OpenedToken, requireInTime } from './opened-token.ts';
import { CarryRefused, type CarryReason, type ShownReason, shownReason } from './refused.ts';
import type { CarryInputs } from './schema.ts';

/** The session at the old system. */
export interface Carried {
  readonly source: string;
  /** The user's id there. */
  readonly userId: string;
  /** When the user signed in there, if the token has that: ms since the epoch. */
  readonly authTime?: number;
  /** How the user signed in there, if the token has that. */
  readonly amr?: readonly string[];
}

export interface CarryRefusedReply {
  readonly status: 'CARRY_REFUSED_ERROR';
  readonly reason: ShownReason;
}

export interface CarryOperations {
  /**
   * @param address of the user's client; undefined when the backend does not report it
   * @param version of the access token, 5 by default
   */
  carry(
    tenant: Tenant,
    input: CarryInputs['carrySession'],
    address: string | undefined,
    version?: TokenVersion,
  ): Promise<(Tokens & { readonly carried: Carried }) | CarryRefusedReply>;
  /** Stores digests of tokens that only the old system can read. */
  importTokens(
    tenant: Tenant,
    input: CarryInputs['importSessions'],
  ): Promise<{ status: 'OK'; imported: number }>;
}

export function carryOperations(context: CarryContext): CarryOperations {
  const { carries, sessions, opening, onToken } = context;
  const { now } = context.heart;
  return {
    async importTokens(tenant, { source: name, sessions }) {
      if (!keepsTokens(requireSource(tenant, name)))
        throw new Refusal(
          'INVALID_FIELD',
          "Field source must name a source that speaks 'opaque', or 'signed-cookie' with the framework laravel or express-session",
        );
      const tokens = sessions.map(({ tokenSha256, userId, expiresAt, issuedAt }) => ({
        digest: tokenSha256.toLowerCase(),
        userId,
        expiresAt,
        issuedAt,
      }));
      await carries.keepOpaque({ tenant, source: name, importedAt: now(), tokens });
      return { status: 'OK', imported: tokens.length };
    },

    async carry(tenant, input, address, version = 5) {
      requireFree(sessions, input.userDataInJWT ?? {}, version);
      const source = requireSource(tenant, input.source);
      const note = (result: 'carried' | 'repeated' | CarryReason): void => {
        onToken({ appId: tenant.appId, tenantId: tenant.tenantId, source: source.name, result });
      };
      const guess = await count(context, tenant, input.token, address);
      try {
        requireOpen(source, now());
        const opened = await openToken(opening, tenant, source, input.token);
        requireInTime(opened, source, now());
        const each = { tenant, input, source, opened, address, version };
        const { tokens, isRepeat } = await exchange(context, each);
        guess.succeeded();
        note(isRepeat ? 'repeated' : 'carried');
        return { ...tokens, carried: carriedOf(source, opened) };
      } catch (error) {
        return await refuse(error, guess, note);
      }
    },
  };
}

/** Answers a refusal of the token; any other error is not about the token and is thrown. */
async function refuse(
  error: unknown,
  guess: Guess,
  note: (reason: CarryReason) => void,
): Promise<CarryRefusedReply> {
  if (!(error instanceof CarryRefused)) {
    guess.cancelled();
    throw error;
  }
  await guess.failed();
  note(error.reason);
  return { status: 'CARRY_REFUSED_ERROR', reason: shownReason(error.reason) };
}

const reserved = ['amr', 'st-mfa'] as const;

/** How the user signed in comes from the token alone: an app that could add to it could raise it. */
function requireFree(sessions: SessionIssuer, payload: Payload, version: TokenVersion): void {
  sessions.requireFreePayload(payload, version);
  const claim = reserved.find((each) => Object.hasOwn(payload, each));
  if (claim !== undefined)
    throw new Refusal(
      'INVALID_FIELD',
      `Field userDataInJWT may not hold '${claim}' here: it is carried from the token, or set by a step of your app`,
    );
}

function requireSource({ settings }: Tenant, name: string): SessionSource {
  const found = settings.sessionSources?.find((each) => each.name === name);
  if (found) return found;
  throw new Refusal(
    'INVALID_FIELD',
    "Field source names no session source of this tenant: set it up in 'session_sources', or correct the name",
  );
}

/** Whether its tokens are found by their imported digests. */
function keepsTokens(source: SessionSource): boolean {
  if (source.speaks !== 'signed-cookie') return source.speaks === 'opaque';
  return source.framework === 'laravel' || source.framework === 'express-session';
}

function requireOpen({ until }: SessionSource, now: number): void {
  if (until <= now) throw new CarryRefused('source-closed');
}

/** Counts by token and address, so that a client that floods the core with refused tokens does not slow down others. */
async function count(
  { throttle }: CarryContext,
  { appNo, tenantNo }: Tenant,
  token: string,
  address: string | undefined,
): Promise<Guess> {
  const name = `${appNo} ${tenantNo} ${createHash('sha256').update(token).digest('base64')}`;
  try {
    return await throttle.count({ appNo, account: name, address });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { retryAfterSeconds } = error;
    throw new Refusal('TOO_MANY_GUESSES', 'Too many refused sessions: try again later', {
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  }
}

function carriedOf({ name }: SessionSource, { userId, authTime, amr }: OpenedToken): Carried {
  return {
    source: name,
    userId,
    ...(authTime !== undefined && { authTime }),
    ...(amr && { amr }),
  };
}
