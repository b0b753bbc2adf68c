import { createPrivateKey, generateKeyPair, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { Tenant } from '../../domain/model.ts';
import { sealedPurposes, type Sealer } from '../../process/sealer.ts';
import type { KeyChange, KeyFamily, SigningKeyStore, StoredKey } from '../ports/sessions.ts';
import { publicKeyOf, type SigningKey } from './access-token.ts';
import {
  isBelieved,
  listMaxAgeSeconds,
  needsNewKey,
  signingKeyOf,
  type RotationTimes,
} from './key-rotation.ts';

/** Apps whose keys are kept in memory: about 10 kB each. */
const appsKept = 1000;
/** An unknown key is looked for in the database no more often: whoever sends garbage must not load it. */
const lookAgainMs = 1000;
const refreshKeyBytes = 32;
const modulusLength = 2048;

export interface KnownKey extends SigningKey {
  readonly createdAt: number;
  readonly publicKey: KeyObject;
}

/** What is known of an app's keys. */
export interface AppKeys {
  readonly refreshKey: Uint8Array;
  readonly static: KnownKey;
  /** The newest first. */
  readonly dynamic: readonly KnownKey[];
}

/** As JWKS lists it. */
export interface ListedKey {
  readonly kty: 'RSA';
  readonly kid: string;
  readonly n: string;
  readonly e: string;
  readonly alg: 'RS256';
  readonly use: 'sig';
}

export interface KeyList {
  readonly keys: readonly ListedKey[];
  readonly maxAgeSeconds: number;
}

interface SessionKeysOptions {
  readonly store: SigningKeyStore;
  readonly sealer: Sealer;
  readonly now: () => number;
  /** Makes a pair, off the event loop: 50 to 500 ms of a core. */
  readonly makePair?: () => Promise<{ readonly publicKey: KeyObject; readonly privateKey: KeyObject }>;
}

interface Loaded {
  readonly keys: AppKeys;
  readonly loadedAt: number;
}

const makeRsaPair = () => promisify(generateKeyPair)('rsa', { modulusLength });

/**
 * The keys of every app: made when they are first needed, both families together, so that nobody who has fetched the list
 * meets a key that is not in it; replaced in time; and read again when a token names one that is not known here, because
 * another core has made it.
 */
export class SessionKeys {
  readonly #options: Required<SessionKeysOptions>;
  readonly #apps = new LRUCache<number, Loaded>({ max: appsKept });
  readonly #loading = new Map<number, Promise<AppKeys>>();

  constructor(options: SessionKeysOptions) {
    this.#options = { makePair: makeRsaPair, ...options };
  }

  /** Those to sign with, and all that are believed. */
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
    const found = this.#believed(await this.of(tenant), tenant, kid);
    if (found !== undefined) return found;
    const loadedAt = this.#apps.get(tenant.appNo)?.loadedAt ?? 0;
    if (this.#options.now() - loadedAt < lookAgainMs) return undefined;
    return this.#believed(await this.#load(tenant), tenant, kid);
  }

  async list(tenant: Tenant): Promise<KeyList> {
    const [keys, now, times] = [await this.of(tenant), this.#options.now(), timesOf(tenant)];
    const dynamic = keys.dynamic.filter((key) => isBelieved(key, now, times));
    return {
      keys: [...dynamic, keys.static].map(listed),
      maxAgeSeconds: listMaxAgeSeconds(keys.dynamic, now, times),
    };
  }

  #believed({ dynamic, static: fixed }: AppKeys, tenant: Tenant, kid: string): KnownKey | undefined {
    if (fixed.kid === kid) return fixed;
    const key = dynamic.find((each) => each.kid === kid);
    return key && isBelieved(key, this.#options.now(), timesOf(tenant)) ? key : undefined;
  }

  /** One at a time for each app. */
  #load(tenant: Tenant): Promise<AppKeys> {
    const { appNo } = tenant;
    const under = this.#loading.get(appNo);
    if (under) return under;
    const loading = this.#loadOnce(tenant).finally(() => this.#loading.delete(appNo));
    this.#loading.set(appNo, loading);
    return loading;
  }

  async #loadOnce(tenant: Tenant): Promise<AppKeys> {
    const { store, now } = this.#options;
    const { appNo } = tenant;
    let stored = await store.list(appNo);
    const missing = missingOf(stored, now(), timesOf(tenant));
    if (missing.length > 0) {
      const made = await Promise.all(missing.map((family) => this.#make(appNo, family)));
      stored = await store.change(appNo, (existing) => changeOf(existing, made, now(), timesOf(tenant)));
    }
    const keys = this.#opened(appNo, stored);
    this.#apps.set(appNo, { keys, loadedAt: now() });
    return keys;
  }

  async #make(appNo: number, family: KeyFamily): Promise<StoredKey> {
    const { sealer, now, makePair } = this.#options;
    const createdAt = now();
    const kid = kidOf(family, createdAt);
    const place = placeOf(appNo, kid);
    if (family === 'refresh') {
      const sealedKey = sealer.seal(place, randomBytes(refreshKeyBytes));
      return { kid, family, createdAt, publicKey: null, sealedKey };
    }
    const { publicKey, privateKey } = await makePair();
    const secret = privateKey.export({ format: 'der', type: 'pkcs8' });
    const spki = publicKey.export({ format: 'der', type: 'spki' });
    return { kid, family, createdAt, publicKey: spki, sealedKey: sealer.seal(place, secret) };
  }

  #opened(appNo: number, stored: readonly StoredKey[]): AppKeys {
    const { sealer } = this.#options;
    const open = (key: StoredKey) => sealer.open(placeOf(appNo, key.kid), key.sealedKey);
    const pairs = (family: KeyFamily) =>
      stored.filter((key) => key.family === family).map((key) => knownKey(key, open(key)));
    const refresh = stored.find(({ family }) => family === 'refresh');
    const [fixed] = pairs('static');
    // The app was removed meanwhile: whoever asks next is told that it is not there.
    if (refresh === undefined || fixed === undefined) throw new Error('an app has no keys');
    return { refreshKey: open(refresh), static: fixed, dynamic: pairs('dynamic') };
  }
}

function timesOf({ settings }: Tenant): RotationTimes {
  const { signingKeyIntervalMs: intervalMs, accessTokenValidityMs } = settings;
  return { intervalMs, accessTokenValidityMs };
}

function missingOf(stored: readonly StoredKey[], now: number, times: RotationTimes): KeyFamily[] {
  const has = (family: KeyFamily) => stored.some((key) => key.family === family);
  const fixed = (['refresh', 'static'] as const).filter((family) => !has(family));
  return needsNewKey(dynamicOf(stored), now, times) ? [...fixed, 'dynamic'] : fixed;
}

/** Another core may have made some of them meanwhile. */
function changeOf(
  existing: readonly StoredKey[],
  made: readonly StoredKey[],
  now: number,
  times: RotationTimes,
): KeyChange {
  const missing = missingOf(existing, now, times);
  return {
    added: made.filter(({ family }) => missing.includes(family)),
    removed: dynamicOf(existing)
      .filter((key) => !isBelieved(key, now, times))
      .map(({ kid }) => kid),
  };
}

function dynamicOf(keys: readonly StoredKey[]): StoredKey[] {
  return keys.filter(({ family }) => family === 'dynamic');
}

/** Verifiers tell the families by the beginning. */
function kidOf(family: KeyFamily, createdAt: number): string {
  if (family === 'dynamic') return `d-${createdAt}`;
  return family === 'static' ? `s-${randomUUID()}` : 'refresh';
}

function placeOf(appNo: number, kid: string) {
  return { purpose: sealedPurposes.signingKey, appNo, row: kid };
}

function knownKey({ kid, createdAt, publicKey }: StoredKey, pkcs8: Buffer): KnownKey {
  return {
    kid,
    createdAt,
    publicKey: publicKeyOf(publicKey ?? new Uint8Array()),
    privateKey: createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }),
  };
}

function listed({ kid, publicKey }: KnownKey): ListedKey {
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  return { kty: 'RSA', kid, n, e, alg: 'RS256', use: 'sig' };
}
