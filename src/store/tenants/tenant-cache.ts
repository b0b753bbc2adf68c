import { LRUCache } from 'lru-cache';
import type { Tenant } from '../../domain/model.ts';

/** Maximum time after which another core's change is seen. */
export const usualTtlMs = 1000;
const maxTenants = 10_000;

type Load = (appId: string, tenantId: string) => Promise<Tenant | undefined>;

/** Tenants as of a short time ago. Missing tenants are not cached. */
export class TenantCache {
  readonly #load: Load;
  readonly #cached: LRUCache<string, Tenant>;
  /** Half of the time to live: then an entry is refreshed in the background, so requests of a busy tenant do not wait. */
  readonly #refreshBelowMs: number;
  /** By key; requests for the same tenant share a load. */
  readonly #loading = new Map<string, Promise<Tenant | undefined>>();

  constructor(load: Load, ttlMs: number) {
    this.#load = load;
    this.#cached = new LRUCache({ max: maxTenants, ttl: ttlMs });
    this.#refreshBelowMs = ttlMs / 2;
  }

  /** @returns a promise only if the tenant has to be loaded. @throws what the load throws */
  find(appId: string, tenantId: string): Tenant | undefined | Promise<Tenant | undefined> {
    const key = `${appId}/${tenantId}`; // ids have no slash
    const cached = this.#cached.get(key);
    if (cached === undefined) return this.#loadOnce(key, appId, tenantId);
    const isOld = this.#cached.getRemainingTTL(key) < this.#refreshBelowMs;
    // A failure is reported to the request that finds the entry expired.
    if (isOld) this.#loadOnce(key, appId, tenantId).catch(() => undefined);
    return cached;
  }

  /** After a change by this core. Results of loads under way may be older, so they are not stored. */
  clear(): void {
    this.#cached.clear();
    this.#loading.clear();
  }

  #loadOnce(key: string, appId: string, tenantId: string): Promise<Tenant | undefined> {
    const underWay = this.#loading.get(key);
    if (underWay !== undefined) return underWay;
    const loading = this.#store(key, this.#load(appId, tenantId), () => this.#loading.get(key) === loading);
    this.#loading.set(key, loading);
    return loading;
  }

  async #store(
    key: string,
    found: Promise<Tenant | undefined>,
    isCurrent: () => boolean,
  ): Promise<Tenant | undefined> {
    const start = performance.now();
    try {
      const tenant = await found;
      if (!isCurrent()) return tenant;
      if (tenant === undefined) this.#cached.delete(key);
      else this.#cached.set(key, tenant, { start });
      return tenant;
    } finally {
      if (isCurrent()) this.#loading.delete(key);
    }
  }
}
