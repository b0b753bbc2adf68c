/** The account of a file, for people and programs: the outcome of each column, and of each value that could not be read. */

import {
  type Account,
  type Column,
  type Example,
  type Suspicion,
  suspicions,
} from '../../exports/fields/account.ts';
import { adviceOfCountries } from '../../exports/fields/national-phones.ts';
import { checkAtSource } from '../../domain/required-actions.ts';
import { carryover } from '../../process/called.ts';
import { count, plural, printable } from './format.ts';

const looks: Readonly<Record<Suspicion, string>> = {
  hash: 'looks like password hashes',
  salt: 'looks like salts of passwords',
  guard: 'looks like a flag for permission to sign in',
  factor: 'looks like a second factor',
  date: 'looks like dates',
  id: 'looks like ids',
};

/** Suspicions that concern the security of an account, or its password: shown for each column. */
const grave: ReadonlySet<Suspicion | undefined> = new Set(['hash', 'salt', 'guard', 'factor']);

/** The outcome for users with an unparsable value, by the purpose of its field. */
const consequences: Readonly<Record<string, string>> = {
  identifies: 'not imported',
  guards: `disabled until you have looked at them (their required action is ${checkAtSource}). To let all of them in then: ${carryover} restrictions lift`,
  carries: 'imported without it',
  hash: 'imported without their password',
};

/** @param unit what the number of an example counts */
export function describeAccount(account: Account | undefined, unit: string): string[] {
  if (account === undefined) return [];
  const columns = columnsOf(account);
  return [
    ...columns.flatMap((each) => unparsableLine(each, unit)),
    ...columns.flatMap((each) => unclearLine(each, unit)),
    ...columns.flatMap(datesLine),
    ...columns.flatMap(pythonLine),
    ...lostPasswordLines(account, unit),
    ...columns.flatMap(suspiciousLine),
    ...unusedLine(columns),
    ...(account.isCut ? ['  There are more columns than are listed here'] : []),
  ];
}

interface NamedColumn {
  readonly name: string;
  readonly column: Column;
}

function columnsOf({ tables }: Account): readonly NamedColumn[] {
  return Object.entries(tables).flatMap(([table, columns]) =>
    Object.entries(columns).map(([name, column]) => ({
      name: printable(table === 'users' ? name : `${table}: ${name}`),
      column,
    })),
  );
}

/** Whether the core's job accounts for every record of the file that was sent: undefined if they were sent unread. */
export function describeTotals(
  account: Account | undefined,
  { lines, rejectedByConversion }: Totals,
): string[] {
  if (account === undefined) return [];
  const sent = account.converted + (rejectedByConversion ?? 0);
  return lines === sent
    ? []
    : [
        `  The core counts ${plural(lines, 'record')}, and ${count(sent)} were sent, which is a fault of this program. Please report it`,
      ];
}

/** Totals of a job. */
interface Totals {
  /** Records that the core has counted. */
  readonly lines: number;
  /** Of these, those that conversion rejected. */
  readonly rejectedByConversion?: number | undefined;
}

/** The last line of a report on a large input. */
export const checkedByBatch =
  'Totals were checked batch by batch while the records were sent: an input of 100 MiB or more is not converted beforehand';

function unparsableLine({ name, column }: NamedColumn, unit: string): string[] {
  const { unparsable, examples, purpose = '' } = column;
  if (unparsable === 0) return [];
  const consequence = consequences[purpose] ?? 'imported without it';
  return [
    `  ${plural(unparsable, 'value')} of ${name} cannot be read (${shown(examples, unit)}): these users are ${consequence}${cureOfDates(column)}${cureOfPhones(column)}`,
  ];
}

/** A state in words or numbers of the app: only a person can tell whether it blocks users. */
function unclearLine({ name, column: { unclear, examples } }: NamedColumn, unit: string): string[] {
  if (unclear === undefined) return [];
  return [
    `  ${plural(unclear, 'value')} of ${name} may say who may sign in and ${unclear === 1 ? 'is' : 'are'} not used (${shown(examples, unit)}): if one of them keeps users out, say so with --map 'isDisabled=!${name}:active', with the words that mean active and | between them`,
  ];
}

const orders = { dmy: 'the day first', mdy: 'the month first' } as const;

/** If the column itself shows neither order, or both. */
function cureOfDates({ order }: Column): string {
  if (order === 'mixed')
    return '. Its dates have the day first in some records and the month first in others: correct them at the source, or say with --dates dmy or --dates mdy by what those are read that may have either';
  return order === 'unknown'
    ? '. Dates such as 3/4/2023 may have the day or the month first, and no value of the column shows which: an import needs --dates dmy (the day first) or --dates mdy (the month first)'
    : '';
}

function cureOfPhones({ countries }: Column): string {
  return countries === undefined ? '' : `. Of the first one: ${adviceOfCountries(countries)}`;
}

function datesLine({ name, column: { order, otherOrder } }: NamedColumn): string[] {
  if (order !== 'dmy' && order !== 'mdy') return [];
  const others =
    otherOrder === undefined
      ? ''
      : `; ${plural(otherOrder, 'value')} can only have it the other way round: is --dates ${order} right?`;
  return [`  dates such as 3/4/2023 in ${name} were read with ${orders[order]}${others}`];
}

function pythonLine({ name, column: { python } }: NamedColumn): string[] {
  if (python === undefined) return [];
  return [
    `  ${plural(python, 'value')} of ${name}: not JSON, but lists as Python prints them. They were read as such`,
  ];
}

function shown(examples: readonly Example[], unit: string): string {
  return examples.map(({ record, text }) => `${unit} ${count(record)}: ${printable(text)}`).join(', ');
}

function lostPasswordLines({ lostPasswords }: Account, unit: string): string[] {
  return Object.entries(lostPasswords)
    .toSorted(([, a], [, b]) => b.count - a.count)
    .map(([reason, { count: all, records }]) => {
      const places = records.map((each) => `${unit} ${count(each)}`).join(', ');
      const rest = all > records.length ? ` and ${plural(all - records.length, `more ${unit}`)}` : '';
      return `  ${plural(all, 'user')} imported without their password: ${printable(reason)} (${places}${rest})`;
    });
}

function isUnused({ column }: NamedColumn): boolean {
  return column.field === undefined && column.used > 0;
}

function suspiciousLine(named: NamedColumn): string[] {
  const { name, column } = named;
  if (!isUnused(named) || column.looksLike === undefined || !grave.has(column.looksLike)) return [];
  return [
    `  column ${name} ${looks[column.looksLike]} and is not used (${plural(column.used, 'value')})${cureOf(named)}`,
  ];
}

/** The mapping that would use it, if a field of a user's own table accepts it. */
function cureOf({ name, column: { looksLike, isWithin } }: NamedColumn): string {
  if (looksLike === 'hash' && isWithin === true)
    return ': they are within other text. Write each hash into a column of its own, and map that';
  if (!/^[\w-]+$/.test(name)) return '';
  if (looksLike === 'guard')
    return `: if it does, say so with --map isDisabled=${name}, or isDisabled=!${name}`;
  return looksLike === 'hash' ? `: if they are, say so with --map passwordHash=${name}` : '';
}

const unusedShown = 12;

function unusedLine(columns: readonly NamedColumn[]): string[] {
  const others = columns
    .filter((each) => isUnused(each) && !grave.has(each.column.looksLike))
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map(({ name }) => name);
  if (others.length === 0) return [];
  const more = others.length > unusedShown ? ` and ${count(others.length - unusedShown)} more` : '';
  return [`  columns that are not imported: ${others.slice(0, unusedShown).join(', ')}${more}`];
}

function rankOf({ column: { looksLike } }: NamedColumn): number {
  return looksLike === undefined ? suspicions.length : suspicions.indexOf(looksLike);
}
