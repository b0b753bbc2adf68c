import { runProcess } from '../load/processes.ts';
import { oneRound, type RoundLimits, untilKnown } from '../rounds.ts';
import type { BenchOptions, Measurement, Scenario } from '../scenario.ts';
import { calibration } from './clock.ts';
import type { Operation } from './operation.ts';
import { operationGroups } from './operations.ts';
import type { TimingJob } from './process.ts';
import type { Timed, TimingAmounts } from './timing.ts';
import { toldByLoop } from './told-by-loop.ts';

/**
 * What the parts of src/ take by themselves, on one thread, without sockets and database. Each is timed beside the same
 * calibrating loop, in several processes one after the other, and told by their middle.
 * Each part of src/ has processes of its own: beside others, whose garbage is collected with theirs, functions that make
 * buffers take up to half as long again in every second one.
 */
export const micro: Scenario = {
  name: 'micro',
  about: `the parts of src/ one by one, against a calibrating loop (${calibration.about}); parsing any hash within 2 µs`,
  run: timeInProcesses,
};

/**
 * With a thread of its own for it, what is compiled depends on what was seen until that thread got round to it: the same
 * function is by half slower in some processes than in others, and in more of them when the machine is busy.
 */
const compilingInTurn = ['--no-concurrent-recompilation'];

interface Amounts {
  readonly rounds: RoundLimits;
  /** In each process. */
  readonly timing: TimingAmounts;
}

const full: Amounts = { rounds: { least: 7, most: 20 }, timing: { rounds: 3, timeMs: 40 } };
const quick: Amounts = { rounds: oneRound, timing: { rounds: 3, timeMs: 10 } };

/** @returns a measurement for each operation, in their order */
async function timeInProcesses(options: BenchOptions): Promise<Measurement[]> {
  const found: Measurement[] = [];
  for (const group of operationGroups.keys()) found.push(...(await timeGroup(group, options)));
  return found;
}

/** As many processes as its operations need. */
async function timeGroup(group: number, { quick: isQuick, say }: BenchOptions): Promise<Measurement[]> {
  const operations = operationGroups[group]?.() ?? [];
  const amounts = isQuick ? quick : full;
  const job: TimingJob = { group, ...amounts.timing };
  let processes = 0;
  const takeRound = (n: number): Promise<Timed[]> => {
    processes = n;
    return runProcess<Timed[]>('./process.ts', job, compilingInTurn);
  };
  const found = await untilKnown(amounts.rounds, takeRound, (rounds) =>
    operations.map((operation, place) =>
      measurementOf(
        operation,
        rounds.flatMap((timed) => timed[place] ?? []),
      ),
    ),
  );
  say(`${operations.length} operations from ${operations[0]?.name} on: ${processes} processes`);
  return found;
}

/** ns against the calibrating loop; what is promised in ns, too, in so many of that loop. @param timed by each process */
export function measurementOf({ name, per, promisedNs }: Operation, timed: readonly Timed[]): Measurement {
  const unit = `ns/${per?.unit ?? 'call'}`;
  const measurement = toldByLoop(
    { name: `micro/${name}`, unit, reference: 'calibrating loop', allowed: promisedNs },
    timed.map(({ ns, calibrationNs }) => [ns, calibrationNs]),
  );
  return promisedNs === undefined ? measurement : { ...measurement, details: { promisedNs } };
}
