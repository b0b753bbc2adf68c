import { X509Certificate } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { JWK } from 'jose';
import { Refusal } from '../../../domain/errors.ts';
import type { Reach } from '../../../domain/access/reach.ts';
import type { TokenKeys } from '../../../domain/model.ts';
import type { Exchange } from '../../../operations/ports/outgoing.ts';
import { keysFor, type ReadJwt } from './signature.ts';

const mostSets = 1000;
/** A set is fetched again after this time. */
const freshMs = 600_000;
/** A set that cannot be fetched again is used this long. */
const believedMs = 3_600_000;
/** The least time between two requests because of unknown key ids. */
const unknownAgainMs = 60_000;
const failedAgainMs = 5000;
const timeoutMs = 5000;
const maxBytes = 262_144;
const mostKeys = 100;

interface KeySet {
  keys: readonly JWK[];
  /** ms since the epoch; -Infinity before the first */
  fetchedAt: number;
  askedAt: number;
  asking: Promise<void> | undefined;
}

type KeysUrl = Extract<TokenKeys, { from: 'url' }> & { readonly reach: Reach };

/** The public keys that old systems publish: fetched rarely, one request at a time for each URL. */
export class KeySets {
  readonly #send: Exchange;
  readonly #now: () => number;
  readonly #sets = new LRUCache<string, KeySet>({ max: mostSets });

  constructor(send: Exchange, now: () => number) {
    this.#send = send;
    this.#now = now;
  }

  /**
   * @returns those that may have signed the token, none when the old system has no such key
   * @throws Refusal OLD_SYSTEM_UNAVAILABLE when its keys are not known and cannot be fetched
   */
  async find(from: KeysUrl, jwt: ReadJwt): Promise<readonly JWK[]> {
    const set = this.#setOf(from);
    if (this.#ageOf(set) > freshMs) await this.#ask(from, set, failedAgainMs);
    if (this.#ageOf(set) > believedMs)
      throw new Refusal('OLD_SYSTEM_UNAVAILABLE', undefined, { retryAfterSeconds: failedAgainMs / 1000 });
    const found = keysFor(jwt, set.keys);
    if (found.length > 0) return found;
    await this.#ask(from, set, unknownAgainMs);
    return keysFor(jwt, set.keys);
  }

  #setOf({ url, ca = '', reach }: KeysUrl): KeySet {
    const name = `${reach} ${url} ${ca}`;
    const set = this.#sets.get(name) ?? {
      keys: [],
      fetchedAt: -Infinity,
      askedAt: -Infinity,
      asking: undefined,
    };
    this.#sets.set(name, set);
    return set;
  }

  #ageOf({ fetchedAt }: KeySet): number {
    return this.#now() - fetchedAt;
  }

  /** @param againMs the least time since the last request */
  async #ask(from: KeysUrl, set: KeySet, againMs: number): Promise<void> {
    if (set.asking === undefined && this.#now() - set.askedAt < againMs) return;
    set.asking ??= this.#fetch(from, set).finally(() => {
      set.asking = undefined;
    });
    await set.asking;
  }

  /** A failure leaves the set as it is. */
  async #fetch({ url, ca, reach }: KeysUrl, set: KeySet): Promise<void> {
    set.askedAt = this.#now();
    const signal = AbortSignal.timeout(timeoutMs);
    const request = { method: 'GET', url, ca, reach, signal, maxBytes } as const;
    const answer = await this.#send(request).catch(() => undefined);
    const keys = answer?.status === 200 ? publicKeys(answer.text) : [];
    if (keys.length === 0) return;
    set.keys = keys;
    set.fetchedAt = this.#now();
  }
}

/** Reads a JWKS, or Google's object of certificates by key id. */
export function publicKeys(text: string): readonly JWK[] {
  const value = parsed(text);
  if (Array.isArray(value.keys)) return value.keys.filter(isPublic).slice(0, mostKeys);
  return Object.entries(value).slice(0, mostKeys).flatMap(certified);
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/** Only public keys: a symmetric key in a public set could sign for any client. */
function isPublic(key: unknown): key is JWK {
  if (typeof key !== 'object' || key === null) return false;
  const { kty, use } = key as { readonly kty?: unknown; readonly use?: unknown };
  return (kty === 'RSA' || kty === 'EC' || kty === 'OKP') && (use === undefined || use === 'sig');
}

function certified([kid, pem]: readonly [string, unknown]): JWK[] {
  try {
    return [{ ...(new X509Certificate(String(pem)).publicKey.export({ format: 'jwk' }) as JWK), kid }];
  } catch {
    return [];
  }
}
