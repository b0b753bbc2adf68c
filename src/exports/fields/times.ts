/** Points in time as files write them. All results are ms since the epoch. */

import { parseFlag } from './flags.ts';
import { ambiguous, isAbsent, unparsable, type Parsed } from './parsed.ts';

/** The order of dates such as 3/4/2023: the day or the month first. */
export type DateOrder = 'dmy' | 'mdy';

/** The order in a column: that of its dates; `mixed` if it has dates of either order, so that ambiguous ones cannot be read. */
export type ColumnOrder = DateOrder | 'mixed';

export type ParsedDate<T> = Parsed<T> | typeof ambiguous;

/** The name of the option in ConvertOptions. */
export const orderOption = 'dates';

/** The value of `--dates`; undefined if it is not given. */
export function orderOf({
  [orderOption]: order,
}: Readonly<Record<string, string | undefined>>): DateOrder | undefined {
  return order === 'dmy' || order === 'mdy' ? order : undefined;
}

/** Used instead of a time: a system's value for "never", "always" or "not set". */
export const zeroTime = Symbol('zero');
export const farTime = Symbol('far');

/** A time, or one of the dates with a special meaning. */
export type TimeOrSentinel = number | typeof zeroTime | typeof farTime;

const zone = String.raw`(?:\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?))?(?:\s*\([^)]*\))?`;
/** Oracle's default has dots in it: 10.15.00.000000000 PM. */
const clock = String.raw`(\d{1,2})[:.](\d\d)(?:[:.](\d\d)(?:[.,](\d{1,9}))?)?\s*([AP]\.?M\.?)?`;
/** ISO 8601, SQL, Ruby: date, time, fraction, zone; `T` or a space between. */
const yearFirst = new RegExp(String.raw`^(\d{4})[-/](\d\d?)[-/](\d\d?)(?:[T ]\s*${clock}${zone})?$`, 'i');
/** 05.01.2023, 5/1/2023, 5-1-2023. */
const yearLast = new RegExp(String.raw`^(\d\d?)([./-])(\d\d?)\2(\d{4})(?:,?\s+${clock}${zone})?$`, 'i');
/** RFC 2822 (5 Jan 2023), Date.toString (Jan 05 2023), SQL Server (Jan 5 2023 9:07AM), Oracle (05-JAN-23, 05-JAN-2023). */
const dayAndMonth = new RegExp(
  String.raw`^(?:[a-z]{3,9},?\s+)?(?:(\d\d?)[ -]([a-z]{3,9})|([a-z]{3,9})\s+(\d\d?),?)[ -]+(\d{4}|\d\d)(?:,?\s+${clock}${zone})?$`,
  'i',
);
/** Date.toString writes the zone as GMT+0100. */
const zoneAfterGmt = /GMT(?=[+-]\d{4})/;
/** JSON of ASP.NET. */
const netJson = /^\/?Date\((-?\d{1,16})(?:[+-]\d{4})?\)\/?$/;
const number = /^-?\d{1,18}(\.\d{1,9})?$/;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** ECMA-262, Time Values and Time Range. */
const latestMs = 8.64e15;

/** From here on a number means thousandths of the previous unit: 5138 as seconds, 1973 as the smaller unit. */
const msFrom = 1e11;
const microsecondsFrom = 1e14;
/** .NET's ticks of 100 ns since the year 1, from 1900 to 2200. */
const [ticksFrom, ticksTo, ticksAtEpoch] = [5.9e17, 6.95e17, 621_355_968_000_000_000];
/** Days since 1899-12-30, as Excel counts them, of 1954 to 2119; as seconds they would all be on one day in 1970. */
const [serialFrom, serialTo, serialAtEpoch] = [20_000, 80_000, 25_569];
const dayMs = 86_400_000;

/** Windows counts 100 ns since 1601 (FILETIME): of the years 1970 to 2200. */
const [fileTimeFrom, fileTimeTo, fileTimeAtEpoch] = [1.164_447_36e17, 1.89e17, 116_444_736_000_000_000];
/** Active Directory: never. */
const largestFileTime = '9223372036854775807';
/** 20230105, 20230105090712 (MediaWiki, MySQL's numbers), 20230105090712Z and 20230105090712.0Z (LDAP's GeneralizedTime). */
const compact =
  /^((?:19|20|21)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:([01]\d|2[0-3])([0-5]\d)(?:([0-5]\d)(?:\.\d{1,6})?)?(Z|[+-]\d{4})?)?$/;
/** A directory's pwdAccountLockedTime: locked until an administrator unlocks. */
const lockedForGood = '000001010000Z';

/** The first and the last date of databases, and their equivalents in exports. */
const firstYears: ReadonlySet<number> = new Set([0, 1, 1600, 1601, 1753, 1899, 1900]);
const lastYear = 9999;

/**
 * ISO 8601, SQL, RFC 2822, Ruby, JavaScript, Oracle and SQL Server text with or without a zone (default UTC); seconds,
 * milliseconds or microseconds since the epoch as a number or its text, distinguished by their size; .NET ticks and `/Date(…)/`;
 * FILETIME; dates without separators; Excel's serial numbers. An ambiguous date needs `order`.
 */
export function parseTime(value: unknown, order: DateOrder): Parsed<TimeOrSentinel>;
export function parseTime(value: unknown, order?: ColumnOrder): ParsedDate<TimeOrSentinel>;
export function parseTime(value: unknown, order?: ColumnOrder): ParsedDate<TimeOrSentinel> {
  if (typeof value === 'number')
    return (isMs(value) ? undefined : timeOfCompact(String(value))) ?? timeOfNumber(value);
  if (value instanceof Date) return value.getTime();
  if (isAbsent(value)) return undefined;
  if (typeof value !== 'string') return unparsable;
  return timeOfUsual(value) ?? timeOfOther(value.trim(), order);
}

function timeOfOther(text: string, order: ColumnOrder | undefined): ParsedDate<TimeOrSentinel> {
  if (text === largestFileTime || text === lockedForGood) return farTime;
  const dense = timeOfCompact(text);
  if (dense !== undefined) return dense;
  if (number.test(text)) return timeOfNumber(Number(text));
  const net = netJson.exec(text);
  if (net !== null) return inRange(Number(net[1]));
  if (/^-?infinity$/i.test(text)) return text.startsWith('-') ? zeroTime : farTime;
  return timeOfText(text.replace(zoneAfterGmt, ''), order);
}

/** The years 2001 to 2286 in ms: 13 digits, which no date without separators has. */
function isMs(value: number): boolean {
  return value >= 1e12 && value < 1e13;
}

/** ISO 8601 and SQL with seconds, in UTC or without a zone. */
const usualTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?Z?$/;

/**
 * The form of nearly all files, which is tried first: it takes a tenth of the time of trying every other form.
 * @returns undefined for another form, or if it must be examined more closely
 */
function timeOfUsual(text: string): number | undefined {
  if (!usualTime.test(text)) return undefined;
  const year = numberAt(text, 0, 4);
  const [month, day, hour] = [numberAt(text, 5, 7), numberAt(text, 8, 10), numberAt(text, 11, 13)];
  const [minute, second] = [numberAt(text, 14, 16), numberAt(text, 17, 19)];
  const isSure = year >= 1970 && year < lastYear && month >= 1 && month <= 12 && day >= 1 && day <= 28;
  if (!isSure || hour > 23 || minute > 59 || second > 59) return undefined;
  return Date.UTC(year, month - 1, day, hour, minute, second, msAt(text, 20));
}

const zero = 0x30;

/** Digits only. */
function numberAt(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at += 1) number = number * 10 + text.charCodeAt(at) - zero;
  return number;
}

/** The first three digits of a fraction; there may be fewer, or none. */
function msAt(text: string, from: number): number {
  let [ms, unit] = [0, 100];
  for (let at = from; at < from + 3; at += 1) {
    const digit = text.charCodeAt(at) - zero;
    if (!(digit >= 0 && digit <= 9)) break;
    ms += digit * unit;
    unit /= 10;
  }
  return ms;
}

/** undefined: it is not such a time. Read as seconds or milliseconds it would be in 1970, or after 2500. */
function timeOfCompact(text: string): Parsed<TimeOrSentinel> {
  const [all, year, month, day, hour, minute = '', second = '00', offset = ''] = compact.exec(text) ?? [];
  if (all === undefined) return undefined;
  const ofDay =
    hour === undefined
      ? []
      : [hour, minute, second, undefined, undefined, offset === 'Z' ? undefined : offset];
  return timeOfParts([Number(year), Number(month), Number(day)], ofDay);
}

function timeOfNumber(value: number): Parsed<TimeOrSentinel> {
  if (value === 0) return zeroTime;
  if (value > serialFrom && value < serialTo)
    return Math.round(((value - serialAtEpoch) * dayMs) / 1000) * 1000;
  if (value < msFrom) return inRange(Math.floor(value * 1000));
  if (value >= fileTimeFrom && value < fileTimeTo)
    return inRange(Math.floor((value - fileTimeAtEpoch) / 10_000));
  if (value < microsecondsFrom) return inRange(Math.floor(value));
  if (value > ticksFrom && value < ticksTo) return inRange(Math.floor((value - ticksAtEpoch) / 10_000));
  return value < ticksFrom ? inRange(Math.floor(value / 1000)) : unparsable;
}

/** A time beyond the range, or before 1970, does not belong to a user. */
function inRange(ms: number): Parsed<TimeOrSentinel> {
  return ms >= 0 && ms <= latestMs ? ms : unparsable;
}

function timeOfText(text: string, order: ColumnOrder | undefined): ParsedDate<TimeOrSentinel> {
  const iso = yearFirst.exec(text);
  if (iso !== null) return timeOfParts([Number(iso[1]), Number(iso[2]), Number(iso[3])], iso.slice(4));
  const last = yearLast.exec(text);
  if (last !== null) {
    const year = Number(last[4]);
    const shown = orderOfParts(last);
    const own = shown === 'either' ? (isSentinel(year) ? 'dmy' : order) : shown;
    if (own === undefined) return ambiguous;
    if (own === 'mixed') return unparsable;
    const [first, second] = [Number(last[1]), Number(last[3])];
    return timeOfParts([year, ...monthAndDay(first, second, own)], last.slice(5));
  }
  const named = dayAndMonth.exec(text);
  if (named === null) return unparsable;
  const month = months.indexOf((named[2] ?? named[3] ?? '').slice(0, 3).toLowerCase()) + 1;
  return timeOfParts([fullYear(named[5] ?? ''), month, Number(named[1] ?? named[4])], named.slice(6));
}

/**
 * A date's evidence for the order of its column: its order if only one is possible, `either` if both are and they differ.
 * undefined for any other value.
 */
export function orderShownBy(value: unknown): DateOrder | 'either' | undefined {
  // Shorter than a date with one digit for day and month, or too long for any.
  if (typeof value !== 'string' || value.length < 8 || value.length > 80) return undefined;
  const parts = yearLast.exec(value.trim().replace(zoneAfterGmt, ''));
  // With dots the day is always first: no evidence for the others.
  if (parts === null || parts[2] === '.' || isSentinel(Number(parts[4]))) return undefined;
  const [lower, higher] = [Number(parts[1]), Number(parts[3])].sort((a, b) => a - b);
  const isDate =
    lower !== undefined && higher !== undefined && lower !== higher && lower <= 12 && higher <= 31;
  return isDate ? orderOfParts(parts) : undefined;
}

/** @param parts of yearLast */
function orderOfParts([, first, separator, second]: RegExpExecArray): DateOrder | 'either' {
  if (separator === '.' || Number(first) > 12 || Number(first) === Number(second)) return 'dmy';
  return Number(second) > 12 ? 'mdy' : 'either';
}

function monthAndDay(first: number, second: number, order: DateOrder): readonly [number, number] {
  return order === 'dmy' ? [second, first] : [first, second];
}

function isSentinel(year: number): boolean {
  return year >= lastYear || firstYears.has(year);
}

/** Oracle's DD-MON-RR: 50 to 99 are in the last century. */
function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length === 4) return year;
  return year < 50 ? 2000 + year : 1900 + year;
}

type YearMonthDay = readonly [number, number, number];

function timeOfParts(
  [year, month, day]: YearMonthDay,
  ofDay: readonly (string | undefined)[],
): Parsed<TimeOrSentinel> {
  if (year >= lastYear) return farTime;
  if (firstYears.has(year)) return zeroTime;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A 30th of February would roll over into March.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return unparsable;
  const [hour = '0', minutes = '0', seconds = '0', fraction = '', half, offset] = ofDay;
  const hours = hoursOf(Number(hour), half);
  if (hours > 24 || Number(minutes) > 59 || Number(seconds) > 60) return unparsable;
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const ofDayMs = ((hours * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + ms;
  return inRange(date.getTime() + ofDayMs - offsetMs(offset));
}

function hoursOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  return (hour % 12) + (/^p/i.test(half) ? 12 : 0);
}

function offsetMs(offset: string | undefined): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** When something happened; the first and last dates of databases mean that it is unknown. */
export function parseMoment(value: unknown, order?: ColumnOrder): ParsedDate<number> {
  const time = parseTime(value, order);
  return time === zeroTime || time === farTime ? undefined : time;
}

/**
 * A column with a time if something is so: `email_verified_at`, `deleted_at`. It may contain a flag, which keeps its meaning. A
 * distant date is a system's way to write "not yet". The order of day and month does not matter.
 */
export function parseEvidence(value: unknown): Parsed<boolean> {
  if (typeof value === 'string' && timeOfUsual(value) !== undefined) return true;
  const flag = parseFlag(value);
  if (flag !== unparsable) return flag;
  const time = parseTime(value, 'dmy');
  if (time === unparsable || time === undefined) return time;
  return value === lockedForGood || (time !== zeroTime && time !== farTime);
}

/** Until when a user is locked: ms since the epoch, Infinity permanently, 0 if it is over. A flag that is set has no end. */
export function parseUntil(value: unknown, order?: ColumnOrder): ParsedDate<number> {
  const usual = typeof value === 'string' ? timeOfUsual(value) : undefined;
  if (usual !== undefined) return usual;
  const flag = parseFlag(value);
  if (flag === true) return Infinity;
  if (flag === false) return 0;
  const time = parseTime(value, order);
  if (time === farTime) return Infinity;
  return time === zeroTime ? 0 : time;
}
