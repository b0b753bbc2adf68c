/**
 * Fields under the names that a format has for them, where a file has its own: what `--map` says. A field is a column, or is
 * made of one: `!column` is the opposite of a flag, `column:a|b` whether its text is one of these words, `!column:a|b`
 * whether it is unknown. `userMetadata.key` puts a column into the metadata.
 */

import { unparsable } from '../fields/parsed.ts';
import { parseObject, parseText } from '../fields/texts.ts';
import { parseEvidence } from '../fields/times.ts';
import { ExportFault } from '../providers/provider.ts';
import type { SourceRow } from '../providers/provider.ts';

/** By the format's name: the file's. */
export type Names = Readonly<Record<string, string>>;

const metadata = 'userMetadata';
const intoMetadata = `${metadata}.`;

/** The row with the fields under their names in the format, too. What the file has not stays as it is. */
export function withNames(row: SourceRow, names: Names): SourceRow {
  const mapped: Record<string, unknown> = {};
  const further: Record<string, unknown> = {};
  for (const [name, own] of Object.entries(names)) {
    const found = valueOf(row, own);
    if (found === undefined) continue;
    if (name.startsWith(intoMetadata)) further[name.slice(intoMetadata.length)] = presentOf(found.value);
    else mapped[name] = found.value;
  }
  // Of two names that fold alike the first counts: what is mapped stands first.
  const result = { ...mapped, ...row, ...mapped };
  if (Object.keys(further).length === 0) return result;
  const own = parseObject(result[metadata]);
  return { ...result, [metadata]: { ...(own === unparsable ? {} : own), ...further } };
}

/** What is written for an absent value is not stored as a text. */
function presentOf(value: unknown): unknown {
  return typeof value === 'string' ? parseText(value) : value;
}

/** A column, and what is made of it. */
export interface Origin {
  readonly column: string;
  readonly isOpposite: boolean;
  /** In lower case. */
  readonly words: readonly string[] | undefined;
}

/** What the right side of a pair says. @param has whether the file has this column: names may have colons */
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

/** undefined where the record has no such column. */
function valueOf(row: SourceRow, own: string): { readonly value: unknown } | undefined {
  const { column, isOpposite, words } = originOf(own, (name) => Object.hasOwn(row, name));
  if (!Object.hasOwn(row, column)) return undefined;
  const value = row[column];
  if (words !== undefined) {
    const text = parseText(value);
    const isWord = words.includes(typeof text === 'string' ? text.toLowerCase() : '');
    return { value: isWord !== isOpposite };
  }
  if (!isOpposite) return { value };
  const flag = parseEvidence(value);
  // What is no flag stays what it is: the format's reader takes it for unreadable. How SQL takes what is absent: it is not true.
  return { value: flag === unparsable ? value : flag !== true };
}

/** The columns that are used, and names with a colon as they are: a file may have either. */
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

/** @throws ExportFault for the opposite of a column that is not a flag. @param first record of the file */
export function requireFlags(file: string, first: SourceRow, names: Names): void {
  for (const [name, own] of Object.entries(names)) {
    const { column, isOpposite, words } = originOf(own, (each) => Object.hasOwn(first, each));
    if (isOpposite && words === undefined && parseEvidence(first[column]) === unparsable)
      throw new ExportFault(
        `--map ${name}=${own}: the first record of ${file} has neither a flag (true or false, 1 or 0, yes or no) nor a time in ${column}; for words write --map '${name}=!${column}:word' with those that mean yes`,
      );
  }
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
