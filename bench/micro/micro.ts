import { runProcess } from '../load/processes.ts';
import { calibration, measuredByLoop, medianNs } from './clock.ts';
import type { Operation } from './operation.ts';
import { operationGroups } from './operations.ts';
import { untilKnown } from '../rounds.ts';
import type { BenchOptions, Measurement, Scenario } from '../scenario.ts';

/**
 * What the parts of src/ take by themselves, on one thread, without sockets and database. Each is timed beside the same
 * calibrating loop, in several processes one after the other, and reported by their middle.
 * Each part of src/ has processes of its own: beside others, whose garbage is collected with theirs, functions that make
 * buffers take up to half as long again in every second one.
 */
export const micro: Scenario = {
  name: 'micro',
  about: `the parts of src/ one by one, against a calibrating loop (${calibration.about}); parsing any hash within 2 µs`,
  run: timeInProcesses,
};

/**
 * With a thread of its own for it, what is compiled depends on what was seen until that thread came to it: the same
 * function is by half slower in some processes than in others, and in more of them when the machine is busy.
 */
const compilingInTurn = ['--no-concurrent-recompilation'];

/** @returns a measurement for each operation, in their order */
async function timeInProcesses(options: BenchOptions): Promise<Measurement[]> {
  const found: Measurement[] = [];
  for (const group of operationGroups.keys()) found.push(...(await timeGroup(group, options)));
  return found;
}

/** As many processes as its operations need. */
async function timeGroup(group: number, options: BenchOptions): Promise<Measurement[]> {
  const operations = operationGroups[group]?.() ?? [];
  const task: GroupTask = { group, rounds: 3, timeMs: options.quick ? 10 : 40 };
  let processes = 0;
  const takeRound = (n: number): Promise<Timed[]> => {
    processes = n;
    return runProcess(import.meta.url, timeGroupHere, task, compilingInTurn);
  };
  const found = await untilKnown(options, { least: 7, most: 20 }, takeRound, (rounds) =>
    operations.map((operation, place) =>
      measurementOf(
        operation,
        rounds.flatMap((timed) => timed[place] ?? []),
      ),
    ),
  );
  options.say(`${operations.length} operations from ${operations[0]?.name} on: ${processes} processes`);
  return found;
}

/** ns against the calibrating loop; what is promised in ns, too, in so many of that loop. @param timed by each process */
export function measurementOf({ name, per, promisedNs }: Operation, timed: readonly Timed[]): Measurement {
  const unit = `ns/${per?.unit ?? 'call'}`;
  const measurement = measuredByLoop(
    { name: `micro/${name}`, unit, reference: 'calibrating loop', allowed: promisedNs },
    timed.map(({ ns, calibrationNs }) => [ns, calibrationNs]),
  );
  return promisedNs === undefined ? measurement : { ...measurement, details: { promisedNs } };
}

export interface TimingAmounts {
  readonly rounds: number;
  /** Of each operation in each round. */
  readonly timeMs: number;
}

export interface Timed {
  /** Of one of what a call does. */
  readonly ns: number;
  /** Of the calibrating loop beside it. */
  readonly calibrationNs: number;
}

/**
 * Times operations in rounds, so that a machine that drifts takes all of them along.
 * @returns of each, in their order, the quickest round's: what else runs on the machine only ever adds
 */
export async function timeAll(
  operations: readonly Operation[],
  { rounds, timeMs }: TimingAmounts,
): Promise<Timed[]> {
  await medianNs(calibration, timeMs); // warm before it counts
  const quickest = operations.map((): Timed => ({ ns: Infinity, calibrationNs: Infinity }));
  for (let round = 0; round < rounds; round++) {
    for (const [place, operation] of operations.entries()) {
      const calibrationNs = await medianNs(calibration, timeMs / 4);
      const ns = await medianNs(operation, timeMs);
      const before = quickest[place];
      quickest[place] = {
        ns: Math.min(ns, before?.ns ?? Infinity),
        calibrationNs: Math.min(calibrationNs, before?.calibrationNs ?? Infinity),
      };
    }
  }
  return quickest;
}

interface GroupTask extends TimingAmounts {
  /** Place in `operationGroups`. */
  readonly group: number;
}

/** The operations of a group, timed in a process of their own. */
export function timeGroupHere({ group, ...amounts }: GroupTask): Promise<Timed[]> {
  return timeAll(operationGroups[group]?.() ?? [], amounts);
}
