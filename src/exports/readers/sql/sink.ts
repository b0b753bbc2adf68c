import type { RowsHead, TableName } from './heads.ts';
import type { Cells } from './row-reader.ts';

/** Receives the content of a dump, in its order. */
export interface DumpSink {
  readonly create: (table: TableName, columns: readonly string[]) => void;
  /** Rows of a table follow. @returns whether they are wanted: others are skipped */
  readonly begin: (head: RowsHead) => boolean;
  /** A row, or its fault. @returns whether more are wanted */
  readonly row: (row: Cells | { readonly fault: string }) => boolean;
  /** The statement of these rows has ended, at this byte of the dump. */
  readonly end: (offset: number, bytes: number) => void;
}
