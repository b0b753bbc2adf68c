/** A table of no known system: proposes the command that imports it, for a person to confirm. */

import { sourceRecords } from '../../exports/convert/source-records.ts';
import { parseFlag } from '../../exports/fields/flags.ts';
import { unparsable } from '../../exports/fields/parsed.ts';
import { requireProvider } from '../../exports/providers/index.ts';
import { ExportFault, type SourceRow } from '../../exports/providers/provider.ts';
import { shellWord } from '../../exports/readers/bytes/shell-word.ts';
import { flattened } from '../../exports/readers/names.ts';
import type { Reading } from '../../exports/readers/reading.ts';
import {
  type ColumnLooks,
  flagsOf,
  type Proposal,
  proposeMapping,
  type Unused,
} from '../../exports/recognise/propose-mapping.ts';
import { carryover } from '../../process/called.ts';
import { CommandError } from '../command-error.ts';
import { printable } from '../output/format.ts';

/** Records on whose values a proposal is tried. */
export const recordsTried = 1000;

/** The input of a proposal. */
export interface Table {
  readonly file: string;
  /** As it was given. */
  readonly shown: string;
  readonly reading: Reading | undefined;
}

/** Lines with the command and what it leaves out. undefined if no column has emails, or the file cannot be read. */
export async function proposedCommand(
  table: Table,
  signal: AbortSignal,
): Promise<readonly [command: string, ...lines: string[]] | undefined> {
  const proposal = await proposeFor(table, signal).catch((error: unknown) => {
    if (error instanceof ExportFault) return undefined;
    throw error;
  });
  if (proposal === undefined) return undefined;
  const command = `${carryover} import ${wordsOf(table)} ${flagsOf(proposal)}`;
  const lines = proposal.constructions.length === 0 ? leftOut(proposal) : [salted, ...leftOut(proposal)];
  return [command, ...lines.map((line) => `  ${line}`)];
}

/** The file in a command, and its table, if it is a dump. */
function wordsOf({ shown, reading }: Omit<Table, 'file'>): string {
  const words = reading?.table === undefined ? [shown] : [shown, '--table', reading.table];
  return words.map(shellWord).join(' ');
}

/** The refusal to read it without a decision. @param command that was proposed */
export function customTable(table: Omit<Table, 'file'>, command: string): CommandError {
  return new CommandError(
    `${table.shown}: is a custom table, of no system that is known: check the proposed command, and try it with --dry-run`,
    {
      code: 'CUSTOM_TABLE',
      field: '--from',
      next: [
        { command, reason: 'imports it, by the names and values of its columns' },
        {
          command: `${carryover} inspect ${wordsOf(table)} --propose`,
          reason: 'shows why each column is mapped, and which have to be decided',
        },
      ],
    },
  );
}

/**
 * The mapping that the first records of a file allow. undefined if no column has emails.
 * @throws ExportFault if the file cannot be read
 */
export async function proposeFor(table: Table, signal: AbortSignal): Promise<Proposal | undefined> {
  const rows = await rowsOf(table, signal);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return rows.length === 0 ? undefined : proposeMapping(columns, rows);
}

async function rowsOf({ file, reading }: Table, signal: AbortSignal): Promise<readonly SourceRow[]> {
  const provider = requireProvider('native');
  const rows: SourceRow[] = [];
  const source = { file, related: {}, provider, options: {}, tenant: undefined, reading, isPartial: true };
  for await (const { read } of sourceRecords(source, signal)) {
    const row = read();
    if (row !== undefined) rows.push(flattened(row));
    if (rows.length >= recordsTried) break;
  }
  return rows;
}

const salted = `--hash-as has to say how the hashes were made of password and salt: 'inspect FILE --propose' lists what fits`;

const words: Readonly<Record<ColumnLooks, string>> = {
  hash: 'looks like hashes, and is not mapped',
  salt: 'looks like salts, and is not mapped: hashes that show their kind hold their own',
  guard: 'looks like a flag for permission to sign in',
  factor: 'looks like a second factor, and is not mapped',
  date: 'looks like dates, and is not mapped',
  phone: 'has phone numbers without their country, and is not mapped',
};

/** Columns that the command does not map, a line each: guards need a decision, and come first. */
export function leftOut({ unused, others }: Proposal): readonly string[] {
  const guards = unused.filter(({ looks }) => looks === 'guard');
  const rest = unused.filter(({ looks }) => looks !== 'guard');
  return [
    ...guards.map((guard) => `DECIDE: ${lineOf(guard)}${choicesOf(guard)}`),
    ...rest.map((each) => `${lineOf(each)}${cureOfPhones(each)}`),
    ...(others.length > 0 ? [`other columns that are not mapped: ${others.map(printable).join(', ')}`] : []),
  ];
}

function lineOf({ column, looks }: Unused): string {
  return `column ${printable(column)} ${words[looks]}`;
}

/** `ban_text`, `suspend_reason`: empty if the user may sign in. */
function isOfReasons(column: string): boolean {
  return /(?:text|reason|message|comment|note|grund)$/i.test(column);
}

/** The countries were tried on the values. */
function cureOfPhones({ column, countries }: Unused): string {
  return countries === undefined
    ? ''
    : `: add phoneNumber=${printable(column)} to the --map, and --country with theirs; the first ones are valid in ${countries.join(', ')}`;
}

function choicesOf({ column, values = [], field }: Unused): string {
  const own = printable(column);
  const are = values.length === 0 ? '' : `. Its values are ${values.map(printable).join(', ')}`;
  if (field === undefined)
    return `${are}. All fields that take its values are mapped: if it is one, make one column of both at the source`;
  if (isOfReasons(column))
    return `${are}. If a text in it disables the user, add '${field}=${own}:*' to the --map`;
  const isOfWords = values.some((value) => parseFlag(value) === unparsable && !/^\d{4}-\d\d/.test(value));
  return isOfWords
    ? `${are}. If it is one, add '${field}=!${own}:word|word' to the --map, with the words that mean active`
    : `${are}. If it is one, add ${field}=${own} to the --map, or ${field}=!${own} if it marks active users`;
}
