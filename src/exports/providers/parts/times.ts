/** Points in time as exports write them. All results are ms since the epoch. */

/** Date, time, fraction, zone; `T` or a space between; a zone of hours only, or of hours and minutes, or none. */
const sqlOrIso =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i;

/** ECMA-262, Time Values and Time Range. */
const latestMs = 8.64e15;

/** From here on a number means thousandths of the unit before: 5138 as seconds, 1973 as the smaller unit. */
const msFrom = 1e11;
const microsecondsFrom = 1e14;
const beyond = 1e17;

/**
 * ISO 8601, SQL text with or without a zone (none is read as UTC), or seconds, milliseconds or microseconds since the
 * epoch as a number or its text: told apart by their size, because one system's exports differ by the tool that wrote them.
 * undefined for anything else, for `0000-00-00 00:00:00`, and before 1970: zero dates of other systems.
 */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return timeOfNumber(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return /^\d{1,16}(\.\d{1,9})?$/.test(text) ? timeOfNumber(Number(text)) : timeOfText(text);
}

function timeOfNumber(number: number): number | undefined {
  if (number < msFrom) return inRange(Math.floor(number * 1000));
  if (number < microsecondsFrom) return inRange(Math.floor(number));
  return number < beyond ? inRange(Math.floor(number / 1000)) : undefined;
}

function inRange(ms: number): number | undefined {
  return ms >= 0 && ms <= latestMs ? ms : undefined;
}

function timeOfText(text: string): number | undefined {
  const found = sqlOrIso.exec(text);
  if (found === null) return undefined;
  const [year = 0, month = 0, day = 0] = found.slice(1, 4).map(Number);
  const [hours = 0, minutes = 0, seconds = 0] = found.slice(4, 7).map(numberOf);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A 30th of February would roll over into March.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  if (hours > 24 || minutes > 59 || seconds > 60) return undefined;
  const ms = Number((found[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const ofDay = ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms;
  return inRange(date.getTime() + ofDay - offsetMs(found[8]));
}

/** Groups that took no part in a match are undefined, whatever their type says. */
function numberOf(part: string | undefined): number {
  return Number(part ?? 0);
}

function offsetMs(zone: string | undefined): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
