import type { SourceRow } from '../../providers/provider.ts';
import type { EngineName } from '../../providers/database.ts';

/** A column as the database's catalogue has it. */
export interface CatalogColumn {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  /** Whether its values are whole numbers. */
  readonly isInteger: boolean;
  /** The server's word for its type: `timestamp with time zone`, `datetime`. */
  readonly type: string;
  /** Whether the server compares its texts without regard to case. */
  readonly ignoresCase: boolean;
}

/** A cell of the key, as text. */
export type Key = string;

export interface Statement {
  readonly text: string;
  readonly parameters: readonly (string | bigint | number)[];
}

/** A row, with its key and its approximate memory. */
export interface KeyedRow {
  readonly key: Key;
  readonly row: SourceRow;
  readonly bytes: number;
}

/** The two servers' spellings of the statements. */
export interface Dialect {
  readonly quote: (name: string) => string;
  /** @param place from 1 */
  readonly parameter: (place: number) => string;
  /** A moment, as `rows` gave it, this many seconds before, as a value of a column's type. @param parameter of the statement */
  readonly before: (parameter: string, type: string, seconds: number) => string;
  /** The server's time this many seconds ahead, as a value of a column's type. */
  readonly ahead: (type: string, seconds: number) => string;
  /** An object with the keys of another one, as JSON in a parameter, in place of its own. @param column quoted */
  readonly merged: (column: string, parameter: string) => string;
  /** A text of a JSON document. @param column quoted @param key of the document, plain letters */
  readonly inside: (column: string, key: string) => string;
  /** Turns a statement whose rows have the column `_key` into one for the engine's `rows`. */
  readonly keyed: (statement: string) => string;
}

/** A connection that may change rows. Its statements are in no transaction but those that `transaction` makes. */
export interface WritingEngine extends Engine {
  /** @throws RowRefused for a row that breaks a rule of its table */
  change(statement: Statement): Promise<void>;
}

/** A connection whose statements are a transaction each. Faults have the server's error as their cause. */
export interface Session {
  /** @param limitMs for the statement; 0: without a limit @throws SourceFault */
  rows<Row extends object>(statement: Statement, limitMs: number): Promise<Row[]>;
  /** A statement that returns no rows. @throws SourceFault */
  run(text: string, limitMs: number): Promise<void>;
  /** The texts of a column `text`, in portions: a result of any size takes little memory here. @throws SourceFault */
  eachText(statement: Statement, take: (text: string) => void): Promise<void>;
  /** Ends the connection, whatever it is doing. */
  close(): Promise<void>;
}

/** One read-only transaction that sees the database as it was at its beginning. */
export interface Engine {
  readonly name: EngineName;
  readonly dialect: Dialect;
  /** The default schema; undefined: the source's. */
  readonly schema: string | undefined;
  /** Columns of every table of one of these names, in whichever schema. */
  columns(tables: readonly string[]): Promise<CatalogColumn[]>;
  rows(statement: Statement): Promise<KeyedRow[]>;
  /** Ends the connection, whatever it is doing. */
  close(): Promise<void>;
}
