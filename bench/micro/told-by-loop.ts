import { measured, type Measurement } from '../scenario.ts';

interface Facts {
  readonly name: string;
  readonly unit: string;
  readonly reference: string;
  /** In the unit of the times: left out where nothing is promised. */
  readonly allowed: number | undefined;
}

/**
 * Times against the calibrating loop beside them; and what is allowed, in so many of that loop: a time alone would tell
 * the machine's pace.
 * @param rounds what was timed and the loop, in the same unit
 */
export function toldByLoop(
  { allowed, ...facts }: Facts,
  rounds: readonly (readonly [time: number, loop: number])[],
): Measurement {
  const measurement = measured(facts, rounds);
  return allowed === undefined
    ? measurement
    : { ...measurement, atMost: allowed / measurement.referenceValue };
}
