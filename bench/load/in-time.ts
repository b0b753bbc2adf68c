import { measured, type Measurement } from '../scenario.ts';
import { median } from '../statistics.ts';
import type { LatencyMs } from './client/job.ts';

/** Slices of visits while others are busy, and of the same with nothing beside it. */
export interface Beside {
  readonly atRest: readonly LatencyMs[];
  readonly beside: readonly LatencyMs[];
  /** Share of each slice beside it that was in time by what was known at rest. */
  readonly inTime: readonly number[];
}

/** Of 100 visits at rest 99 take at most p99; as many shall be in time beside others. */
const promised = 990;

/** @param times how often the p99 at rest a visit may take beside others @returns ms, from the middle slice */
export function inTimeMsOf(atRest: readonly LatencyMs[], times: number): number {
  return times * p99Of(atRest);
}

/**
 * A p99 that may be so many times that at rest, told as what that means: 99 % of visits take no longer. The quotient of
 * both p99s, in the details, says the same, but from one hour to the next it moves by a seventh: a shared machine
 * decides how long the slowest few take at rest.
 */
export function measuredInTime(
  { name, times, details }: { readonly name: string; readonly times: number; readonly details: object },
  { atRest, beside, inTime }: Beside,
): Measurement {
  const p99Ms = { atRest: p99Of(atRest), beside: p99Of(beside) };
  return measured(
    {
      name,
      unit: `of 1,000 within ${times} times p99 at rest`,
      reference: 'promised',
      atLeast: 1,
      details: { ...details, p99Ms, p99Times: p99Ms.beside / p99Ms.atRest },
    },
    inTime.map((share) => [1000 * share, promised]),
  );
}

function p99Of(slices: readonly LatencyMs[]): number {
  return median(slices.map(({ p99 }) => p99));
}
