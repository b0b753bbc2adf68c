import { setTimeout as delay } from 'node:timers/promises';
import { AnswerDeadline, type Suspicion } from './answer-deadline.ts';
import { ConnectionPool } from './connection/pool.ts';
import { noPause, type Pause } from './transfer/copy-in.ts';
import { cancel, type Connection, connectionsTo, type ConnectionTarget, isOfServer } from './driver.ts';
import { openGate, type Watcher } from './gate.ts';
import { LifeSigns } from './life-signs.ts';
import type { Parameter, Planned, Query, Savepoint } from './query.ts';
import { type Habits, maxAttempts, repeatedTransaction, sending, type Statement } from './transaction.ts';

export type { ConnectionTarget } from './driver.ts';
export type { Copy, Parameter, Planned, Query, Savepoint } from './query.ts';

/**
 * The one door to PostgreSQL. When it is out of reach, statements reject with the refusals DATABASE_UNAVAILABLE or, for
 * a change that may have been made, OUTCOME_UNKNOWN; otherwise with the driver's errors: see sqlstate.ts.
 */
export interface Database {
  /** A statement that changes nothing. */
  readonly read: Query;
  /** A statement that changes something: all of it or nothing. */
  readonly write: Query;
  /** All or nothing. A deadlock or lost serialization is repeated, so `work` must have no other effects. */
  transaction<Result>(
    work: (query: Query, savepoint: Savepoint) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /** Whether a trivial statement succeeds now. Never rejects. */
  answers(): Promise<boolean>;
  /**
   * Whether it serves: a trivial statement on a connection that is idle, if any is. Where all are at work, none of them was
   * found dead since the last answer. Never rejects, and is true of a database that is only busy.
   */
  serves(): Promise<boolean>;
  /** Lets statements under way finish, `timeoutMs` at most, then closes every connection. */
  close(timeoutMs: number): Promise<void>;
}

export interface TransactionOptions {
  /** For a transaction whose statements may take longer than others. */
  readonly statementTimeoutMs?: number;
}

export interface DatabaseOptions {
  readonly target: ConnectionTarget;
  readonly poolSize: number;
  /** For statements that do not say it themselves. Default `each-time`. */
  readonly planned?: Planned;
  /** Statements outside of batches that may wait for a connection at the same time. Default 1024. */
  readonly maxOutstanding?: number;
  /**
   * A statement without an answer after this time, alone or in a transaction, has an unknown outcome, and its connection
   * is ended. Default 60,000.
   */
  readonly statementTimeoutMs?: number;
  /**
   * After so long without an answer the connection is looked into: if it is dead, its statement ends, and those that are
   * idle are opened again. Default: never.
   */
  readonly suspiciousAfterMs?: number | undefined;
  /** What waits so long for a connection is not sent. Default: as `statementTimeoutMs`. */
  readonly waitLimitMs?: number;
  /** What each COPY waits for between its pieces: made again for each. Default: nothing. */
  readonly newPause?: () => Pause;
  /** Notified of the outcome of each statement outside of a transaction, and of each transaction. */
  readonly watcher?: Watcher;
}

/** Opens no connection: the first statement does. */
export function openDatabase(options: DatabaseOptions): Database {
  const connections = connectionsTo(options.target, options.poolSize);
  const pool = new ConnectionPool(connections);
  const gate = openGate(options.maxOutstanding ?? 1024, options.watcher);
  const timeoutMs = options.statementTimeoutMs ?? 60_000;
  const waitLimitMs = options.waitLimitMs ?? timeoutMs;
  const usually = options.planned ?? 'each-time';
  const watch = watchOver(pool, options);
  const habits: Habits = {
    usually,
    newPause: options.newPause ?? (() => noPause),
    timeoutMs,
    suspicionOf: watch.suspicionOf,
  };
  const runner =
    (writes: boolean): Query =>
    <Row extends object>(text: string, parameters: readonly Parameter[] = [], planned = usually) =>
      gate.enter(writes, () =>
        pool
          .lend(waitLimitMs, (connection) =>
            repeatedUnlessSent<Row>(connection, { text, parameters, planned }, habits),
          )
          .then((rows) => {
            watch.answered();
            return rows;
          }),
      );
  const read = runner(false);
  const answers = (): Promise<boolean> =>
    read('select 1').then(
      () => true,
      () => false,
    );
  return {
    read,
    write: runner(true),
    transaction: (work, { statementTimeoutMs = timeoutMs } = {}) =>
      gate.enter(true, () =>
        pool.lend(waitLimitMs, (connection) =>
          repeatedTransaction(connection, { ...habits, timeoutMs: statementTimeoutMs }, work),
        ),
      ),
    answers,
    serves: async () => {
      if (pool.idle.length === 0) return !watch.isCut();
      return answers();
    },
    async close(timeoutMs) {
      const isOver = new AbortController();
      const { signal } = isOver;
      await Promise.race([gate.idle(), delay(timeoutMs, undefined, { signal }).catch(() => undefined)]);
      isOver.abort();
      await Promise.all(connections.map((connection) => connection.close(timeoutMs === 0 ? 0 : undefined)));
    },
  };
}

/** Looks into connections without an answer: see `suspiciousAfterMs`. */
function watchOver(
  pool: Pick<ConnectionPool<Connection>, 'idle'>,
  { target, suspiciousAfterMs: afterMs }: Pick<DatabaseOptions, 'target' | 'suspiciousAfterMs'>,
) {
  const signs = new LifeSigns(target);
  let isCut = false;
  const isLost = async (connection: Connection): Promise<boolean> => {
    const isDead = await signs.isDead(connection);
    if (!isDead) return false;
    isCut = true;
    // What one has met, the others will meet.
    for (const idle of pool.idle) idle.abandon();
    return true;
  };
  return {
    /** Whether one was found dead since the last answer. */
    isCut: () => isCut,
    answered: () => {
      isCut = false;
    },
    suspicionOf: (connection: Connection): Suspicion | undefined =>
      afterMs === undefined ? undefined : { afterMs, isLost: () => isLost(connection) },
  };
}

/**
 * postgres.js 3.4.9 hands the error of a connection that the server ended (57P01) to the next statement on that
 * connection, too, which was never sent: that case is recognised by the arguments that the error carries.
 */
async function repeatedUnlessSent<Row extends object>(
  connection: Connection,
  { text, parameters, planned }: Statement,
  habits: Habits,
): Promise<Row[]> {
  for (let attempt = 1; ; attempt++) {
    const args = [...parameters];
    try {
      return await answered<Row>(connection, { text, parameters: args, planned }, habits);
    } catch (error) {
      const ofAnother = isOfServer(error) && 'args' in error && error.args !== args;
      if (!ofAnother || attempt === maxAttempts) throw error;
    }
  }
}

/** @param statement whose parameters the driver keeps as they are */
async function answered<Row extends object>(
  connection: Connection,
  { text, parameters, planned }: { text: string; parameters: Parameter[]; planned: Planned },
  { timeoutMs, suspicionOf }: Habits,
): Promise<Row[]> {
  const sql = await connection.open();
  const query = sql.unsafe<Row[]>(text, parameters, sending[planned]);
  const onExpired = () => {
    cancel(query);
    connection.abandon();
    return 'unknown' as const;
  };
  const deadline = new AnswerDeadline(timeoutMs, onExpired, suspicionOf(connection));
  try {
    deadline.begin();
    return await deadline.during(query);
  } finally {
    connection.noteServer(query);
    deadline.stop();
  }
}
