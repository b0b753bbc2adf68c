import { runProcess } from '../load/processes.ts';
import { oneRound, type RoundLimits, untilKnown } from '../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../scenario.ts';
import { calibration } from './clock.ts';
import type { Operation } from './operation.ts';
import { allOperations, operationGroups } from './operations.ts';
import type { TimingJob } from './process.ts';
import type { Timed, TimingAmounts } from './timing.ts';

/**
 * What the parts of src/ take by themselves, on one thread, without sockets and database. Each is timed beside the same
 * calibrating loop, in several processes one after the other: each of them compiles the same code in its own way, and
 * the same function is a fifth slower in one than in another. Each part of src/ has processes of its own: beside others,
 * whose garbage is collected with theirs, functions that make buffers take up to half as long again in every second one.
 */
export const micro: Scenario = {
  name: 'micro',
  about: `the parts of src/ one by one, against a calibrating loop (${calibration.about}); parsing any hash within 2 µs`,
  run: timeInProcesses,
};

interface Amounts {
  readonly rounds: RoundLimits;
  /** In each process. */
  readonly timing: TimingAmounts;
}

const full: Amounts = { rounds: { least: 7, most: 10 }, timing: { rounds: 3, timeMs: 40 } };
const quick: Amounts = { rounds: oneRound, timing: { rounds: 3, timeMs: 10 } };

/** @returns a measurement for each operation, in their order */
async function timeInProcesses(options: BenchOptions): Promise<Measurement[]> {
  const operations = allOperations();
  const amounts = options.quick ? quick : full;
  const takeRound = async (n: number): Promise<Timed[]> => {
    const timed: Timed[] = [];
    for (const group of operationGroups.keys()) {
      const job: TimingJob = { group, ...amounts.timing };
      timed.push(...(await runProcess<Timed[]>('../micro/process.ts', job)));
    }
    options.say(`round ${n}: ${timed.length} parts in ${operationGroups.length} processes`);
    return timed;
  };
  return untilKnown(amounts.rounds, takeRound, (rounds) =>
    operations.map((operation, place) =>
      measurementOf(
        operation,
        rounds.flatMap((timed) => timed[place] ?? []),
      ),
    ),
  );
}

/** ns against the calibrating loop; what is promised in ns, too, in so many of that loop. @param timed by each process */
export function measurementOf({ name, per, promisedNs }: Operation, timed: readonly Timed[]): Measurement {
  const measurement = measured(
    { name: `micro/${name}`, unit: `ns/${per?.unit ?? 'call'}`, reference: 'calibrating loop' },
    timed.map(({ ns, calibrationNs }) => [ns, calibrationNs]),
  );
  if (promisedNs === undefined) return measurement;
  return { ...measurement, atMost: promisedNs / measurement.referenceValue, details: { promisedNs } };
}
