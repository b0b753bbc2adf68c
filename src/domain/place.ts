import { digest } from './digests.ts';

/**
 * The shard of a user, if an app is ever spread over several: ten bits of a keyed digest of an identity key, in every core id
 * (ids.ts). The key derives from the database's secret, so ids reveal nothing about emails and all cores of a database agree.
 */

export const places = 1024;

export interface PlaceSecret {
  readonly low: number;
  readonly high: number;
}

/** @param secret from `decoy_secret`; cannot be derived from the result */
export function placeSecretOf(secret: string): PlaceSecret {
  const made = digest(`place of users\n${secret}`);
  return { low: made.readInt32LE(0), high: made.readInt32LE(4) };
}

/** @param bytes with the 16 bytes of an identity's key at `at` @returns 0 to 1023 */
export function placeOfKey(secret: PlaceSecret, bytes: Uint8Array, at: number): number {
  return halfSipHash(secret, bytes, at) & (places - 1);
}

export function placeOfId(id: string): number {
  return Number.parseInt(id.slice(15, 18), 16) >>> 2;
}

/** Two rounds for each of five words, and four final ones. */
const rounds = 14;
const lastWord = 16 << 24;

/**
 * HalfSipHash-2-4 with 32 bits of output (Aumasson and Bernstein's `halfsiphash.c`) of 16 bytes: four words and a last one with
 * the length. One loop without calls, because it runs for each new user: 0.1 µs.
 */
export function halfSipHash({ low, high }: PlaceSecret, bytes: Uint8Array, at: number): number {
  let [v0, v1, v2, v3, word] = [low, high, 0x6c796765 ^ low, 0x74656462 ^ high, 0];
  for (let round = 0; round < rounds; round++) {
    const isOfWord = round < 10;
    const isFirst = (round & 1) === 0;
    if (isOfWord && isFirst) {
      word = round < 8 ? wordAt(bytes, at + 2 * round) : lastWord;
      v3 ^= word;
    } else if (round === 10) v2 ^= 0xff;
    v0 = (v0 + v1) | 0;
    v1 = turned(v1, 5) ^ v0;
    v0 = turned(v0, 16);
    v2 = (v2 + v3) | 0;
    v3 = turned(v3, 8) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = turned(v3, 7) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = turned(v1, 13) ^ v2;
    v2 = turned(v2, 16);
    if (isOfWord && !isFirst) v0 ^= word;
  }
  return (v1 ^ v3) >>> 0;
}

function turned(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  );
}
