import { hash } from 'node:crypto';
import { Bench } from 'tinybench';
import { measured, type Measurement } from '../scenario.ts';
import type { Operation } from './operation.ts';

/** Shorter samples would measure the clock, which takes tens of nanoseconds to read. */
const sampleNs = 50_000;
const nsPerMs = 1e6;

/**
 * The reference of an operation, so that ratios of another machine, or of the same one while it is slower, can be compared: a
 * fixed loop that shows how fast this machine runs JavaScript and hashes at present.
 */
export const calibration: Operation & { readonly about: string } = {
  name: 'calibration',
  about: 'mixing 1 KiB in JavaScript and SHA-256 of it',
  run: (n) => hash('sha256', mix(n), 'hex'),
};

/** 1024 characters of a linear congruential generator (constants of Numerical Recipes). */
function mix(seed: number): string {
  const bytes = Buffer.allocUnsafe(1024);
  let state = seed;
  for (let place = 0; place < bytes.length; place++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    bytes[place] = 97 + ((state >>> 16) & 15);
  }
  return bytes.toString('latin1');
}

/**
 * Times an operation: samples of the number of calls that fills 50 µs, for `timeMs` and at least five of them.
 * @returns the median, ns for one unit of a call
 * @throws the error of the operation
 */
export async function medianNs(operation: Operation, timeMs: number): Promise<number> {
  const calls = await callsPerSample(operation);
  const isAsync = operation.run(0) instanceof Promise;
  const bench = new Bench({ time: timeMs, iterations: 5, warmupTime: timeMs / 4, warmupIterations: 1 });
  const sample = (ns: number) => ({
    overriddenDuration: ns / nsPerMs / calls,
    overriddenIterationCost: ns / nsPerMs,
  });
  bench.add(
    operation.name,
    isAsync
      ? async () => sample(await awaitedNs(operation, calls))
      : () => sample(elapsedNs(operation, calls)),
    { async: isAsync },
  );
  const [task] = await bench.run();
  const result = task?.result;
  if (result?.state === 'errored') throw result.error;
  if (result?.state !== 'completed') throw new Error(`${operation.name} was not measured`);
  return (result.latency.p50 * nsPerMs) / (operation.per?.count ?? 1);
}

/** Doubles until a sample is long enough, which warms the code up too. */
async function callsPerSample(operation: Operation): Promise<number> {
  for (let calls = 1; ; calls *= 2) {
    if ((await awaitedNs(operation, calls)) >= sampleNs) return calls;
  }
}

function elapsedNs({ run }: Operation, calls: number): number {
  let made: unknown;
  const startedAt = process.hrtime.bigint();
  for (let n = 0; n < calls; n++) made = run(n);
  return keep(made, Number(process.hrtime.bigint() - startedAt));
}

async function awaitedNs({ run }: Operation, calls: number): Promise<number> {
  let made: unknown;
  const startedAt = process.hrtime.bigint();
  for (let n = 0; n < calls; n++) {
    made = run(n);
    if (made instanceof Promise) made = await made;
  }
  return keep(made, Number(process.hrtime.bigint() - startedAt));
}

/** Uses the result, so that computing it is not optimised away. */
function keep(made: unknown, ns: number): number {
  return made === elapsedNs ? NaN : ns;
}

interface Facts {
  readonly name: string;
  readonly unit: string;
  readonly reference: string;
  /** In the unit of the times; left out without a bar. */
  readonly allowed: number | undefined;
}

/**
 * Times relative to the calibrating loop next to them, and the allowed multiple of that loop: a time alone would depend on the
 * machine's pace.
 * @param rounds the times and those of the loop, in the same unit
 */
export function measuredByLoop(
  { allowed, ...facts }: Facts,
  rounds: readonly (readonly [time: number, loop: number])[],
): Measurement {
  const measurement = measured(facts, rounds);
  return allowed === undefined
    ? measurement
    : { ...measurement, atMost: allowed / measurement.referenceValue };
}
