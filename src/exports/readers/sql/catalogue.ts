/** The tables of a dump, found in one pass over it. */

import { ExportFault } from '../../providers/provider.ts';
import type { Input } from '../input.ts';
import { DumpTrailer } from './dump-end.ts';
import type { IncompleteCode } from '../ending.ts';
import type { RowsHead, TableName } from './heads.ts';
import type { Cells } from './row-reader.ts';
import { DumpScanner } from './scanner.ts';
import type { DumpSink } from './sink.ts';
import type { SqlDialect } from './sql-dialect.ts';

export interface DumpTable extends TableName {
  /** From CREATE TABLE and the statements with rows; undefined if none of them names columns. */
  readonly columns: readonly string[] | undefined;
  /** From CREATE TABLE: those of statements that name none. */
  readonly created: readonly string[] | undefined;
  /** Of the first row, in the order of `columns`; undefined for a table without rows. */
  readonly firstCells: readonly string[] | undefined;
  /** Of the statements with rows. */
  readonly bytes: number;
  /** After the last of them. */
  readonly end: number;
}

export interface Catalogue {
  readonly dialect: SqlDialect;
  readonly tables: readonly DumpTable[];
  /** Why the dump is incomplete, if it is. */
  readonly incomplete?: { readonly code: IncompleteCode; readonly message: string } | undefined;
}

/** A table of a dump, with all the others. */
export interface InDump {
  readonly catalogue: Catalogue;
  readonly table: DumpTable;
}

/** More tables than any system has: a larger file was made to exhaust the memory. */
const tablesLimit = 100_000;

/** Reads a dump from its start to its end. Memory: names and first rows. */
export async function catalogueOf({ chunks }: Input, dialect: SqlDialect): Promise<Catalogue> {
  const finder = new TableFinder();
  const scanner = new DumpScanner(dialect, finder);
  const trailer = new DumpTrailer();
  for await (const chunk of chunks) {
    scanner.push(chunk);
    trailer.push(chunk);
  }
  const cut = scanner.end();
  if (cut !== undefined) finder.cut();
  return { dialect, tables: finder.tables, incomplete: incompleteBy(cut, trailer.missing) };
}

function incompleteBy(cut: string | undefined, missing: string | undefined): Catalogue['incomplete'] {
  if (cut !== undefined) return { code: 'ENDS_EARLY', message: cut };
  return missing === undefined ? undefined : { code: 'NO_TRAILER', message: missing };
}

interface Found {
  readonly table: TableName;
  created?: readonly string[];
  /** Named by statements with rows. */
  readonly named: Set<string>;
  first?: { readonly columns: readonly string[] | undefined; readonly cells: Cells };
  bytes: number;
  end: number;
}

class TableFinder implements DumpSink {
  readonly #found = new Map<string, Found>();
  #under: Found | undefined;
  /** Whether the statement of its rows has not ended. */
  #isOpen = false;
  #columns: readonly string[] | undefined;

  get tables(): readonly DumpTable[] {
    return Array.from(this.#found.values(), tableOf);
  }

  readonly create = (table: TableName, columns: readonly string[]): void => {
    this.#of(table).created = columns;
  };

  readonly begin = ({ table, columns }: RowsHead): boolean => {
    this.#under = this.#of(table);
    this.#isOpen = true;
    this.#columns = columns ?? this.#under.created;
    for (const name of columns ?? []) this.#under.named.add(name);
    return this.#under.first === undefined;
  };

  readonly row = (row: Parameters<DumpSink['row']>[0]): boolean => {
    if (this.#under === undefined || 'fault' in row) return true;
    this.#under.first = { columns: this.#columns, cells: row };
    return false;
  };

  readonly end = (offset: number, bytes: number): void => {
    if (this.#under === undefined) return;
    this.#under.end = offset;
    this.#under.bytes += bytes;
    this.#isOpen = false;
  };

  /** The dump has ended early: rows of the current table reach to its end. */
  cut(): void {
    if (this.#under !== undefined && this.#isOpen) this.#under.end = Infinity;
  }

  #of(table: TableName): Found {
    const key = keyOf(table);
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    if (this.#found.size >= tablesLimit) throw new ExportFault('the dump has more than 100,000 tables');
    const found = { table, named: new Set<string>(), bytes: 0, end: 0 };
    this.#found.set(key, found);
    return found;
  }
}

/** Two tables of one name may be in two schemas. */
export function keyOf({ schema = '', name }: TableName): string {
  return JSON.stringify([schema, name]);
}

function tableOf({ table, created, named, first, bytes, end }: Found): DumpTable {
  const all = [...new Set([...(created ?? []), ...named])];
  const columns = all.length > 0 ? all : undefined;
  const firstCells = first && inOrder(first, columns);
  return { ...table, columns, created, firstCells, bytes, end };
}

function inOrder(
  { columns: own, cells }: NonNullable<Found['first']>,
  columns: readonly string[] | undefined,
) {
  const places = columns?.map((name) => own?.indexOf(name) ?? -1) ?? cells.keys();
  return Array.from(places, (place) => cells[place] ?? '');
}
