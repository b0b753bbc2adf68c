import { LRUCache } from 'lru-cache';
import { Refusal } from '../../../domain/errors.ts';
import type { Tenant } from '../../../domain/model.ts';
import type { Sealer } from '../../../process/sealer.ts';
import type { SigningKeyStore } from '../model.ts';
import { isBelieved, listMaxAgeSeconds, needsNewKey, signingKeyOf, type RotationTimes } from './rotation.ts';
import {
  type AppKeys,
  changeOf,
  type KnownKey,
  type ListedKey,
  makeRsaPair,
  missingOf,
  newKey,
  openKeys,
} from './stored.ts';

/** Apps whose keys are cached: about 10 kB each. */
const appsKept = 1000;
/** The least time between two reads of other cores' keys: a client that sends garbage must not load the database. */
const lookAgainMs = 1000;

export interface KeyList {
  readonly keys: readonly ListedKey[];
  readonly maxAgeSeconds: number;
}

interface SessionKeysOptions {
  readonly store: SigningKeyStore;
  readonly sealer: Sealer;
  readonly now: () => number;
  /** Makes a pair, off the event loop: 50 to 500 ms of a core. */
  readonly makePair?: typeof makeRsaPair;
}

interface Loaded {
  readonly keys: AppKeys;
  /** When the database was asked; ms since the epoch. */
  readonly askedAt: number;
}

/**
 * The keys of every app. They are made when they are first needed, both families together, so that the list that a client has
 * fetched has every key; replaced in time; and read again when a token names an unknown key, because another core may have
 * made it.
 */
export class SessionKeys {
  readonly #options: Required<SessionKeysOptions>;
  readonly #apps = new LRUCache<number, Loaded>({ max: appsKept });
  readonly #loading = new Map<number, Promise<AppKeys>>();

  constructor(options: SessionKeysOptions) {
    this.#options = { makePair: makeRsaPair, ...options };
  }

  /** @returns the keys to sign with, and all whose signatures are accepted */
  async of(tenant: Tenant): Promise<AppKeys> {
    const known = this.#apps.get(tenant.appNo)?.keys;
    const isEnough = known !== undefined && !needsNewKey(known.dynamic, this.#options.now(), timesOf(tenant));
    return isEnough ? known : this.#load(tenant);
  }

  /** @returns the key that tokens are signed with now */
  async signing(tenant: Tenant, usesStaticKey: boolean): Promise<KnownKey> {
    const keys = await this.of(tenant);
    if (usesStaticKey) return keys.static;
    const key = signingKeyOf(keys.dynamic, this.#options.now(), timesOf(tenant));
    if (key === undefined) throw new Error('an app has no key to sign with');
    return key;
  }

  /** @returns the key with this id if what it signed may still be valid */
  async verifying(tenant: Tenant, kid: string): Promise<KnownKey | undefined> {
    const known = this.#apps.get(tenant.appNo)?.keys;
    const found = known && this.#believed(known, tenant, kid);
    if (found !== undefined || this.#isRecent(tenant)) return found;
    return this.#believed(await this.#load(tenant), tenant, kid);
  }

  async list(tenant: Tenant): Promise<KeyList> {
    const keys = await this.#recent(tenant);
    const now = this.#options.now();
    const times = timesOf(tenant);
    const dynamic = keys.dynamic.filter((key) => isBelieved(key, now, times));
    return {
      keys: [...dynamic, keys.static].map(({ listed }) => listed),
      maxAgeSeconds: listMaxAgeSeconds(keys.dynamic, now, times),
    };
  }

  /**
   * Keys as the database had them at most a second ago, since other cores make some. One request asks and the others
   * do not wait; while the database is away, what is known is what verifiers need.
   */
  async #recent(tenant: Tenant): Promise<AppKeys> {
    const known = this.#apps.get(tenant.appNo)?.keys;
    if (known === undefined) return this.#load(tenant);
    const isDue = needsNewKey(known.dynamic, this.#options.now(), timesOf(tenant));
    if (!isDue && (this.#isRecent(tenant) || this.#loading.has(tenant.appNo))) return known;
    return this.#load(tenant).catch((error: unknown) => {
      if (error instanceof Refusal) return known;
      throw error;
    });
  }

  #isRecent({ appNo }: Tenant): boolean {
    const loaded = this.#apps.get(appNo);
    return loaded !== undefined && this.#options.now() - loaded.askedAt < lookAgainMs;
  }

  #believed({ dynamic, static: fixed }: AppKeys, tenant: Tenant, kid: string): KnownKey | undefined {
    if (fixed.kid === kid) return fixed;
    const key = dynamic.find((each) => each.kid === kid);
    return key && isBelieved(key, this.#options.now(), timesOf(tenant)) ? key : undefined;
  }

  /** Loads once at a time for each app. */
  #load(tenant: Tenant): Promise<AppKeys> {
    const { appNo } = tenant;
    const under = this.#loading.get(appNo);
    if (under) return under;
    const loading = this.#loadOnce(tenant).finally(() => this.#loading.delete(appNo));
    this.#loading.set(appNo, loading);
    return loading;
  }

  async #loadOnce(tenant: Tenant): Promise<AppKeys> {
    const { store, sealer, now } = this.#options;
    const { appNo } = tenant;
    const askedAt = now();
    let stored = await store.list(appNo);
    const missing = missingOf(stored, now(), timesOf(tenant));
    if (missing.length > 0) {
      const made = await Promise.all(missing.map((family) => newKey({ ...this.#options, appNo, family })));
      stored = await store.change(appNo, (existing) => changeOf(existing, made, now(), timesOf(tenant)));
    }
    const keys = openKeys({ sealer, appNo, stored, former: this.#apps.get(appNo)?.keys });
    this.#apps.set(appNo, { keys, askedAt });
    return keys;
  }
}

function timesOf({ settings }: Tenant): RotationTimes {
  const { signingKeyIntervalMs: intervalMs, accessTokenValidityMs } = settings;
  return { intervalMs, accessTokenValidityMs };
}
