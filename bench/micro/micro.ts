import { type BenchOptions, measured, type Measurement, type Scenario } from '../scenario.ts';
import { bulkOperations } from './bulk.ts';
import { calibration, medianNs } from './clock.ts';
import { httpOperations } from './http.ts';
import { leafOperations } from './leaves.ts';
import type { Operation } from './operation.ts';
import { passwordOperations } from './password.ts';
import { schemaOperations } from './schema.ts';
import { storeOperations } from './store.ts';

/**
 * What the parts of src/ take by themselves, on one thread, without sockets and database. Each is timed beside the same
 * calibrating loop, in rounds, so that a machine that drifts takes both along.
 */
export const micro: Scenario = {
  name: 'micro',
  about: `the parts of src/ one by one, against a calibrating loop (${calibration.about}); parsing any hash within 2 µs`,
  run: (options) => timeAll(allOperations(), options),
};

/** One function for each part of src/, in a file that is called as it. */
export function allOperations(): Operation[] {
  return [
    ...leafOperations(),
    ...schemaOperations(),
    ...passwordOperations(),
    ...httpOperations(),
    ...storeOperations(),
    ...bulkOperations(),
  ];
}

interface Round {
  readonly ns: number;
  readonly calibrationNs: number;
}

/** @returns a measurement for each operation, in their order */
export async function timeAll(
  operations: readonly Operation[],
  { quick, say, signal }: BenchOptions,
): Promise<Measurement[]> {
  const { rounds, timeMs } = quick ? { rounds: 3, timeMs: 10 } : { rounds: 11, timeMs: 60 };
  await medianNs(calibration, timeMs); // warm before it counts
  const found = operations.map((): Round[] => []);
  for (let round = 1; round <= rounds; round++) {
    for (const [place, operation] of operations.entries()) {
      signal?.throwIfAborted();
      const calibrationNs = await medianNs(calibration, timeMs / 4);
      found[place]?.push({ ns: await medianNs(operation, timeMs), calibrationNs });
    }
    say(`round ${round} of ${rounds}: ${operations.length} parts`);
  }
  return operations.map((operation, place) => measurementOf(operation, found[place] ?? []));
}

/** What else runs on the machine only ever adds: the quickest rounds are those that another run finds again. */
const countedRounds = 3;

/** ns against the calibrating loop, or µs against what is promised; of the quickest rounds. */
function measurementOf({ name, per, promisedNs }: Operation, rounds: readonly Round[]): Measurement {
  const quickest = (values: readonly number[]) => values.toSorted((a, b) => a - b).slice(0, countedRounds);
  const ns = quickest(rounds.map((round) => round.ns));
  const calibrationNs = quickest(rounds.map((round) => round.calibrationNs));
  const facts = {
    name: `micro/${name}`,
    unit: `ns/${per?.unit ?? 'call'}`,
    reference: 'calibrating loop',
  };
  const calibrated = measured(
    facts,
    ns.map((each, place) => [each, calibrationNs[place] ?? NaN]),
  );
  if (promisedNs === undefined) return calibrated;
  const details = { calibrated: calibrated.ratio };
  return measured(
    { ...facts, unit: 'µs', reference: `${promisedNs / 1000} µs allowed`, atMost: 1, details },
    ns.map((each) => [each / 1000, promisedNs / 1000]),
  );
}
