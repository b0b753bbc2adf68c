import { LRUCache } from 'lru-cache';

/** Maximum time after which another core's change is seen. */
export const usualTtlMs = 1000;
const maxValues = 10_000;

/** Values as of a short time ago, by key. Missing values are not cached. */
export class RecentCache<Value extends object> {
  readonly #cached: LRUCache<string, Value>;
  /** Half of the time to live: then an entry is refreshed in the background, so requests for a busy key do not wait. */
  readonly #refreshBelowMs: number;
  /** By key; requests for the same key share a load. */
  readonly #loading = new Map<string, Promise<Value | undefined>>();

  constructor(ttlMs = usualTtlMs) {
    this.#cached = new LRUCache({ max: maxValues, ttl: ttlMs });
    this.#refreshBelowMs = ttlMs / 2;
  }

  /** @returns a promise only if the value has to be loaded. @throws what the load throws */
  find(key: string, load: () => Promise<Value | undefined>): Value | undefined | Promise<Value | undefined> {
    const cached = this.#cached.get(key);
    if (cached === undefined) return this.#loadOnce(key, load);
    const isOld = this.#cached.getRemainingTTL(key) < this.#refreshBelowMs;
    // A failure is reported to the request that finds the entry expired.
    if (isOld) this.#loadOnce(key, load).catch(() => undefined);
    return cached;
  }

  /** After a change by this core. Results of loads under way may be older, so they are not stored. */
  clear(): void {
    this.#cached.clear();
    this.#loading.clear();
  }

  #loadOnce(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const underWay = this.#loading.get(key);
    if (underWay !== undefined) return underWay;
    const loading = this.#store(key, load(), () => this.#loading.get(key) === loading);
    this.#loading.set(key, loading);
    return loading;
  }

  async #store(
    key: string,
    found: Promise<Value | undefined>,
    isCurrent: () => boolean,
  ): Promise<Value | undefined> {
    const start = performance.now();
    try {
      const value = await found;
      if (!isCurrent()) return value;
      if (value === undefined) this.#cached.delete(key);
      else this.#cached.set(key, value, { start });
      return value;
    } finally {
      if (isCurrent()) this.#loading.delete(key);
    }
  }
}
