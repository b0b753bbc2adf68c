/** The course of a load: as it is planned, and as it was. */

import type { Phase } from '../../load/arrivals.ts';
import type { Moment } from '../../load/open-loop.ts';
import { morningHours } from '../plan/morning.ts';
import type { Mix } from './mixes/mix.ts';

/** Of a fixed rate: constant, or by the hours of the first morning, of which `rate` is the busiest; they share the time. */
export function phasesOf({ isMorning }: Pick<Mix, 'isMorning'>, rate: number, seconds: number): Phase[] {
  if (!isMorning) return [{ rate, seconds }];
  return morningHours.map((share) => ({ rate: share * rate, seconds: seconds / morningHours.length }));
}

/** Connections open and code warms up: not counted. */
export function warmUpOf(rate: number, seconds: number): Phase {
  return { rate, seconds: Math.min(2, seconds / 4) };
}

export interface Second {
  readonly second: number;
  /** Visits that ended in it. */
  readonly ok: number;
  readonly notOk: number;
  /** Visits under way at its end. */
  readonly waiting: number;
}

export function courseOf(timeline: readonly Moment[]): Second[] {
  const whole = timeline.filter(
    ({ seconds }, n) => Math.floor(seconds) > Math.floor(timeline[n - 1]?.seconds ?? 0),
  );
  return whole.map(({ seconds, ok, failed, arrived }, n) => {
    const before = whole[n - 1] ?? { ok: 0, failed: 0 };
    return {
      second: Math.floor(seconds),
      ok: ok - before.ok,
      notOk: failed - before.failed,
      waiting: arrived - ok - failed,
    };
  });
}
