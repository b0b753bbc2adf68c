import { getHeapStatistics } from 'node:v8';
import { parseHash } from '../../src/hashes/formats.ts';
import type { FuzzedHash } from '../../test/helpers/fuzzed-hashes.ts';
import { fuzzedHashes, kindNames } from '../../test/helpers/fuzzed-hashes.ts';
import { defaultLimits } from '../../test/helpers/hash-limits.ts';
import { usualHashes } from '../../test/helpers/usual-hashes.ts';
import { readVectors } from '../../test/helpers/vectors.ts';
import { calibration, medianNs } from '../micro/clock.ts';
import { median } from '../statistics.ts';

/** Parses known hashes and damaged ones, in a process of its own. */
export interface ParsingJob {
  /** Of each known hash. */
  readonly times: number;
  /** Damaged ones. */
  readonly strings: number;
  /** Over the damaged ones. */
  readonly passes: number;
}

export interface ParsingResult {
  readonly known: ReturnType<typeof knownMedians>;
  readonly fuzzedUs: number;
  readonly fuzzedBytes: number;
  /** Of the calibrating loop, before and after. */
  readonly calibrationUs: number;
}

const seed = 20_261_121;
const calibrationMs = 100;

async function parseAll({ times, strings, passes }: ParsingJob): Promise<ParsingResult> {
  const fuzzed = [...fuzzedHashes(strings, seed)];
  const before = await calibrationUs();
  const known = knownMedians(times);
  const fuzzedUs = slowestOf(fuzzed, passes);
  const after = await calibrationUs();
  const fuzzedBytes = largestOf(fuzzed, passes);
  return { known, fuzzedUs, fuzzedBytes, calibrationUs: (before + after) / 2 };
}

async function calibrationUs(): Promise<number> {
  return (await medianNs(calibration, calibrationMs)) / 1000;
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

/** What a collection took away in between says nothing, nor what others left: the least growth counts. */
function largestOf(fuzzed: readonly FuzzedHash[], passes: number): number {
  let largest = 0;
  for (const { hash, given } of fuzzed) {
    let least = Infinity;
    for (let pass = 0; pass < passes; pass++) {
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

process.once('message', (job: ParsingJob) => {
  void parseAll(job).then((result) =>
    process.send?.(result, () => {
      process.disconnect();
    }),
  );
});
