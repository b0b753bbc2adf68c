import type { ConvertRules, FoundForm } from '../tasks.ts';
import { preparePerson } from '../providers/parts/person.ts';
import { besideOption, ExportFault } from '../providers/provider.ts';
import type { ConvertOptions, Place, Provider, Table } from '../providers/provider.ts';
import { missingFrom, type Incomplete } from '../readers/ending.ts';
import { columnsIn, type Names, requireAnyColumn, requireColumns, requireFields } from '../readers/names.ts';
import type { Reading } from '../readers/reading.ts';
import { checkedByNames } from './first-batch.ts';
import { openAlike } from '../readers/alike.ts';
import { listUnder } from '../readers/list-path.ts';
import type { SampledList } from '../readers/sample-of.ts';
import { findTable, foundInDump, openTable, type FoundTable, type OpenTable } from '../readers/table.ts';
import { isOfDump, relatedInDump } from '../readers/sql/samples.ts';
import { readLookups, tableMissing } from './lookups.ts';
import type { DateMemo } from './ports.ts';
import { inTurn, type FilesInTurn, type OpenFile } from './files.ts';
import { scoreOf } from '../recognise/score.ts';

/** The input of a conversion. */
export interface ConvertSource {
  /** The export, or the file of its users. */
  readonly file: string;
  /** Further files of the same users' table, which are read after it in this order. */
  readonly more?: readonly string[] | undefined;
  /** Paths by the names of further tables. */
  readonly related: Readonly<Record<string, string>>;
  readonly provider: Provider;
  readonly options: ConvertOptions;
  /** The tenant of users that name none; undefined: `public`. */
  readonly tenant: string | undefined;
  /** Added before every external id. */
  readonly idPrefix?: string | undefined;
  readonly reading?: Reading | undefined;
  /** An incomplete input is converted. Left out: conversion ends with IncompleteInput. */
  readonly isPartial?: boolean | undefined;
  /** Stores the orders of ambiguous dates. Left out: each conversion determines them itself. */
  readonly dates?: DateMemo | undefined;
  /** Dates whose order cannot be determined are counted as unparsable. Left out: conversion ends with AmbiguousDates. */
  readonly countsAmbiguousDates?: boolean | undefined;
}

/** Most of many files are small: these are read at once, larger ones in pieces of fewer bytes than for one file. */
const ofMany = { wholeBytes: 512 * 1024, chunkBytes: 64 * 1024 };

/** A table that is being converted. */
export interface SourceTable extends FilesInTurn {
  readonly name: string;
  readonly files: readonly string[];
  /** For a table in one of many files: the bytes of this table. */
  readonly bytes?: number | undefined;
}

export interface OpenSource {
  readonly users: SourceTable;
  readonly related: readonly SourceTable[];
  /** Names of the related tables whose rows may refer to a user by another id. */
  readonly namingOtherIds: readonly string[];
  readonly rules: ConvertRules;
}

/**
 * Finds and opens every table, and has the provider read its options. Of several files the first is opened now, the others in
 * turn.
 * @throws ExportFault
 */
export async function openSource(source: ConvertSource, signal: AbortSignal): Promise<OpenSource> {
  const { provider, file, more = [] } = source;
  const [users, ...others] = provider.tables;
  if (users === undefined) throw new Error(`${provider.name} has no tables`);
  checkNames(source);
  if (provider.fields !== undefined && source.reading?.names !== undefined)
    requireFields(provider.name, provider.fields, source.reading.names);
  const findUsers = (each: string): Promise<FoundTable> =>
    findTable(each, users, source.reading, (sample) => scoreOf(provider, sample));
  const found = await findUsers(file);
  const required = { signal, isRequired: true };
  const opened = await opening(found, users, required);
  const small = { ...required, ...ofMany };
  // They may be far beyond the first bytes of a file.
  const holdsOthers = others.some((table) => inMainFile(found, users, table) !== undefined);
  const later = more.map((each) => async () => {
    if (holdsOthers || isOfDump(found.sample)) return opening(await findUsers(each), users, small);
    const { found: alike, opened: table } = await openAlike(found, each, users, small);
    return formOf(alike, table, users);
  });
  const related = [];
  for (const table of others) {
    const first = await openRelated({ table, users, found, findUsers, source }, signal);
    if (first !== undefined) related.push(first);
  }
  const preambles = [opened, ...related.map(({ first }) => first)].map(({ preamble }) => preamble);
  const lookups = await readLookups(provider, found, signal);
  const said = textsBeside(found, users);
  const options = Object.assign({}, ...preambles, lookups, said, source.options) as ConvertOptions;
  preparePerson(options);
  return {
    users: {
      name: users.name,
      files: [file, ...more],
      ...inTurn(opened, later),
      bytes: bytesOf(found, more),
    },
    related: related.map(({ table }) => table),
    namingOtherIds: others.filter(({ namesOtherId }) => namesOtherId).map(({ name }) => name),
    rules: {
      provider: provider.name,
      options: provider.prepare?.(options) ?? options,
      tenant: source.tenant,
      idPrefix: source.idPrefix,
      mappedColumns: source.reading?.names && usedUp(source.reading.names),
    },
  };
}

/** Columns that a map reads under another name. One that keeps its own, as in `email=email`, is read as the field it is. */
function usedUp(names: Names): readonly string[] {
  return columnsIn(names).filter((column) => !Object.hasOwn(names, column));
}

interface RelatedTable {
  readonly table: Table;
  readonly users: Table;
  /** The users in the first file. */
  readonly found: FoundTable;
  /** The same in a further file. */
  readonly findUsers: (file: string) => Promise<FoundTable>;
  readonly source: ConvertSource;
}

/** A further table: in a separate file, or in each of the users' files. undefined if it is in neither. */
async function openRelated(
  { table, users, found, findUsers, source }: RelatedTable,
  signal: AbortSignal,
): Promise<{ table: SourceTable; first: OpenFile } | undefined> {
  const { name } = table;
  const path = source.related[name];
  if (path !== undefined) {
    const own = await findTable(path, table, { encoding: source.reading?.encoding });
    const first = await opening(own, table, { signal, isRequired: true });
    return { table: { name, files: [path], ...inTurn(first, []) }, first };
  }
  const place = inMainFile(found, users, table);
  if (place === undefined && isOfDump(found.sample) && table.places.length === 0)
    throw tableMissing(source.file, table.sqlNames?.[0] ?? name);
  if (place === undefined) return undefined;
  const within = { signal, isRequired: false };
  const first = await opening(place, table, within);
  const { more = [] } = source;
  const later = more.map((each) => async () => {
    const further = inMainFile(await findUsers(each), users, table);
    return further && opening(further, table, within);
  });
  const files = [source.file, ...more];
  return { table: { name, files, ...inTurn(first, later), bytes: bytesOf(place, more) }, first };
}

/** Fields next to the lists of the first file that the records' conversion needs. */
function textsBeside({ sample }: FoundTable, { beside = [] }: Table): ConvertOptions {
  const { list, said = {} } = sample;
  const found = beside.map((name) => {
    const own = said[name] === undefined ? [] : [said[name]];
    return [besideOption(name), JSON.stringify(list?.texts[name] ?? own)] as const;
  });
  return Object.fromEntries(found);
}

/** Unknown for several files before they are opened. */
function bytesOf({ sample }: FoundTable, more: readonly string[]): number | undefined {
  return more.length === 0 ? sample.dump?.table.bytes : undefined;
}

function checkNames({ provider, related }: ConvertSource): void {
  const names = provider.tables.slice(1).map(({ name }) => name);
  const unknown = Object.keys(related).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new ExportFault(`${provider.title} has no table ${unknown}`);
}

async function opening(
  found: FoundTable,
  table: Table,
  options: Parameters<typeof openTable>[1],
): Promise<OpenFile> {
  return formOf(found, await openTable(found, options), table);
}

/** An open table with the form of its records. @throws ExportFault for --map of missing columns */
function formOf(
  found: FoundTable,
  { columns, preamble, batches, ending }: OpenTable,
  table: Table,
): OpenFile {
  const { file, reading } = found;
  const { names } = reading;
  if (names !== undefined && columns !== undefined) requireColumns(file, columns, names);
  if (names !== undefined && columns === undefined) requireAnyColumn(file, found.sample.first, names);
  const form = { columns, names, list: listFormOf(found, table) };
  const checked = names === undefined ? batches : checkedByNames(file, { batches, form, names });
  return { file, form, preamble, batches: checked, ending };
}

/** Names of ids, in the order in which the key of a record is tried as one of them. */
const idNames = ['id', '_id', 'user_id', 'userId', 'uid', 'localId', 'externalUserId', 'Username', 'sub'];

/** undefined for records in a place that the table declares. */
function listFormOf({ sample: { list, first } }: FoundTable, { idOf }: Table): FoundForm | undefined {
  if (list === undefined) return undefined;
  const { within, key } = list;
  if (key === undefined || idOf(first) !== undefined) return { within };
  const keyAs = idNames.find((name) => idOf({ [name]: key, ...first }) === key);
  return { within, keyAs: keyAs ?? idNames[0] };
}

/**
 * The place of a further table in the main file, if it may be there: under a separate key, or among the users, distinguished by
 * `holds`. Whether it really is there shows when the file is read.
 */
function inMainFile(users: FoundTable, usersTable: Table, table: Table): FoundTable | undefined {
  const { place, sample } = users;
  // `--map` applies to users.
  const reading = { encoding: users.reading.encoding };
  if (isOfDump(sample)) {
    const beside = relatedInDump(sample, usersTable, table);
    return beside && foundInDump(users.file, beside, { table, reading });
  }
  if (place.format === 'csv') return undefined;
  const isSame = (each: Place) => each.format === place.format && keyOf(each) === keyOf(place);
  if (sample.list !== undefined) return besideList(users, sample.list, table);
  const shared = table.holds && table.places.find(isSame);
  if (shared !== undefined) return { ...users, reading, place: shared };
  if (keyOf(place) === undefined || sample.root === 'array') return undefined;
  const { root } = sample;
  // A key beyond the sample is assumed to have the spelling of the users' one.
  const own =
    table.places.find((each) => !isSame(each) && root.includes(keyOf(each) ?? '')) ??
    table.places[usersTable.places.indexOf(place)];
  return own === undefined || keyOf(own) === undefined ? undefined : { ...users, reading, place: own };
}

/** A further table in the document in which the users were found: in their list, or under a key next to it. */
function besideList(users: FoundTable, list: SampledList, table: Table): FoundTable | undefined {
  const reading = { encoding: users.reading.encoding };
  if (table.holds !== undefined) return { ...users, reading };
  const { sample } = users;
  const place = table.places.find(
    (each) => each.format === 'json' && each.path.length === 1 && sample.root.includes(each.path[0] ?? ''),
  );
  if (place?.format !== 'json') return undefined;
  const steps = [...list.steps.slice(0, -2), ...listUnder(place.path).steps];
  return { ...users, reading, place, sample: { ...sample, list: { ...list, steps, within: undefined } } };
}

/** The first key on the path to the table in a JSON document. */
function keyOf(place: Place): string | undefined {
  return place.format === 'json' ? place.path[0] : undefined;
}

/** The missing parts of the tables of a source, once all of their batches were read. A file with two tables is named once. */
export function missingFromTables({ users, related }: OpenSource): readonly Incomplete[] {
  const all = [users, ...related].flatMap(({ endings }) => missingFrom(endings));
  return [...new Map(all.map((each) => [`${each.file}\n${each.message}`, each])).values()];
}
