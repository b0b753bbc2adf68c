import { runProcess } from '../load/processes.ts';
import { calibration, measuredByLoop, medianNs } from './clock.ts';
import type { Operation } from './operation.ts';
import { operationGroups } from './operations.ts';
import { untilKnown } from '../rounds.ts';
import type { BenchOptions, Measurement, Scenario } from '../scenario.ts';

/**
 * The time of parts of src/ in isolation, on one thread, without sockets and database. Each is timed next to the same calibrating
 * loop, in several processes in turn, and reported by their median. Each part of src/ has separate processes: next to others,
 * whose garbage is collected with theirs, functions that make buffers take up to half as long again in every second one.
 */
export const micro: Scenario = {
  name: 'micro',
  about: `the parts of src/ one by one, against a calibrating loop (${calibration.about}); parsing any hash within 2 µs`,
  run: timeInProcesses,
};

/**
 * With a separate thread for it, the compiled code depends on what was seen until that thread got to it: the same function is
 * slower by half in some processes than in others, and in more of them when the machine is busy.
 */
const compilingInTurn = ['--no-concurrent-recompilation'];

/** @returns a measurement for each operation, in their order */
async function timeInProcesses(options: BenchOptions): Promise<Measurement[]> {
  const found: Measurement[] = [];
  for (const group of operationGroups.keys()) found.push(...(await timeGroup(group, options)));
  return found;
}

/** The number of processes that its operations need. */
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

/** ns against the calibrating loop; a bar in ns, too, as a multiple of that loop. @param timed by each process */
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
  /** For each operation in each round. */
  readonly timeMs: number;
}

export interface Timed {
  /** For one unit of a call. */
  readonly ns: number;
  /** Of the calibrating loop next to it. */
  readonly calibrationNs: number;
}

/**
 * Times operations in rounds, so that a drift of the machine affects all of them.
 * @returns for each, in their order, the fastest round: other work on the machine only ever adds
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
  /** Index in `operationGroups`. */
  readonly group: number;
}

/** The operations of a group, timed in a separate process. */
export function timeGroupHere({ group, ...amounts }: GroupTask): Promise<Timed[]> {
  return timeAll(operationGroups[group]?.() ?? [], amounts);
}
