import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** ms: the time in which a wrong pair is not asked about again. */
export const rememberedMs = 60_000;
/** About 3 MB. */
const maxPairs = 20_000;

/**
 * Pairs of email and password that an old system has just called wrong, as digests by a key of this process alone. Evicted pairs,
 * and others, are asked about again.
 */
export class WrongPairs {
  readonly #key = randomBytes(32);
  readonly #until = new LRUCache<string, number>({ max: maxPairs });

  digest(...parts: readonly string[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
  }

  has(pair: string, now: number): boolean {
    const until = this.#until.get(pair);
    return until !== undefined && now < until && until - now <= rememberedMs;
  }

  add(pair: string, now: number): void {
    this.#until.set(pair, now + rememberedMs);
  }
}
