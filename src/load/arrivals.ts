import { randomFractions } from './random.ts';

/** Arrivals of a Poisson process: independent of each other, as those of people are. */
export interface Phase {
  /** Visits a second on average. */
  readonly rate: number;
  readonly seconds: number;
}

export interface Arrival {
  /** Its place in the list of phases. */
  readonly phase: number;
  /** ms since the start. */
  readonly atMs: number;
}

const usualSeed = 20_261_121;

/**
 * A Poisson process: exponential gaps by inversion. The same arrivals for the same seed, so that runs differ in the core and not
 * in the arrivals.
 */
export function* arrivals(phases: readonly Phase[], seed = usualSeed): Generator<Arrival, undefined> {
  const random = randomFractions(seed);
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
