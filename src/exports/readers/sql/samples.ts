/** The tables of a dump as samples, and the choice between them. */

import { ExportFault, type Table } from '../../providers/provider.ts';
import { Ending } from '../ending.ts';
import { openInput } from '../input.ts';
import type { Reading } from '../reading.ts';
import { rowByNames, sampleOf, type FileSample } from '../sample-of.ts';
import { catalogueOf, type Catalogue, type DumpTable, type InDump } from './catalogue.ts';
import { sqlDialectOf } from './sql-dialect.ts';

export interface DumpSample extends FileSample {
  readonly dump: InDump;
}

/** One sample for each table with rows. @throws ExportFault for a dump without any */
export async function dumpSamples(
  file: string,
  start: Buffer,
  { encoding }: Reading,
): Promise<readonly DumpSample[]> {
  // A dump that ends early is refused or accepted when the rows are read.
  const input = await openInput(file, { encoding, ending: new Ending(file) });
  const catalogue = await catalogueOf(input, sqlDialectOf(start));
  const samples = samplesIn(catalogue);
  if (samples.length > 0) return samples;
  if (catalogue.incomplete?.code === 'ENDS_EARLY') throw new ExportFault(catalogue.incomplete.message);
  throw new ExportFault(
    catalogue.tables.length === 0
      ? 'it is SQL without any rows: make a dump of the tables, with mysqldump or pg_dump'
      : `the dump has tables and no rows, such as ${shortened(catalogue.tables)}: make it with data`,
  );
}

function samplesIn(catalogue: Catalogue): readonly DumpSample[] {
  return catalogue.tables
    .filter(({ firstCells }) => firstCells !== undefined)
    .map((table) => sampleOfTable({ catalogue, table }));
}

function sampleOfTable(dump: InDump): DumpSample {
  const { columns, firstCells = [] } = dump.table;
  const names = columns ?? firstCells;
  return { ...sampleOf('csv', { columns: names, first: rowByNames(names, firstCells), firstCells }), dump };
}

export function isOfDump(sample: FileSample | undefined): sample is DumpSample {
  return sample?.dump !== undefined;
}

/** The sample of the named table, as `users` or `shop.users`. @throws ExportFault when it is missing or there are two */
export function namedTable(samples: readonly DumpSample[], wanted: string): DumpSample {
  const found = samples.filter(({ dump: { table } }) => [table.name, fullName(table)].includes(wanted));
  const [only, second] = found;
  if (only === undefined)
    throw new ExportFault(`--table ${wanted}: the dump has rows of ${namesOf(samples)} only`);
  if (second === undefined) return only;
  throw new ExportFault(
    `--table ${wanted}: the dump has several of this name: give one of ${namesOf(found)}`,
  );
}

/** How certain it is that a sample is of the users: 0 if it is not. */
export type Score = (sample: FileSample) => number;

export interface Ranked {
  readonly sample: DumpSample;
  /** Of two similar tables, the one with the format's name is more certain. */
  readonly rank: number;
}

/** The tables that may be those of the users, the more certain first. */
export function rankedTables(samples: readonly DumpSample[], table: Table, score: Score): readonly Ranked[] {
  const called = new Set(calledAs(samples, table).map(({ sample }) => sample));
  return samples
    .map((sample) => ({ sample, score: score(sample) }))
    .filter((each) => each.score > 0)
    .map((each) => ({ sample: each.sample, rank: each.score + (called.has(each.sample) ? 0.5 : 0) }))
    .sort((a, b) => b.rank - a.rank);
}

/** @throws ExportFault if two tables are equally certain */
export function surest(ranked: readonly Ranked[]): DumpSample | undefined {
  const [first] = ranked;
  const alike = ranked.filter(({ rank }) => rank === first?.rank).map(({ sample }) => sample);
  if (alike.length <= 1) return first?.sample;
  throw new ExportFault(
    `the dump has several tables that may be those of the users: say which with --table, one of ${namesOf(alike)}`,
  );
}

/** The rows of `table` in a dump. @throws ExportFault when the choice is ambiguous */
export function tableInDump(samples: readonly DumpSample[], table: Table, score: Score): DumpSample {
  const [only, second] = samples;
  const [called] = calledAs(samples, table);
  const found = second === undefined ? only : (surest(rankedTables(samples, table, score)) ?? called?.sample);
  if (found !== undefined) return found;
  throw new ExportFault(
    `the dump has no table that is known to hold the ${table.name}: say which with --table, one of ${namesOf(samples)}`,
  );
}

/** The name of a table in the dump. */
interface Called {
  readonly sample: DumpSample;
  /** The text for `*` in the format's name of it; undefined for a name without. */
  readonly prefix: string | undefined;
}

/** The tables with the format's name for this one, those of the likelier name first. */
function calledAs(samples: readonly DumpSample[], { sqlNames = [] }: Table): readonly Called[] {
  return sqlNames.flatMap((name) => samples.flatMap((sample) => called(sample, name) ?? []));
}

function called(sample: DumpSample, sqlName: string): Called | undefined {
  const { name, schema } = sample.dump.table;
  const [wanted = '', wantedSchema = schema] = sqlName.split('.').toReversed();
  if (schema !== undefined && wantedSchema !== schema) return undefined;
  const [own, end] = [name.toLowerCase(), wanted.toLowerCase().replace(/^\*/, '')];
  if (!wanted.startsWith('*')) return own === end ? { sample, prefix: undefined } : undefined;
  return own.endsWith(end) ? { sample, prefix: own.slice(0, own.length - end.length) } : undefined;
}

/** The table that belongs to the users, with rows or without: of the same schema, and with the same prefix if there is one. */
export function relatedInDump(users: DumpSample, usersTable: Table, related: Table): DumpSample | undefined {
  const { catalogue, table } = users.dump;
  const beside = catalogue.tables
    .filter((each) => each !== table && each.schema === table.schema)
    .map((each) => sampleOfTable({ catalogue, table: each }));
  const [own] = calledAs([users], usersTable);
  return calledAs(beside, related).find(({ prefix }) => prefix === undefined || prefix === own?.prefix)
    ?.sample;
}

/** In the form of --table. */
export function fullName({ name, schema }: DumpTable): string {
  return schema === undefined ? name : `${schema}.${name}`;
}

const namesShown = 20;

/** For messages. */
export function namesOf(samples: readonly DumpSample[]): string {
  return shortened(samples.map(({ dump }) => dump.table));
}

function shortened(tables: readonly DumpTable[]): string {
  const names = tables.map(fullName);
  const rest = names.length > namesShown ? ` and ${names.length - namesShown} more` : '';
  return names.slice(0, namesShown).join(', ') + rest;
}
