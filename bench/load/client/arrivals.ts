import { randomFractions } from '../../random.ts';
import type { Phase } from './job.ts';

export interface Arrival {
  readonly phase: number;
  /** When, ms since the start. */
  readonly atMs: number;
}

/**
 * A Poisson process: exponential gaps by inversion. The same arrivals in each run, so that runs differ in the core and
 * not in who came when.
 */
export function* arrivals(phases: readonly Phase[]): Generator<Arrival, undefined> {
  const random = randomFractions(20_261_121);
  let beginMs = 0;
  for (const [phase, { rate, seconds }] of phases.entries()) {
    const endMs = beginMs + seconds * 1000;
    let atMs = beginMs + gapMs(random(), rate);
    for (; atMs < endMs; atMs += gapMs(random(), rate)) yield { phase, atMs };
    beginMs = endMs;
  }
}

function gapMs(random: number, rate: number): number {
  return (-Math.log(random) / rate) * 1000;
}
