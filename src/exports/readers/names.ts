/**
 * Renames a file's fields to the format's: `--map`. A field is a column, or made from one: `!column` is the negation of a flag,
 * `column:a|b` whether its text is one of these words, `!column:a|b` whether it is not, `column:*` whether it has any text.
 * `userMetadata.key` puts a column into the metadata. In JSON a column may be a path through records within the record:
 * `profile.email`, `emails.0.address`.
 */

import { folded, unwrapped } from '../fields/declare.ts';
import { unparsable } from '../fields/parsed.ts';
import { parseObject, parseText } from '../fields/texts.ts';
import { parseEvidence } from '../fields/times.ts';
import { ExportFault } from '../providers/provider.ts';
import type { SourceRow } from '../providers/provider.ts';

/** By the format's name: the file's. */
export type Names = Readonly<Record<string, string>>;

const metadata = 'userMetadata';
const intoMetadata = `${metadata}.`;

/** The row with the fields under their names in the format, too. Columns that are missing are not added. */
export function withNames(record: SourceRow, names: Names): SourceRow {
  const row = withWays(record, names);
  const mapped: Record<string, unknown> = {};
  const further: Record<string, unknown> = {};
  for (const [name, own] of Object.entries(names)) {
    const found = valueOf(row, own);
    if (found === undefined) continue;
    if (name.startsWith(intoMetadata)) further[name.slice(intoMetadata.length)] = presentOf(found.value);
    else mapped[name] = found.value;
  }
  // Of two names that fold alike the first counts, so mapped ones come first.
  const result = { ...mapped, ...row, ...mapped };
  if (Object.keys(further).length === 0) return result;
  const own = parseObject(result[metadata]);
  return { ...result, [metadata]: { ...(own === unparsable ? {} : own), ...further } };
}

/** The depth of records within records: no export has deeper users. */
const depthLimit = 6;

/** The record with the values at the paths of `names` as separate columns, so that each of them is accounted for. */
function withWays(row: SourceRow, names: Names): SourceRow {
  const ways = Object.values(names).flatMap((own) => {
    const { column } = originOf(own, (name) => Object.hasOwn(row, name));
    return column.includes('.') && !Object.hasOwn(row, column) ? [column] : [];
  });
  if (ways.length === 0) return row;
  const roots = new Set(ways.map((way) => way.slice(0, way.indexOf('.'))));
  const entries = Object.entries(row).flatMap(([name, value]) =>
    roots.has(name)
      ? leavesOf(name, value, (way) => ways.some((each) => each.startsWith(`${way}.`)))
      : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

type Leaf = readonly [way: string, value: unknown];

/** @param isFollowed whether the elements of a list are columns, too */
function leavesOf(
  way: string,
  value: unknown,
  isFollowed: (way: string) => boolean,
  depth = 0,
): readonly Leaf[] {
  const isRecord = typeof value === 'object' && value !== null && unwrapped(value) === value;
  if (!isRecord || depth >= depthLimit || (Array.isArray(value) && !isFollowed(way))) return [[way, value]];
  return Object.entries(value).flatMap(([name, each]) =>
    leavesOf(`${way}.${name}`, each, isFollowed, depth + 1),
  );
}

/** Every column of a record, those of records within it by their paths; of a list the first element. */
export function flattened(row: SourceRow): SourceRow {
  const entries = Object.entries(row).flatMap(([name, value]) =>
    leavesOf(name, firstOnly(value), () => true),
  );
  return Object.fromEntries(entries);
}

function firstOnly(value: unknown, depth = 0): unknown {
  if (Array.isArray(value))
    return typeof value[0] === 'object' ? [firstOnly(value[0], depth + 1)] : value.join(', ');
  if (typeof value !== 'object' || value === null || depth >= depthLimit) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, firstOnly(each, depth + 1)]));
}

/** Whether a file with these columns has `own`: directly, or as a path through one of them. */
export function hasColumn(columns: readonly string[], own: string): boolean {
  return columns.includes(own) || columns.includes(own.split('.', 1)[0] ?? own);
}

/** The spelling of an absent value is not stored as a text. */
function presentOf(value: unknown): unknown {
  return typeof value === 'string' ? parseText(value) : value;
}

/** A column, and the operation on it. */
export interface Origin {
  readonly column: string;
  readonly isOpposite: boolean;
  /** In lower case. */
  readonly words: readonly string[] | undefined;
}

/** Parses the right side of a pair. @param has whether the file has this column: names may contain colons */
export function originOf(own: string, has: (column: string) => boolean): Origin {
  if (has(own)) return { column: own, isOpposite: false, words: undefined };
  const isOpposite = own.startsWith('!');
  const rest = isOpposite ? own.slice(1) : own;
  const colon = rest.lastIndexOf(':');
  if (colon <= 0 || has(rest)) return { column: rest, isOpposite, words: undefined };
  const words = rest
    .slice(colon + 1)
    .split('|')
    .map((word) => word.trim().toLowerCase());
  return { column: rest.slice(0, colon), isOpposite, words };
}

/** Instead of words: any text. */
const anyText = '*';

/** undefined if the record has no such column. */
function valueOf(row: SourceRow, own: string): { readonly value: unknown } | undefined {
  const { column, isOpposite, words } = originOf(own, (name) => Object.hasOwn(row, name));
  if (!Object.hasOwn(row, column)) return undefined;
  const value = row[column];
  if (words !== undefined) {
    const text = parseText(value);
    const isWord = words.includes(anyText)
      ? text !== undefined
      : words.includes(typeof text === 'string' ? text.toLowerCase() : '');
    return { value: isWord !== isOpposite };
  }
  if (!isOpposite) return { value };
  const flag = parseEvidence(value);
  // A value that is not a flag is not changed: the format's reader finds it unparsable. As in SQL, an absent value is not true.
  return { value: flag === unparsable ? value : flag !== true };
}

/** The used columns, and names with a colon as they are: a file may have either. */
export function columnsIn(names: Names): readonly string[] {
  return Object.values(names).flatMap((own) => [own, originOf(own, () => false).column]);
}

/** @throws ExportFault for a name that no column of the file has */
export function requireColumns(file: string, columns: readonly string[], names: Names): void {
  for (const [name, own] of Object.entries(names)) {
    const { column } = originOf(own, (each) => columns.includes(each));
    if (!columns.includes(column))
      throw new ExportFault(
        `--map ${name}=${own}: ${file} has no column ${column}; it has ${columns.join(', ')}`,
      );
  }
}

/** @throws ExportFault if the first record of a JSON file has none of the columns: they are nested, or have other names */
export function requireAnyColumn(file: string, first: SourceRow, names: Names): void {
  const own = Object.keys(first);
  const isThere = (right: string): boolean =>
    hasColumn(own, originOf(right, (each) => own.includes(each)).column);
  if (own.length === 0 || Object.values(names).some(isThere)) return;
  const found = Object.keys(flattened(first)).slice(0, 30).join(', ');
  throw new ExportFault(
    `--map: the first record of ${file} has none of the columns that it names; it has ${found}`,
  );
}

/**
 * @param rows the first of the file
 * @throws ExportFault for the negation of a column with a value in one of them, but a flag in none
 */
export function requireFlags(file: string, rows: readonly SourceRow[], names: Names): void {
  for (const [name, own] of Object.entries(names)) {
    if (!own.startsWith('!')) continue;
    const found = rows.map((row) => flagsIn(row, own));
    const column = found.find((each) => each?.isFlag === false)?.column;
    if (column === undefined || found.some((each) => each?.isFlag === true)) continue;
    throw new ExportFault(
      `--map ${name}=${own}: the first records of ${file} have neither a flag (true or false, 1 or 0, yes or no) nor a time in ${column}; for words write --map '${name}=!${column}:word' with those that mean yes`,
    );
  }
}

/** undefined if the record has no value in the column, or words are compared. */
function flagsIn(
  record: SourceRow,
  own: string,
): { readonly column: string; readonly isFlag: boolean } | undefined {
  const row = withWays(record, { opposite: own });
  const { column, isOpposite, words } = originOf(own, (each) => Object.hasOwn(row, each));
  const flag = isOpposite && words === undefined ? parseEvidence(row[column]) : undefined;
  return flag === undefined ? undefined : { column, isFlag: flag !== unparsable };
}

/**
 * @param columns of the first records of a JSON file, those of records within records by their paths
 * @throws ExportFault for a field that none of them has, if one of them has a similar name
 */
export function requireNear(file: string, columns: ReadonlySet<string>, names: Names): void {
  const has = (name: string): boolean => columns.has(name);
  for (const [name, own] of Object.entries(names)) {
    const { column } = originOf(own, has);
    if (has(column) || [...columns].some((each) => each.startsWith(`${column}.`))) continue;
    const near = nearestTo(column, [...columns]);
    if (near !== undefined)
      throw new ExportFault(
        `--map ${name}=${own}: the first records of ${file} have no field ${column}; the nearest that they have is ${near}`,
      );
  }
}

/** The name that differs by the fewest letters, at most a quarter of them: `phone2` is another field than `phone1`. */
function nearestTo(name: string, names: readonly string[]): string | undefined {
  const wanted = folded(name);
  const most = Math.floor(wanted.length / 4);
  const near = names.flatMap((each) => {
    const text = folded(each);
    const isOther = digitsOf(text) !== digitsOf(wanted) || Math.abs(text.length - wanted.length) > most;
    return isOther ? [] : [{ each, letters: lettersBetween(wanted, text) }];
  });
  const best = near.sort((one, other) => one.letters - other.letters).at(0);
  return best !== undefined && best.letters <= most ? best.each : undefined;
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

/** Letters to insert, remove or replace (Levenshtein's distance). */
function lettersBetween(one: string, other: string): number {
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 0; row < one.length; row += 1) {
    const next = [row + 1];
    for (let at = 0; at < other.length; at += 1) {
      const replaced = (last[at] ?? 0) + (one[row] === other[at] ? 0 : 1);
      next.push(Math.min(replaced, (last[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    last = next;
  }
  return last.at(-1) ?? 0;
}

/** @throws ExportFault for a name that is not a field. @param fields of the format; `passwordSalt` is one of each */
export function requireFields(format: string, fields: readonly string[], names: Names): void {
  const known = [...fields, 'passwordSalt'];
  const isKnown = (name: string): boolean =>
    known.includes(name) ||
    (known.includes(metadata) && name.startsWith(intoMetadata) && name.length > intoMetadata.length);
  const unknown = Object.keys(names).find((name) => !isKnown(name));
  if (unknown !== undefined)
    throw new ExportFault(
      `--map ${unknown}=${names[unknown] ?? ''}: ${format} has no field ${unknown}; it has ${known.join(', ')}, and ${intoMetadata}KEY for anything else`,
    );
}
