import { describe, expect, it } from 'vitest';
import { ClaimFilter } from '../../src/imports/chunks/claim-filter.ts';
import { digestOf } from '../../src/imports/record/keys.ts';

const digests = (kind: number, from: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) =>
    digestOf({ kind, tenantNo: 0, text: `user-${from + n}@example.com` }),
  );
const chunkOf = (kind: number, from: number, count: number) => Float64Array.from(digests(kind, from, count));
/** A distinct digest for each number, distributed as those of keys are. */
const mixed = (n: number): number => {
  const low = Math.imul(n ^ (n >>> 15), 0x2c1b3c6d);
  const high = Math.imul(low ^ (low >>> 13) ^ n, 0x297a2d39);
  return (high & 0x1fffff) * 2 ** 32 + ((low ^ (low >>> 16)) >>> 0);
};

describe('the filter of claims', () => {
  it('holds every key that was claimed, wherever in a chunk it stands', () => {
    const filter = new ClaimFilter({ isUnknown: false });
    const claimed = digests(1, 0, 5000);
    filter.add(claimed);
    const free = digests(1, 1_000_000, 50);
    for (const [n, digest] of claimed.entries())
      expect(filter.mayHold(Float64Array.from([...free.slice(n % 50), digest]))).toBe(true);
  });

  it('lets chunks of other keys pass, with a hundred thousand claimed ones', () => {
    const filter = new ClaimFilter({ isUnknown: false });
    filter.add(digests(1, 0, 100_000));
    const chunks = Array.from({ length: 50 }, (_, n) => chunkOf(1, 1_000_000 + 4000 * n, 4000));
    expect(chunks.filter((keys) => filter.mayHold(keys))).toEqual([]);
    expect(filter.mayHold(chunkOf(5, 0, 4000))).toBe(false);
  });

  it('asks for nothing before a claim, and for all where claims may be from before', () => {
    expect(new ClaimFilter({ isUnknown: false }).mayHold(chunkOf(1, 0, 10))).toBe(false);
    expect(new ClaimFilter({ isUnknown: true }).mayHold(chunkOf(1, 0, 10))).toBe(true);
  });

  it('takes little for few keys, and finds all of many, of which it mistakes none in a million', () => {
    const filter = new ClaimFilter({ isUnknown: false });
    expect(filter.bytes).toBe(0);
    const known = Float64Array.from({ length: 200_000 }, (_, n) => mixed(n));
    for (const [to, bytes] of [
      [4000, 2 ** 16],
      [60_000, 2 ** 16 + 2 ** 20],
      [200_000, 2 ** 16 + 2 ** 20 + 2 ** 24],
    ] as const) {
      filter.add(known.subarray(0, to));
      expect([to, filter.bytes]).toEqual([to, bytes]);
      expect(known.subarray(0, to).every((digest) => filter.mayHold(Float64Array.of(digest)))).toBe(true);
      expect(filter.mayHold(Float64Array.from({ length: 1_000_000 }, (_, n) => mixed(1_000_000 + n)))).toBe(
        false,
      );
    }
  });
});
