import { getHeapStatistics } from 'node:v8';
import { parseHash } from '../../src/password/formats.ts';
import type { FuzzedHash } from '../../test/helpers/fuzzed-hashes.ts';
import { fuzzedHashes, kindNames } from '../../test/helpers/fuzzed-hashes.ts';
import { defaultLimits } from '../../test/helpers/hash-limits.ts';
import { usualHashes } from '../../test/helpers/usual-hashes.ts';
import { readVectors } from '../../test/helpers/vectors.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../scenario.ts';
import { median } from '../statistics.ts';

/**
 * What an import or a sign-in takes to recognise, parse and bound a string that anybody may have made: the slowest known
 * answer, and the slowest and the most wasteful of damaged ones. A string's time is its least of several, so that a
 * collection of garbage, or another program, is not taken for the parser; its memory is what the heap and the memory
 * beside it grow by, as V8 counts them before and after.
 */
export const hashesParsing: Scenario = {
  name: 'hashes-parsing',
  about:
    'recognising and parsing hashes: known ones within 2 µs, 100,000 damaged ones within 50 µs and 1 MiB',
  run: (options) => Promise.resolve(measureAll(options)),
};

const allowed = { knownUs: 2, fuzzedUs: 50, fuzzedBytes: 1_048_576 } as const;
const seed = 20_261_121;

function measureAll({ quick, say }: BenchOptions): Measurement[] {
  const fuzzed = [...fuzzedHashes(quick ? 10_000 : 100_000, seed)];
  const passes = quick ? 3 : 7;
  const known = knownMedians(quick ? 2000 : 20_000);
  for (const [kind, us] of Object.entries(known.byKind)) say(`${kind.padEnd(18)} ${us.toFixed(2)} µs`);
  const slowest = slowestOf(fuzzed, passes);
  const largest = largestOf(fuzzed, passes);
  return [
    measured(
      {
        name: 'hashes-parsing-known',
        unit: 'µs, slowest median',
        reference: 'allowed',
        atMost: 1,
        details: known,
      },
      [[known.slowestUs, allowed.knownUs]],
    ),
    measured(
      {
        name: 'hashes-parsing-fuzzed',
        unit: 'µs, slowest string',
        reference: 'allowed',
        atMost: 1,
        details: { strings: fuzzed.length },
      },
      [[slowest, allowed.fuzzedUs]],
    ),
    measured(
      {
        name: 'hashes-parsing-memory',
        unit: 'bytes, largest string',
        reference: 'allowed',
        atMost: 1,
        details: { strings: fuzzed.length },
      },
      [[largest, allowed.fuzzedBytes]],
    ),
  ];
}

/** @returns µs of the slowest vector or usual hash, which it is, and µs of each kind's usual hash */
function knownMedians(times: number) {
  const usual = kindNames.map((kind) => ({ name: kind, hash: usualHashes[kind], given: kind }));
  const vectors = readVectors().map(({ id, hash }) => ({ name: `vector ${id}`, hash, given: undefined }));
  const samples = [...usual, ...vectors];
  // The engine compiles for the mix of kinds that it sees: that of all of them, as in an import.
  for (let n = 0; n < times / 20; n++) {
    for (const { hash, given } of samples) parseHash(hash, given, defaultLimits);
  }
  const all = samples.map((each) => ({ name: each.name, us: medianUs(each, times) }));
  const slowest = all.reduce((one, other) => (other.us > one.us ? other : one));
  return {
    slowest: slowest.name,
    slowestUs: slowest.us,
    byKind: Object.fromEntries(all.slice(0, usual.length).map(({ name, us }) => [name, us])),
  };
}

/** Of runs of some calls each: one call is shorter than the clock is exact. */
function medianUs({ hash, given }: FuzzedHash, times: number): number {
  const calls = 20;
  const run = (): number => {
    const startedAt = performance.now();
    for (let n = 0; n < calls; n++) parseHash(hash, given, defaultLimits);
    return ((performance.now() - startedAt) * 1000) / calls;
  };
  return median(Array.from({ length: times / calls }, run));
}

function slowestOf(fuzzed: readonly FuzzedHash[], passes: number): number {
  const least = new Float64Array(fuzzed.length).fill(Infinity);
  for (let pass = 0; pass < passes; pass++) {
    fuzzed.forEach(({ hash, given }, n) => {
      const startedAt = performance.now();
      parseHash(hash, given, defaultLimits);
      least[n] = Math.min(least[n] ?? Infinity, (performance.now() - startedAt) * 1000);
    });
  }
  return least.reduce((one, other) => Math.max(one, other), 0);
}

function largestOf(fuzzed: readonly FuzzedHash[], passes: number): number {
  let largest = 0;
  for (const { hash, given } of fuzzed) {
    let least = Infinity;
    // What a collection took away in between says nothing; that of other passes does.
    for (let pass = 0; pass < passes && !(least < allowed.fuzzedBytes / 2); pass++) {
      const before = bytesUsed();
      parseHash(hash, given, defaultLimits);
      const grown = bytesUsed() - before;
      if (grown >= 0) least = Math.min(least, grown);
    }
    if (least < Infinity) largest = Math.max(largest, least);
  }
  return largest;
}

function bytesUsed(): number {
  const { used_heap_size: heap, external_memory: beside } = getHeapStatistics();
  return heap + beside;
}
