import { describe, expect, it } from 'vitest';
import { ClaimFilter } from '../../src/imports/chunk/claim-filter.ts';
import { digestOf } from '../../src/imports/record/keys.ts';

const digests = (kind: number, from: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) =>
    digestOf({ kind, tenantNo: 0, text: `user-${from + n}@example.com` }),
  );
const chunkOf = (kind: number, from: number, count: number) => Float64Array.from(digests(kind, from, count));

describe('the filter of claims', () => {
  it('holds every key that was claimed, wherever in a chunk it stands', () => {
    const filter = new ClaimFilter({ isUnknown: false });
    const claimed = digests(1, 0, 5000);
    filter.add(claimed);
    const free = digests(1, 1_000_000, 50);
    for (const [n, digest] of claimed.entries())
      expect(filter.mayHold(Float64Array.from([...free.slice(n % 50), digest]))).toBe(true);
  });

  it('lets chunks of other keys pass, beside a hundred thousand claimed ones', () => {
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

  it('adds keys in the look that asks for them', () => {
    const filter = new ClaimFilter({ isUnknown: false });
    expect(filter.addAnew(chunkOf(1, 0, 10))).toBe(false);
    expect(filter.addAnew(chunkOf(1, 10, 10))).toBe(false);
    expect(filter.mayHold(chunkOf(1, 19, 1))).toBe(true);
    expect(filter.addAnew(chunkOf(1, 19, 11))).toBe(true);
    expect(filter.addAnew(Float64Array.of(77, 77))).toBe(true);
  });
});
