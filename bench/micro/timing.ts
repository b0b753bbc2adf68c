import { calibration, medianNs } from './clock.ts';
import type { Operation } from './operation.ts';

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
