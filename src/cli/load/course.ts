import type { Phase } from '../../load/arrivals.ts';
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
