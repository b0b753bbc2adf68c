/** The rows of one table of a dump, as records. */

import { ExportFault } from '../../providers/provider.ts';
import type { Ending } from '../ending.ts';
import type { Input } from '../input.ts';
import { BatchBuilder, type RawBatch } from '../raw.ts';
import { keyOf, type DumpTable } from './catalogue.ts';
import type { RowsHead } from './heads.ts';
import { DumpScanner } from './scanner.ts';
import type { DumpSink } from './sink.ts';
import type { SqlDialect } from './sql-dialect.ts';

export interface DumpPlace {
  readonly dialect: SqlDialect;
  readonly table: DumpTable;
  /** In the order of the cells of each record. */
  readonly columns: readonly string[];
  /** Notes that the dump ends early; left out: that is refused. */
  readonly ending?: Ending | undefined;
}

/** A row is an array of its cells, null for an absent one; a text that states the fault if it is unreadable. */
export async function* readDumpRows(input: Input, place: DumpPlace): AsyncGenerator<RawBatch> {
  const builder = new BatchBuilder();
  const scanner = new DumpScanner(place.dialect, new RowSink(place, builder));
  for await (const chunk of input.chunks) {
    scanner.push(chunk);
    yield* builder.take(input.bytesRead());
    // After the last row there may be gigabytes of other tables.
    if (scanner.offset >= place.table.end) break;
  }
  if (scanner.offset < place.table.end) noteCut(scanner.end(), place.ending);
  yield* builder.take(input.bytesRead(), true);
}

/** @throws ExportFault without an Ending */
function noteCut(fault: string | undefined, ending: Ending | undefined): void {
  if (fault === undefined) return;
  if (ending === undefined) throw new ExportFault(fault);
  ending.note('ENDS_EARLY', fault);
}

class RowSink implements DumpSink {
  readonly #place: DumpPlace;
  readonly #key: string;
  readonly #builder: BatchBuilder;
  /** By the column: its index among the values of this statement, -1 for a missing one. Undefined: the same order. */
  #places: readonly number[] | undefined;
  #values = 0;

  constructor(place: DumpPlace, builder: BatchBuilder) {
    this.#place = place;
    this.#key = keyOf(place.table);
    this.#builder = builder;
  }

  readonly create = (): void => undefined;
  readonly end = (): void => undefined;

  readonly begin = ({ table, columns: named }: RowsHead): boolean => {
    if (keyOf(table) !== this.#key) return false;
    const { columns, table: own } = this.#place;
    const inStatement = named ?? own.created ?? columns;
    const isSame =
      inStatement.length === columns.length && inStatement.every((name, at) => name === columns[at]);
    this.#places = isSame ? undefined : columns.map((name) => inStatement.indexOf(name));
    this.#values = inStatement.length;
    return true;
  };

  readonly row = (row: Parameters<DumpSink['row']>[0]): boolean => {
    this.#builder.add(Buffer.from(JSON.stringify('fault' in row ? row.fault : this.#inOrder(row))));
    this.#builder.end();
    return true;
  };

  #inOrder(row: readonly (string | null)[]): readonly (string | null)[] | string {
    if (row.length !== this.#values) return `the row has ${row.length} values for ${this.#values} columns`;
    return this.#places?.map((place) => row[place] ?? null) ?? row;
  }
}
