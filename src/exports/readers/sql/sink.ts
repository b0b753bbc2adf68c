import type { RowsHead, TableName } from './heads.ts';
import type { Cells } from './row-reader.ts';

/** What is found in a dump, in its order. */
export interface DumpSink {
  readonly create: (table: TableName, columns: readonly string[]) => void;
  /** Rows of a table follow. @returns whether they are wanted: others are passed over unread */
  readonly begin: (head: RowsHead) => boolean;
  /** A row, or what is wrong with it. @returns whether more are wanted */
  readonly row: (row: Cells | { readonly fault: string }) => boolean;
  /** The statement whose rows these were has ended, at this byte of the dump. */
  readonly end: (offset: number, bytes: number) => void;
}
