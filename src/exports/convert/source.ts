import type { ConvertRules, RecordForm } from '../tasks.ts';
import { preparePerson } from '../providers/parts/person.ts';
import { ExportFault } from '../providers/provider.ts';
import type { ConvertOptions, Place, Provider, Table } from '../providers/provider.ts';
import { requireColumns } from '../readers/names.ts';
import type { Reading } from '../readers/reading.ts';
import { findTable, openTable, type FoundTable, type OpenTable } from '../readers/table.ts';

/** What is converted. */
export interface ConvertSource {
  /** The export, or the file of its users. */
  readonly file: string;
  /** Paths by the names of further tables. */
  readonly related: Readonly<Record<string, string>>;
  readonly provider: Provider;
  readonly options: ConvertOptions;
  /** Where users go that name no tenant; undefined: `public`. */
  readonly tenant: string | undefined;
  /** In front of every external id. */
  readonly idPrefix?: string | undefined;
  readonly reading?: Reading | undefined;
}

/** A table on its way into the conversion. */
export interface SourceTable {
  readonly name: string;
  readonly file: string;
  readonly form: RecordForm;
  readonly batches: OpenTable['batches'];
}

export interface OpenSource {
  readonly users: SourceTable;
  readonly related: readonly SourceTable[];
  readonly rules: ConvertRules;
}

/** Finds and opens every table, and has the provider read its options. @throws ExportFault */
export async function openSource(source: ConvertSource, signal: AbortSignal): Promise<OpenSource> {
  const { provider, file } = source;
  const [users, ...others] = provider.tables;
  if (users === undefined) throw new Error(`${provider.name} has no tables`);
  checkNames(source);
  const found = await findTable(file, users, source.reading);
  const opened = await opening(users, found, { signal, isRequired: true });
  const related = [];
  for (const table of others) {
    const path = source.related[table.name];
    const place =
      path === undefined
        ? inMainFile(found, users, table)
        : await findTable(path, table, { encoding: source.reading?.encoding });
    if (place !== undefined)
      related.push(await opening(table, place, { signal, isRequired: path !== undefined }));
  }
  const preambles = [opened, ...related].map(({ preamble }) => preamble);
  const options = Object.assign({}, ...preambles, source.options) as ConvertOptions;
  preparePerson(options);
  return {
    users: opened.table,
    related: related.map(({ table }) => table),
    rules: {
      provider: provider.name,
      options: provider.prepare?.(options) ?? options,
      tenant: source.tenant,
      idPrefix: source.idPrefix,
    },
  };
}

function checkNames({ provider, related }: ConvertSource): void {
  const names = provider.tables.slice(1).map(({ name }) => name);
  const unknown = Object.keys(related).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new ExportFault(`${provider.title} has no table ${unknown}`);
}

interface Opened {
  readonly table: SourceTable;
  readonly preamble: ConvertOptions;
}

async function opening(
  { name }: Table,
  found: FoundTable,
  options: Parameters<typeof openTable>[1],
): Promise<Opened> {
  const { columns, preamble, batches } = await openTable(found, options);
  const isHeaderless =
    found.place.format === 'csv' && found.place.columns !== undefined && found.columns === undefined;
  const { names } = found.reading;
  if (names !== undefined && columns !== undefined) requireColumns(found.file, columns, names);
  return { table: { name, file: found.file, form: { columns, isHeaderless, names }, batches }, preamble };
}

/**
 * Where a further table stands in the main file, if it may: under a key of its own, or among the users, told apart by
 * `holds`. Whether it really is there shows when the file is read.
 */
function inMainFile(users: FoundTable, usersTable: Table, table: Table): FoundTable | undefined {
  const { place, sample } = users;
  // Names are of the users.
  const reading = { encoding: users.reading.encoding };
  if (place.format === 'csv') return undefined;
  const isSame = (each: Place) => each.format === place.format && keyOf(each) === keyOf(place);
  const shared = table.holds && table.places.find(isSame);
  if (shared !== undefined) return { ...users, reading, place: shared };
  if (keyOf(place) === undefined || sample.root === 'array') return undefined;
  const { root } = sample;
  // A key beyond the sample is taken to be of the same spelling as the users'.
  const own =
    table.places.find((each) => !isSame(each) && root.includes(keyOf(each) ?? '')) ??
    table.places[usersTable.places.indexOf(place)];
  return own === undefined || keyOf(own) === undefined ? undefined : { ...users, reading, place: own };
}

/** The first key that leads to the table in a JSON document. */
function keyOf(place: Place): string | undefined {
  return place.format === 'json' ? place.path[0] : undefined;
}
