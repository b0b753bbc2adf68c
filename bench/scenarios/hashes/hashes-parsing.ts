import { getHeapStatistics } from 'node:v8';
import { runProcess } from '../../load/processes.ts';
import { calibration, measuredByLoop, medianNs } from '../../micro/clock.ts';
import { untilKnown } from '../../rounds.ts';
import { measured, type Measurement, type Scenario } from '../../scenario.ts';
import { median } from '../../statistics.ts';
import { parseHash } from '../../../src/hashes/recognise.ts';
import { kindNames } from '../../../src/hashes/registry.ts';
import { type FuzzedHash, fuzzedHashes } from '../../../test/helpers/fuzzed-hashes.ts';
import { defaultLimits } from '../../../test/helpers/hash-limits.ts';
import { usualHashes } from '../../../test/helpers/usual-hashes.ts';
import { readVectors } from '../../../test/helpers/vectors.ts';

/**
 * The cost, for an import or a sign-in, of recognising, parsing and bounding a string from an untrusted source: the slowest known
 * answer, and the slowest and the most wasteful of damaged ones. A string's time is the minimum of several, so that garbage
 * collection, or another program, is not counted for the parser; its memory is the growth of the heap and of external memory, as
 * V8 counts them before and after.
 *
 * Times are relative to the calibrating loop of the micro-benchmarks, and so are the bars: µs alone would show the machine's
 * pace. Each process compiles the same code differently, so there are several.
 */
export const hashesParsing: Scenario = {
  name: 'hashes-parsing',
  about: `recognising and parsing hashes, against a calibrating loop (${calibration.about}): known ones within 2 µs, 100,000 damaged ones within 50 µs and 1 MiB`,
  run: (options) => {
    const job = options.quick ? quick : full;
    return untilKnown(
      options,
      { least: 5, most: 9, inWords },
      () => runProcess(import.meta.url, parseAll, job),
      (rounds) => comparisons(rounds, job),
    );
  },
};

const allowed = { knownUs: 2, fuzzedUs: 50, fuzzedBytes: 1_048_576 } as const;

const full: ParsingJob = { times: 20_000, strings: 100_000, passes: 7 };
const quick: ParsingJob = { ...full, times: 2000, strings: 10_000, passes: 3 };

function inWords({ known, fuzzedUs, fuzzedBytes, calibrationUs }: ParsingResult): string {
  return (
    `${known.slowestUs.toFixed(2)} µs (${known.slowest}), damaged ${fuzzedUs.toFixed(0)} µs, ` +
    `${fuzzedBytes} bytes; calibrating loop ${calibrationUs.toFixed(2)} µs`
  );
}

function comparisons(rounds: readonly ParsingResult[], { strings }: ParsingJob): Measurement[] {
  const reference = 'calibrating loop, µs';
  const known = measuredByLoop(
    { name: 'hashes-parsing-known', unit: 'µs, slowest median', reference, allowed: allowed.knownUs },
    rounds.map(({ known: { slowestUs }, calibrationUs }) => [slowestUs, calibrationUs]),
  );
  const fuzzed = measuredByLoop(
    { name: 'hashes-parsing-fuzzed', unit: 'µs, slowest string', reference, allowed: allowed.fuzzedUs },
    rounds.map(({ fuzzedUs, calibrationUs }) => [fuzzedUs, calibrationUs]),
  );
  const memory = measured(
    { name: 'hashes-parsing-memory', unit: 'bytes, largest string', reference: 'allowed', atMost: 1 },
    rounds.map(({ fuzzedBytes }) => [fuzzedBytes, allowed.fuzzedBytes]),
  );
  return [
    { ...known, details: { allowedUs: allowed.knownUs, ofOneProcess: rounds[0]?.known } },
    { ...fuzzed, details: { allowedUs: allowed.fuzzedUs, strings } },
    { ...memory, details: { strings } },
  ];
}

interface ParsingJob {
  /** For each known hash. */
  readonly times: number;
  /** Damaged ones. */
  readonly strings: number;
  /** Over the damaged ones. */
  readonly passes: number;
}

interface ParsingResult {
  readonly known: ReturnType<typeof knownMedians>;
  readonly fuzzedUs: number;
  readonly fuzzedBytes: number;
  /** Of the calibrating loop, before and after. */
  readonly calibrationUs: number;
}

const seed = 20_261_121;
const calibrationMs = 100;

/** Parses known hashes and damaged ones, in a separate process. */
export async function parseAll({ times, strings, passes }: ParsingJob): Promise<ParsingResult> {
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

/** @returns µs of the slowest vector or usual hash, and which it is, and µs of each kind's usual hash */
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

/** For runs of several calls: one call is shorter than the resolution of the clock. */
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

/** A collection in between, or other allocations, would distort it: the smallest growth counts. */
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
