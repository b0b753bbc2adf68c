/** Names for the columns of CSV files that have no header row. */

import { ExportFault } from '../providers/provider.ts';
import type { Place, Table } from '../providers/provider.ts';
import type { Reading } from './reading.ts';
import { rowByNames, type FileSample } from './sample-of.ts';

type CsvPlace = Extract<Place, { readonly format: 'csv' }>;

interface FoundCsv {
  readonly file: string;
  readonly place: Place;
  readonly sample: FileSample;
  readonly reading: Reading;
}

/**
 * The columns of a file without a header row: those given, or else the system's own. undefined if a header row or the place names
 * them.
 * @throws ExportFault if they are unknown
 */
export function columnsOf({ file, place, sample, reading }: FoundCsv, table: Table): Columns | undefined {
  if (place.format !== 'csv') {
    if (reading.columns === undefined) return undefined;
    throw new ExportFault(`${file} is JSON, whose fields have names: --columns is for CSV, leave it out`);
  }
  const { firstCells = [], dump } = sample;
  if (dump?.table.columns !== undefined) {
    refuseColumns(file, reading);
    return undefined;
  }
  if (reading.columns !== undefined) return fitting(file, reading.columns, firstCells);
  if (place.columns !== undefined) return asWide(file, place, firstCells);
  const isHeaderless = dump !== undefined || holdsValues(firstCells);
  if (!isHeaderless) return undefined;
  const own = ownOrder(firstCells, table);
  if (own !== undefined) return own;
  if (dump !== undefined)
    throw new ExportFault(
      `${file} does not say how the ${firstCells.length} columns of ${dump.table.name} are called: name them with --columns, or make the dump with its CREATE TABLE`,
    );
  throw new ExportFault(
    `${file}: its first row holds values and no names of columns: name its ${firstCells.length} columns with --columns, such as --columns id,email,password, or export it with a header row`,
  );
}

type Columns = readonly string[];

/** The columns of a place, as many as the first row has. @throws ExportFault if the export never writes that number */
function asWide(file: string, { columns = [], widths }: CsvPlace, cells: readonly string[]): Columns {
  if (widths === undefined || widths.includes(cells.length)) return columns.slice(0, cells.length);
  throw new ExportFault(
    `${file}: its first row has ${cells.length} cells, and the export writes ${widths.join(', ')}: is there a comma or a line break in a value? Export it as JSON`,
  );
}

function refuseColumns(file: string, { columns }: Reading): void {
  if (columns !== undefined)
    throw new ExportFault(`${file} is a dump that names its columns: leave --columns out`);
}

function fitting(file: string, columns: Columns, cells: readonly string[]): Columns {
  if (columns.length !== cells.length)
    throw new ExportFault(
      `--columns names ${columns.length} columns, and the first row of ${file} has ${cells.length}: name each, in their order`,
    );
  const isHeader = cells.every((cell, place) => cell.trim() === columns[place]);
  if (isHeader) throw new ExportFault(`${file} has these columns as its header row: leave --columns out`);
  return columns;
}

/** The sample with the columns of the system's own table; undefined if it names its columns, or they do not fit. */
export function namedSample(sample: FileSample, table: Table): FileSample | undefined {
  const { firstCells = [], columns } = sample;
  if (!holdsValues(columns)) return undefined;
  const own = ownOrder(firstCells, table);
  return own && { ...sample, columns: own, first: rowByNames(own, firstCells) };
}

const email = /^[^\s@]+@[^\s@]+$/;

/** No column's name is an email, but a table of users has one in nearly every row. */
function holdsValues(cells: readonly string[]): boolean {
  return cells.some((cell) => email.test(cell.trim()));
}

/** The order with the same number of columns, whose email is where one is in the row. */
function ownOrder(cells: readonly string[], { orders = [] }: Table): Columns | undefined {
  return orders.find(
    (order) =>
      order.length === cells.length &&
      order.some((name, place) => /^(user_)?email$/i.test(name) && email.test(cells[place]?.trim() ?? '')),
  );
}
