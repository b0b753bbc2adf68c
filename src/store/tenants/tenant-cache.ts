import { LRUCache } from 'lru-cache';
import type { Tenant } from '../../domain/model.ts';

/** Another core's change of a tenant is seen here after this long at the latest. */
const ttlMs = 1000;
/** An entry of this age is read again while it is still used: a tenant with steady traffic never waits for the database. */
const refreshAfterMs = 500;
const maxTenants = 10_000;

type Load = (appId: string, tenantId: string) => Promise<Tenant | undefined>;

/** Tenants as they were in the database within the last second. What does not exist is not cached. */
export class TenantCache {
  readonly #load: Load;
  readonly #cached = new LRUCache<string, Tenant>({ max: maxTenants, ttl: ttlMs });
  /** By key: one for all requests that wait for the same tenant. */
  readonly #loading = new Map<string, Promise<Tenant | undefined>>();

  constructor(load: Load) {
    this.#load = load;
  }

  /** @returns a promise only if the database has to be asked. @throws what the load throws */
  find(appId: string, tenantId: string): Tenant | undefined | Promise<Tenant | undefined> {
    const key = `${appId}/${tenantId}`; // ids have no slash
    const cached = this.#cached.get(key);
    if (cached === undefined) return this.#loadOnce(key, appId, tenantId);
    const isOld = this.#cached.getRemainingTTL(key) < ttlMs - refreshAfterMs;
    // The request that finds the entry expired reports what fails.
    if (isOld) this.#loadOnce(key, appId, tenantId).catch(() => undefined);
    return cached;
  }

  /** After a change by this core. What is being read at the moment may be from before it, and is not stored either. */
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
