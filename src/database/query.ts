/** What the store's files ask of a connection, or of a transaction. */
import type { CopyInput } from './transfer/copy-in.ts';
import type { TakePiece } from './transfer/copy-out.ts';

/** A cell or an array literal (see columns.ts). */
export type Parameter = string | number | boolean | null;

/**
 * `once` on each connection, when the statement is first sent there, or `each-time` that it is. Planning takes several
 * times as long as running, but connection-settings.ts says what a plan must be like to be kept.
 */
export type Planned = 'once' | 'each-time';

/**
 * Runs one statement. Rows have the columns' names; bigint arrives as a number (every one of ours fits).
 * @param planned as the database's other statements by default
 */
export type Query = <Row extends object>(
  text: string,
  parameters?: readonly Parameter[],
  planned?: Planned,
) => Promise<Row[]>;

/**
 * Runs `copy … from stdin` with these bytes as its input; resolves when its rows are there. Rejects as a statement does,
 * or, where the driver lost the error, with that of a statement behind it: see isAborted of sqlstate.ts.
 */
export type Copy = (text: string, input: CopyInput) => Promise<void>;

/** Runs `copy … to stdout` and hands over what it gives; resolves when the last piece was taken. */
export type CopyOut = (text: string, take: TakePiece) => Promise<void>;

/**
 * A part of a transaction that can be rolled back separately: when `work` rejects, and the transaction goes on. Only a
 * statement that fails inside of one leaves the rest whole.
 */
export type Savepoint = <Result>(work: SavepointWork<Result>) => Promise<Result>;

export type SavepointWork<Result> = (query: Query, copy: Copy, copyOut: CopyOut) => Promise<Result>;
