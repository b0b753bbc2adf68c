import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { identityKey } from '../../src/domain/identity.ts';
import { TimeIds, UserIds } from '../../src/domain/ids.ts';
import { halfSipHash, placeOfId, placeOfKey, places, placeSecretOf } from '../../src/domain/place.ts';

const secret = placeSecretOf('of a test');
const keys = Array.from({ length: 100 * places }, (_, n) => identityKey(`user-${n}@example.com`));
const placesOf = (of = secret) => keys.map((key) => placeOfKey(of, Buffer.from(key, 'hex'), 0));

describe('a place', () => {
  /** Entry 16 of `vectors_hsip32` in the reference code's vectors.h: the key 0 to 7, the input 0 to 15. */
  test('is made by HalfSipHash-2-4', () => {
    const counted = Buffer.from(Array.from({ length: 16 }, (_, n) => n));
    const key = { low: counted.readInt32LE(0), high: counted.readInt32LE(4) };
    const made = Buffer.alloc(4);
    made.writeUInt32LE(halfSipHash(key, counted, 0));
    expect(made.toString('hex')).toBe('d9b5ac84');
  });

  test('is one of 1,024, each as likely as the others', () => {
    const counts = new Array<number>(places).fill(0);
    for (const place of placesOf()) counts[place] = (counts[place] ?? Number.NaN) + 1;
    const chiSquare = counts.reduce((sum, count) => sum + (count - 100) ** 2 / 100, 0);
    // 1,023 degrees of freedom: one sigma is 45.
    expect(chiSquare).toBeGreaterThan(1023 - 4 * 45);
    expect(chiSquare).toBeLessThan(1023 + 4 * 45);
  });

  test('reveals nothing without the secret: of another one, it is another as often as chance has it', () => {
    const own = placesOf();
    for (const other of [placeSecretOf('of another test'), { ...secret, low: secret.low ^ 1 }]) {
      const same = placesOf(other).filter((place, n) => place === own[n]).length;
      // 100 of 102,400 are expected: one sigma is 10.
      expect(same).toBeGreaterThan(50);
      expect(same).toBeLessThan(150);
    }
    expect(placesOf()).toEqual(own);
  });
});

describe('core ids', () => {
  const ids = new UserIds(secret);
  const joined = Date.UTC(2026, 0, 1);
  const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const timeOf = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

  test('carry the place of their identity, their time, and are never the same', () => {
    const [key = ''] = keys;
    const place = placeOfKey(secret, Buffer.from(key, 'hex'), 0);
    const made = Array.from({ length: 2000 }, () => ids.next(joined, key));
    for (const id of made) {
      expect(id).toMatch(version7);
      expect([timeOf(id), placeOfId(id)]).toEqual([joined, place]);
    }
    expect(new Set(made.map((id) => id.slice(17))).size).toBe(2000);
    // The bits of 12 that the place leaves, and the two after the variant.
    expect(new Set(made.map((id) => id[17])).size).toBe(4);
    expect(new Set(made.map((id) => id[19])).size).toBe(4);
  });

  test('are the same as bytes', () => {
    const bytes = randomBytes(64);
    const key = bytes.toString('hex', 16, 32);
    const around = [bytes.toString('hex', 0, 32), bytes.toString('hex', 48)];
    ids.put(joined, bytes, 32);
    const text = bytes.toString('hex', 32, 48).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    expect(text).toMatch(version7);
    expect([timeOf(text), placeOfId(text)]).toEqual([joined, placeOfId(ids.next(joined, key))]);
    expect([bytes.toString('hex', 0, 32), bytes.toString('hex', 48)]).toEqual(around);
  });

  test('of further login methods carry the place of the head, whichever core made it', () => {
    const heads = [...keys.slice(0, 50).map((key) => ids.next(joined, key)), new TimeIds().next(joined)];
    for (const head of heads) expect(placeOfId(ids.nextOfHead(joined + 1, head))).toBe(placeOfId(head));
  });

  test('of what is no user carry none', () => {
    const others = new TimeIds();
    const made = Array.from({ length: 200 }, () => others.next(joined));
    expect(new Set(made.map(placeOfId)).size).toBeGreaterThan(100);
    for (const id of made) expect(timeOf(id)).toBe(joined);
  });
});
