/** Points in time as exports write them. All results are ms since the epoch. */

/** Date, time, fraction, zone; `T` or a space between; a zone of hours only, or of hours and minutes, or none. */
const sqlOrIso =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i;

/** ECMA-262, Time Values and Time Range. */
const latestMs = 8.64e15;

/**
 * ISO 8601, SQL text with or without a zone (none is read as UTC), or ms since the epoch as a number or its text.
 * undefined for anything else, for `0000-00-00 00:00:00`, and before 1970: zero dates of other systems.
 */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return inRange(Math.floor(value));
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return /^\d{1,16}$/.test(text) ? inRange(Number(text)) : timeOfText(text);
}

/** As timeOf, where numbers are seconds. */
export function timeOfSeconds(value: unknown): number | undefined {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^[\d.]+$/.test(value.trim()));
  return isNumber ? inRange(Math.floor(Number(value) * 1000)) : timeOf(value);
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
