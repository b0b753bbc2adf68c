import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Refusal } from '../../domain/errors.ts';
import type { RefreshSource } from '../../domain/model.ts';
import type { Exchange, WireAnswer, WireRequest } from '../../operations/ports/outgoing.ts';
import { CarryRefused } from './refused.ts';

const timeoutMs = 5000;
const mostAtOnce = 64;
/** The time in which a repeat gets the same session: most systems accept a refresh token once. */
const keptMs = 10_000;
const mostKept = 10_000;
const retryAfterSeconds = 5;

/** Redeems refresh tokens at the old system, each once, however many ask at the same time. */
export class Redeemer {
  readonly #send: Exchange;
  readonly #redeemed = new LRUCache<string, Promise<string>>({ max: mostKept, ttl: keptMs });
  #underway = 0;

  /** @param send must never send twice: a token may be accepted only once */
  constructor(send: Exchange) {
    this.#send = send;
  }

  /**
   * @returns the JWT that the old system gave for it
   * @throws CarryRefused when the old system refused it, Refusal OLD_SYSTEM_UNAVAILABLE when its decision is unknown
   */
  redeem(source: RefreshSource, token: string): Promise<string> {
    const name = createHash('sha256')
      .update(`${source.reach} ${source.tokenUrl} ${source.clientId} ${token}`)
      .digest('hex');
    const known = this.#redeemed.get(name);
    if (known) return known;
    const asking = this.#ask(source, token);
    this.#redeemed.set(name, asking);
    asking.catch((error: unknown) => {
      // Without a decision the old system may be asked again.
      if (!(error instanceof CarryRefused)) this.#redeemed.delete(name);
    });
    return asking;
  }

  async #ask(source: RefreshSource, token: string): Promise<string> {
    if (this.#underway >= mostAtOnce) throw unavailable();
    this.#underway++;
    try {
      return jwtOf(await this.#send(requestOf(source, token)));
    } catch (error) {
      throw error instanceof CarryRefused ? error : unavailable(error);
    } finally {
      this.#underway--;
    }
  }
}

function requestOf(
  { tokenUrl, clientId, clientSecret, ca, reach }: RefreshSource,
  token: string,
): WireRequest {
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const signal = AbortSignal.timeout(timeoutMs);
  return { method: 'POST', url: tokenUrl, headers, body: form.toString(), ca, reach, signal };
}

/** Only `invalid_grant` is about the token (RFC 6749, section 5.2). */
function jwtOf({ status, text }: WireAnswer): string {
  const answer = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
  if ((status === 400 || status === 401 || status === 403) && answer?.error === 'invalid_grant')
    throw new CarryRefused('unknown-token');
  const jwt = answer?.id_token ?? answer?.access_token;
  if (status !== 200 || typeof jwt !== 'string') throw new Error(`the token endpoint answered ${status}`);
  return jwt;
}

function unavailable(cause?: unknown): Refusal {
  return new Refusal('OLD_SYSTEM_UNAVAILABLE', undefined, { retryAfterSeconds, cause });
}
