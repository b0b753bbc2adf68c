/** What the options of `carryover load` take. */

import { InvalidArgumentError, Option } from 'commander';
import { parseSeconds } from '../client/server.ts';
import { count } from '../output/format.ts';
import type { Share } from './mixes/mix.ts';

export function number(flags: string, what: string, least: number, most: number): Option {
  return new Option(flags, what).argParser((text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It takes a whole number from ${least} to ${count(most)}.`);
  });
}

export function parseRate(text: string): number {
  const value = Number(/^(\d{1,6}(?:\.\d{1,6})?)(?:\/s)?$/.exec(text.trim())?.[1] ?? NaN);
  if (!(value > 0)) throw new InvalidArgumentError('It takes visits a second, such as 40/s.');
  return value;
}

export function parseDuration(text: string): number {
  const seconds = parseSeconds(text);
  if (seconds < 1) throw new InvalidArgumentError('It takes a second or more.');
  return seconds;
}

const sizes: Readonly<Record<string, number>> = { MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 };

/** @returns bytes, by PostgreSQL's units */
export function parseSize(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,6}) ?(MB|GB|TB)$/.exec(text.trim()) ?? [];
  const size = Number(amount) * (sizes[unit] ?? NaN);
  if (!(size > 0)) throw new InvalidArgumentError('It takes a size such as 500MB or 10GB.');
  return size;
}

export function parseShare(text: string): Share {
  const [, part, of] = /^(\d{1,3})\/(\d{1,3})$/.exec(text.trim())?.map(Number) ?? [];
  if (part === undefined || of === undefined || part < 1 || part > of)
    throw new InvalidArgumentError('It takes a part of a whole, such as 2/3.');
  return { part, of };
}

export function parseTime(text: string): number {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z$/.test(text.trim()) ? Date.parse(text.trim()) : NaN;
  if (Number.isNaN(at))
    throw new InvalidArgumentError('It takes a time in UTC, such as 2026-11-27T10:30:00Z.');
  return at;
}

export function parseUrls(text: string): URL[] {
  return text.split(',').map((each) => {
    const url = URL.canParse(each.trim()) ? new URL(each.trim()) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol))
      throw new InvalidArgumentError('It takes addresses between commas, such as http://10.0.0.1:3567.');
    return url;
  });
}
