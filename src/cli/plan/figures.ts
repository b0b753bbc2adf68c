import { count, duration, inLargestUnit } from '../output/format.ts';

/** What was measured in a minute is known to two digits, so no more are shown. */

/** Two significant digits: `0.0031`, `4.2`, `37`, `12,000`. */
export function about(value: number): string {
  if (!Number.isFinite(value)) return '?';
  const rounded = Number(value.toPrecision(2));
  return Math.abs(rounded) >= 10 ? count(rounded) : String(rounded);
}

/** `42 s`, `3 min 20 s` @param seconds */
export function aboutDuration(seconds: number): string {
  return seconds < 1 ? 'a second' : duration(Number(seconds.toPrecision(2)));
}

/** `3.4 MiB`, `340 MiB` */
export function aboutBytes(value: number): string {
  const { amount, unit } = inLargestUnit(value);
  return `${about(amount)} ${unit}`;
}
