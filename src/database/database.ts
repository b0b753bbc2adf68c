import { setTimeout as delay } from 'node:timers/promises';
import { AnswerDeadline, type Suspicion } from './answer-deadline.ts';
import { ConnectionPool } from './connection/pool.ts';
import { noPause, type Pause } from './transfer/copy-in.ts';
import { cancel, type Connection, connectionsTo, type ConnectionTarget, withoutHoles } from './driver.ts';
import { openGate, type Watcher } from './gate.ts';
import { LifeSigns } from './life-signs.ts';
import type { Parameter, Planned, Query, Savepoint } from './query.ts';
import { type Habits, repeatedTransaction, sending, type Statement } from './transaction.ts';

export type { ConnectionTarget } from './driver.ts';
export type { Copy, Parameter, Planned, Query, Savepoint } from './query.ts';

/**
 * The only access to PostgreSQL. If it is unreachable, statements reject with the refusal DATABASE_UNAVAILABLE or, for a change
 * that may have been made, OUTCOME_UNKNOWN; otherwise with the driver's errors: see sqlstate.ts.
 */
export interface Database {
  readonly read: Query;
  /** A statement that changes something, all or nothing. */
  readonly write: Query;
  /** All or nothing. Repeated after a deadlock or lost serialization, so `work` must have no other effects. */
  transaction<Result>(
    work: (query: Query, savepoint: Savepoint) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /** Whether a trivial statement succeeds now. Never rejects. */
  answers(): Promise<boolean>;
  /**
   * Whether a trivial statement succeeds on an idle connection or, if all are busy, no connection was found dead since the last
   * answer. Never rejects; true for a database that is only busy.
   */
  serves(): Promise<boolean>;
  /** Waits for running statements, `timeoutMs` at most, then closes every connection. */
  close(timeoutMs: number): Promise<void>;
}

export interface TransactionOptions {
  readonly statementTimeoutMs?: number;
}

export interface DatabaseOptions {
  readonly target: ConnectionTarget;
  readonly poolSize: number;
  /** Default for statements. Default `each-time`. */
  readonly planned?: Planned;
  /** Waiting statements outside of batches. Default 1024. */
  readonly maxOutstanding?: number;
  /** After this time without an answer a statement's outcome is unknown and its connection is closed. Default 60,000. */
  readonly statementTimeoutMs?: number;
  /**
   * After this time without an answer the connection is examined: if it is dead, its statement ends and idle connections are
   * reopened. Not for connections that COPY to the server: see LifeSigns. Default: never.
   */
  readonly suspiciousAfterMs?: number | undefined;
  /** Maximum wait for a connection; then nothing is sent. Default: `statementTimeoutMs`. */
  readonly waitLimitMs?: number;
  /** Makes the pause that a COPY awaits between its pieces. Default: none. */
  readonly newPause?: () => Pause;
  /** Notified of the outcome of each transaction and each statement outside of one. */
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
          .lend(waitLimitMs, (connection) => answered<Row>(connection, { text, parameters, planned }, habits))
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
    // The others are likely dead for the same reason.
    for (const idle of pool.idle) idle.abandon();
    return true;
  };
  return {
    /** Whether one was found dead since the last answer. */
    isCut: () => isCut,
    answered: () => {
      isCut = false;
    },
    suspicionOf: (connection: Connection, underWay: () => Iterable<object>): Suspicion | undefined =>
      afterMs === undefined
        ? undefined
        : {
            afterMs,
            isLost: () => {
              for (const query of underWay()) connection.noteServer(query);
              return isLost(connection);
            },
          },
  };
}

async function answered<Row extends object>(
  connection: Connection,
  { text, parameters, planned }: Statement,
  { timeoutMs, suspicionOf }: Habits,
): Promise<Row[]> {
  const sql = await connection.open();
  const query = sql.unsafe<Row[]>(text, [...parameters], sending[planned]);
  const onExpired = () => {
    cancel(query);
    connection.abandon();
    return 'unknown' as const;
  };
  const suspicion = suspicionOf(connection, () => [query]);
  const deadline = new AnswerDeadline(timeoutMs, onExpired, suspicion);
  try {
    deadline.begin();
    const rows = await deadline.during(query);
    connection.noteServer(query);
    return withoutHoles(rows);
  } finally {
    deadline.stop();
  }
}
