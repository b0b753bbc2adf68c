/** The result of parsing a field's value: a value, absent, or unparsable. */

/** There is a value, but it is not of the field's type. */
export const unparsable = Symbol('unparsable');

/** A date whose day and month are ambiguous, without a known order. */
export const ambiguous = Symbol('ambiguous');

/** undefined: absent. */
export type Parsed<T> = T | undefined | typeof unparsable;

/**
 * The spellings of an absent value in files: MySQL and COPY `\N`; phpMyAdmin and SQL Server `NULL`; psql with a null string;
 * DBeaver `[NULL]`; Navicat `(Null)`; Excel's error for "no value"; Python, Go, Ruby and pandas their own words. Case-sensitive:
 * `Null` and `Nil` are family names.
 */
const absentTexts: ReadonlySet<string> = new Set([
  '',
  '\\N',
  'NULL',
  'null',
  '(null)',
  '(NULL)',
  '(Null)',
  '[NULL]',
  '[null]',
  '<null>',
  '<NULL>',
  '#N/A',
  'None',
  'nil',
  'NaN',
  'NaT',
  '-',
]);

const longestAbsent = Math.max(...Array.from(absentTexts, ({ length }) => length));

/** By the code of an ASCII character: whether an absent value may begin with it. White space and further characters may. */
const beginsAbsent = Uint8Array.from({ length: 128 }, (_, code) =>
  isPlain(code) && !Array.from(absentTexts).some((text) => text.charCodeAt(0) === code) ? 0 : 1,
);

/** Visible ASCII: a trimmed text may begin and end with it. */
function isPlain(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

/** As String.trim, which for a text that needs no trimming costs more than the rest of reading it. */
export function trimmed(text: string): string {
  return isPlain(text.charCodeAt(0)) && isPlain(text.charCodeAt(text.length - 1)) ? text : text.trim();
}

/** Whether a value of a file means "absent". */
export function isAbsent(value: unknown): boolean {
  if (typeof value !== 'string') return value === undefined || value === null;
  // The first character of most values shows that they are present.
  if (beginsAbsent[value.charCodeAt(0)] === 0) return false;
  const text = trimmed(value);
  // A set hashes the text that it looks for: hashes and documents are long.
  return text.length <= longestAbsent && absentTexts.has(text);
}

/** For a part of a value whose absence is refused like an unreadable one. */
export function orAbsent<T>(parsed: Parsed<T>): T | undefined {
  return parsed === unparsable ? undefined : parsed;
}
