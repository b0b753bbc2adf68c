import { createPrivateKey, generateKeyPair, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { Refusal } from '../../../domain/errors.ts';
import { sealedPurposes, type Sealer } from '../../../process/sealer.ts';
import type { KeyChange, KeyFamily, StoredKey } from '../model.ts';
import { publicKeyOf, type SigningKey } from '../access-token.ts';
import { isBelieved, needsNewKey, type RotationTimes } from './rotation.ts';

const refreshKeyBytes = 32;
const modulusLength = 2048;

export interface KnownKey extends SigningKey {
  readonly createdAt: number;
  readonly publicKey: KeyObject;
  readonly listed: ListedKey;
}

export interface AppKeys {
  readonly refreshKey: Uint8Array;
  readonly static: KnownKey;
  /** The newest first. */
  readonly dynamic: readonly KnownKey[];
}

/** A JWK (RFC 7517). */
export interface ListedKey {
  readonly kty: 'RSA';
  readonly kid: string;
  readonly n: string;
  readonly e: string;
  readonly alg: 'RS256';
  readonly use: 'sig';
}

/** Off the event loop: 50 to 500 ms of a core. */
export function makeRsaPair(): Promise<{ readonly publicKey: KeyObject; readonly privateKey: KeyObject }> {
  return promisify(generateKeyPair)('rsa', { modulusLength });
}

interface NewKey {
  readonly sealer: Sealer;
  readonly now: () => number;
  readonly makePair: typeof makeRsaPair;
  readonly appNo: number;
  readonly family: KeyFamily;
}

/** A key as it will be stored, unless another core has stored one meanwhile. */
export async function newKey({ sealer, now, makePair, appNo, family }: NewKey): Promise<StoredKey> {
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

interface StoredKeys {
  readonly sealer: Sealer;
  readonly appNo: number;
  readonly stored: readonly StoredKey[];
  /** Keys that were opened before: a key id never gets another key. */
  readonly former: AppKeys | undefined;
}

export function openKeys({ sealer, appNo, stored, former }: StoredKeys): AppKeys {
  const open = (key: StoredKey) => sealer.open(placeOf(appNo, key.kid), key.sealedKey);
  const known = new Map(former && [...former.dynamic, former.static].map((key) => [key.kid, key]));
  const pairs = (family: KeyFamily) =>
    stored
      .filter((key) => key.family === family)
      .map((key) => known.get(key.kid) ?? knownKey(key, open(key)));
  const refresh = stored.find(({ family }) => family === 'refresh');
  const [fixed] = pairs('static');
  // The app was removed after the request had found it.
  if (refresh === undefined || fixed === undefined) throw new Refusal('APP_OR_TENANT_NOT_FOUND');
  return { refreshKey: open(refresh), static: fixed, dynamic: pairs('dynamic') };
}

/** The families of which an app needs a new key now. */
export function missingOf(stored: readonly StoredKey[], now: number, times: RotationTimes): KeyFamily[] {
  const has = (family: KeyFamily) => stored.some((key) => key.family === family);
  const fixed = (['refresh', 'static'] as const).filter((family) => !has(family));
  return needsNewKey(dynamicOf(stored), now, times) ? [...fixed, 'dynamic'] : fixed;
}

/** Leaves out what another core has made in the meantime. */
export function changeOf(
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

/** Verifiers recognise the family by the prefix. */
function kidOf(family: KeyFamily, createdAt: number): string {
  if (family === 'dynamic') return `d-${createdAt}`;
  return family === 'static' ? `s-${randomUUID()}` : 'refresh';
}

function placeOf(appNo: number, kid: string) {
  return { purpose: sealedPurposes.signingKey, appNo, row: kid };
}

function knownKey({ kid, createdAt, publicKey: spki }: StoredKey, pkcs8: Buffer): KnownKey {
  const publicKey = publicKeyOf(spki ?? new Uint8Array());
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  return { kid, createdAt, publicKey, privateKey, listed: listedKey(kid, publicKey) };
}

function listedKey(kid: string, publicKey: KeyObject): ListedKey {
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  return { kty: 'RSA', kid, n, e, alg: 'RS256', use: 'sig' };
}
