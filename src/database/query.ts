import type { CopyInput } from './transfer/copy-in.ts';
import type { TakePiece } from './transfer/copy-out.ts';

/** A cell or an array literal (see columns.ts). */
export type Parameter = string | number | boolean | null;

/**
 * `once`: planned on each connection when the statement is first sent there. Planning takes several times as long as running, but
 * connection/settings.ts defines which plans may be cached.
 */
export type Planned = 'once' | 'each-time';

/**
 * Runs one statement. Rows have the columns' names; bigint becomes a number (all of ours fit).
 * @param planned default: the database's
 */
export type Query = <Row extends object>(
  text: string,
  parameters?: readonly Parameter[],
  planned?: Planned,
) => Promise<Row[]>;

/**
 * Runs `copy … from stdin` with this input; resolves when its rows are there. Rejects as a statement does or, if the driver lost
 * the error, with that of a later statement: see isAborted of sqlstate.ts.
 */
export type Copy = (text: string, input: CopyInput) => Promise<void>;

/** Runs `copy … to stdout` and passes on its output; resolves when the last piece was taken. */
export type CopyOut = (text: string, take: TakePiece) => Promise<void>;

/** A part of a transaction that is rolled back alone if `work` rejects. Without it a failing statement aborts the transaction. */
export type Savepoint = <Result>(work: SavepointWork<Result>) => Promise<Result>;

export type SavepointWork<Result> = (query: Query, copy: Copy, copyOut: CopyOut) => Promise<Result>;
