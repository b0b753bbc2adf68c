import { calibration } from '../micro/clock.ts';
import { toldByLoop } from '../micro/told-by-loop.ts';
import { oneRound, untilKnown } from '../rounds.ts';
import { measured, type Measurement, type Scenario } from '../scenario.ts';
import type { ParsingJob, ParsingResult } from './hashes-parsing-client.ts';
import { runProcess } from './processes.ts';

/**
 * What an import or a sign-in takes to recognise, parse and bound a string that anybody may have made: the slowest known
 * answer, and the slowest and the most wasteful of damaged ones. A string's time is its least of several, so that a
 * collection of garbage, or another program, is not taken for the parser; its memory is what the heap and the memory
 * beside it grow by, as V8 counts them before and after.
 *
 * Times are compared with the calibrating loop of the micro-benchmarks, as is what is allowed: µs alone would tell the
 * machine's pace. Each process compiles the same code in its own way, so there are several.
 */
export const hashesParsing: Scenario = {
  name: 'hashes-parsing',
  about: `recognising and parsing hashes, against a calibrating loop (${calibration.about}): known ones within 2 µs, 100,000 damaged ones within 50 µs and 1 MiB`,
  run: (options) => {
    const job = options.quick ? quick : full;
    const limits = options.quick ? oneRound : { least: 5, most: 9 };
    const takeRound = async (): Promise<ParsingResult> => {
      const result = await runProcess<ParsingResult>('hashes-parsing-client.ts', job);
      options.say(inWords(result));
      return result;
    };
    return untilKnown(limits, takeRound, (rounds) => comparisons(rounds, job));
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
  const known = toldByLoop(
    { name: 'hashes-parsing-known', unit: 'µs, slowest median', reference, allowed: allowed.knownUs },
    rounds.map(({ known: { slowestUs }, calibrationUs }) => [slowestUs, calibrationUs]),
  );
  const fuzzed = toldByLoop(
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
