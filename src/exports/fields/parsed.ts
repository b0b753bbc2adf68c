/** What became of the value of a field: read, absent, or not readable as what the field holds. */

/** There is a value, and it is not of the field's type. */
export const unparsable = Symbol('unparsable');

/** undefined: absent. */
export type Parsed<T> = T | undefined | typeof unparsable;

/**
 * How files spell an absent value: MySQL and COPY `\N`; phpMyAdmin and SQL Server `NULL`; psql with a null string; Python, Go, Ruby and
 * pandas their own words. In this case only: `Null` and `Nil` are family names.
 */
const absentTexts: ReadonlySet<unknown> = new Set([
  undefined,
  null,
  ...['', '\\N', 'NULL', 'null', '(null)', '(NULL)', '<null>', 'None', 'nil', 'NaN', 'NaT', '-'],
]);

/** Whether a value of a file means "absent". */
export function isAbsent(value: unknown): boolean {
  return absentTexts.has(typeof value === 'string' ? value.trim() : value);
}

/** For a part of a value whose absence is refused like one that cannot be read. */
export function orAbsent<T>(parsed: Parsed<T>): T | undefined {
  return parsed === unparsable ? undefined : parsed;
}
