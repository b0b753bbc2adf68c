/** Samples of files, shared by the readers and the search for a table. */

import type { Sample, SourceRow } from '../providers/provider.ts';
import type { CsvDialect } from './dialect.ts';
import type { Step } from './list-path.ts';
import type { InDump } from './sql/catalogue.ts';

/** A list that was found in a document. */
export interface SampledList {
  readonly steps: readonly Step[];
  /** For an object by keys: that of the sample's first record. */
  readonly key: string | undefined;
  /** The field of an element that contains the record, such as `node` in the edges of GraphQL. */
  readonly within: string | undefined;
  /** Texts of the objects around such a list, by their keys. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
}

/** A sample, with everything that reading the file in its form needs. */
export interface FileSample extends Sample {
  readonly dialect?: CsvDialect;
  /** csv: the cells of its first row, whatever they are. */
  readonly firstCells?: readonly string[];
  /** json: the document is phpMyAdmin's, whose table is inside an element of its array. */
  readonly isEnveloped?: boolean;
  /** json: the position of the first record, if the list was found by the document's content. */
  readonly list?: SampledList;
  /** csv: the rows are those of a table in a dump. */
  readonly dump?: InDump;
}

export function sampleOf(format: Sample['format'], rest: Partial<FileSample>): FileSample {
  return { format, columns: [], root: [], first: {}, ...rest };
}

/** A row as an object. */
export function rowByNames(names: readonly string[], cells: readonly string[]): SourceRow {
  return Object.fromEntries(names.map((name, place) => [name, cells[place] ?? '']));
}
