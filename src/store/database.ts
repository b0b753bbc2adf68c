import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { session, withoutUndefined } from './connection-settings.ts';
import type { UriTarget } from './connection-uri.ts';
import { noPause, type Pause, sendInPieces } from './copy-stream.ts';
import { openGate, type Watcher } from './gate.ts';
import { failureOf } from './sqlstate.ts';

/** A cell or an array literal (see columns.ts). */
export type Parameter = string | number | boolean | null;

/**
 * `once` on each connection, when the statement is first sent there, or `each-time` that it is. Planning takes several
 * times as long as running, but connection-settings.ts says what a plan must be like to be kept.
 */
export type Planned = 'once' | 'each-time';

/**
 * Runs one statement. Rows have the columns' names; bigint arrives as a number (every one of ours fits).
 * @param planned as the database's other statements, unless told
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
export type Copy = (text: string, bytes: Uint8Array) => Promise<void>;

/**
 * A part of a transaction that can be taken back by itself: when `work` rejects, and the transaction goes on. Only a
 * statement that fails inside of one leaves the rest whole.
 */
export type Savepoint = <Result>(work: (query: Query, copy: Copy) => Promise<Result>) => Promise<Result>;

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
  transaction<Result>(work: (query: Query, savepoint: Savepoint) => Promise<Result>): Promise<Result>;
  /** Whether a trivial statement succeeds now. Never rejects. */
  answers(): Promise<boolean>;
  /** Lets statements under way finish, `timeoutMs` at the most, then closes every connection. */
  close(timeoutMs: number): Promise<void>;
}

export type ConnectionTarget =
  | UriTarget
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password?: string | undefined;
      readonly database: string;
    };

export interface DatabaseOptions {
  readonly target: ConnectionTarget;
  readonly poolSize: number;
  /** For statements that do not say it themselves. Default `each-time`. */
  readonly planned?: Planned;
  /** Statements outside of batches that may wait for a connection at the same time. Default 1024. */
  readonly maxOutstanding?: number;
  /** A statement without an answer after this time has an unknown outcome. Default 60,000. */
  readonly statementTimeoutMs?: number;
  /** What each COPY waits for between its pieces: made anew for each. Default: nothing. */
  readonly newPause?: () => Pause;
  /** Told how each statement outside of a transaction, and each transaction, fares. */
  readonly watcher?: Watcher;
}

const connectTimeoutS = 5;
/** Between attempts to connect: short, because a request waits for it. */
const reconnectDelayS = 0.2;
/** For idle connections to take leave. The driver waits for what a lost one has failed, too (postgres.js 3.4.9). */
const farewellS = 1;

/** Opens no connection by itself: the first statement does. */
export function openDatabase(options: DatabaseOptions): Database {
  const sql = connect(options);
  const gate = openGate(options.maxOutstanding ?? 1024, options.watcher);
  const timeoutMs = options.statementTimeoutMs ?? 60_000;
  const usually = options.planned ?? 'each-time';
  const newPause = options.newPause ?? (() => noPause);
  const runner =
    (writes: boolean): Query =>
    <Row extends object>(text: string, parameters: readonly Parameter[] = [], planned = usually) =>
      gate.enter(writes, () => repeatedUnlessSent<Row>(sql, { text, parameters, planned }, timeoutMs));
  const read = runner(false);
  return {
    read,
    write: runner(true),
    transaction: (work) => gate.enter(true, () => repeatedTransaction(sql, { usually, newPause }, work)),
    answers: () =>
      read('select 1').then(
        () => true,
        () => false,
      ),
    async close(timeoutMs) {
      const isOver = new AbortController();
      const { signal } = isOver;
      await Promise.race([gate.idle(), delay(timeoutMs, undefined, { signal }).catch(() => undefined)]);
      isOver.abort();
      await sql.end({ timeout: farewellS });
    },
  };
}

function connect({ target, poolSize }: DatabaseOptions): postgres.Sql<{ bigint: number }> {
  const settings = {
    max: poolSize,
    connect_timeout: connectTimeoutS,
    backoff: () => reconnectDelayS,
    // A URI may have a name of its own.
    connection: { application_name: 'carryover', ...session },
    onnotice: () => undefined,
    // It would ask for the types of arrays on each new connection, and a connection that is lost meanwhile rejects that
    // query for nobody to hear, which ends the process (postgres.js 3.4.9). Ours give arrays as JSON, and take literals.
    fetch_types: false,
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  };
  if (!('uri' in target)) return postgres({ ...settings, ...withoutUndefined(target) });
  const { uri, ...rest } = target;
  return postgres(uri, { ...settings, ...withoutUndefined(rest) });
}

interface Statement {
  readonly text: string;
  readonly parameters: readonly Parameter[];
  readonly planned: Planned;
}

/** One statement on a connection at a time: the driver would send the next one after it, to wait behind a slow one. */
const alone = { onexecute: () => false } as const;

/** To the driver, a statement that is prepared has a name, and any other one is parsed and planned as it comes. */
const sending = {
  once: { ...alone, prepare: true },
  'each-time': { ...alone, prepare: false },
} as const;

/**
 * postgres.js 3.4.9 hands the error of a connection that the server ended (57P01) to the next statement on that
 * connection, too, which was never sent: that one is told apart by the arguments that the error carries.
 */
async function repeatedUnlessSent<Row extends object>(
  sql: postgres.Sql<{ bigint: number }>,
  { text, parameters, planned }: Statement,
  timeoutMs: number,
): Promise<Row[]> {
  for (let attempt = 1; ; attempt++) {
    const args = [...parameters];
    try {
      return await withDeadline(sql.unsafe<Row[]>(text, args, sending[planned]), timeoutMs);
    } catch (error) {
      const ofAnother = error instanceof postgres.PostgresError && 'args' in error && error.args !== args;
      if (!ofAnother || attempt === maxAttempts) throw error;
    }
  }
}

async function withDeadline<Result>(query: postgres.PendingQuery<Result[] & object[]>, timeoutMs: number) {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    query.cancel();
    reject(
      Object.assign(new Error(`no answer from the database within ${timeoutMs} ms`), { code: 'ETIMEDOUT' }),
    );
  }, timeoutMs);
  try {
    return await Promise.race([query, expired]);
  } finally {
    clearTimeout(timer);
  }
}

const maxAttempts = 5;

/** What a connection's transactions do where their work says nothing else. */
interface Habits {
  readonly usually: Planned;
  readonly newPause: () => Pause;
}

async function repeatedTransaction<Result>(
  sql: postgres.Sql<{ bigint: number }>,
  habits: Habits,
  work: (query: Query, savepoint: Savepoint) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const span = new Span(habits);
    try {
      return (await sql.begin((tx) => span.run(tx, work))) as Result;
    } catch (error) {
      span.end();
      const failure = failureOf(error);
      const repeatable = failure === 'conflict' || (failure === 'unknown' && !span.isBegun);
      if (!repeatable || attempt === maxAttempts) throw error;
    }
  }
}

/**
 * One attempt at a transaction: until begin → `isBegun`; until the driver rejects → over.
 *
 * The driver learns by itself that the connection is lost and rejects `begin`, while the work may go on, or wait for
 * something else than a statement. Whatever it did then, a statement or the ROLLBACK that a rejection is answered with,
 * would be written to a connection that is gone, and end the process (postgres.js 3.4.9). So nothing of it settles
 * any more.
 */
class Span {
  isBegun = false;
  #isOver = false;
  readonly #habits: Habits;

  constructor(habits: Habits) {
    this.#habits = habits;
  }

  run<Result>(
    tx: Transaction,
    work: (query: Query, savepoint: Savepoint) => Promise<Result>,
  ): Promise<Result> {
    this.isBegun = true;
    const savepoint: Savepoint = async (part) =>
      (await this.#whileOn(() =>
        tx.savepoint((sp) => this.#whileOn(() => part(this.#queryOf(sp), this.#copyOf(sp)))),
      )) as Awaited<ReturnType<typeof part>>;
    return this.#whileOn(() => work(this.#queryOf(tx), savepoint));
  }

  end(): void {
    this.#isOver = true;
  }

  #queryOf(tx: Transaction): Query {
    return (text, parameters = [], planned = this.#habits.usually) =>
      this.#whileOn(() => inTransaction(tx, { text, parameters, planned }));
  }

  #copyOf(tx: Transaction): Copy {
    return (text, bytes) =>
      this.#whileOn(() =>
        copyInTransaction(tx, text, (into) => sendInPieces(into, bytes, this.#habits.newPause())),
      );
  }

  async #whileOn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isOver) return new Promise(() => undefined);
    return work().catch((error: unknown) => {
      if (this.#isOver) return new Promise<never>(() => undefined);
      throw error;
    });
  }
}

type Transaction = postgres.TransactionSql<{ bigint: number }>;

/**
 * postgres.js 3.4.9 tells nobody when a COPY fails after its last byte, which is when most do. The transaction has failed
 * then, and whatever is asked next is refused.
 */
async function copyInTransaction(tx: Transaction, text: string, send: (into: Writable) => Promise<void>) {
  await unlessLost(async () => {
    await send(await tx.unsafe(text).writable());
  });
  await inTransaction(tx, { text: 'select 1', parameters: [], planned: 'once' });
}

async function inTransaction<Row extends object>(
  tx: Transaction,
  { text, parameters, planned }: Statement,
): Promise<Row[]> {
  return unlessLost(() => tx.unsafe<Row[]>(text, [...parameters], sending[planned]));
}

/**
 * Never settles when the connection is lost: `begin` learns of that by itself, but to a rejection it would answer with
 * a ROLLBACK on the connection that is gone, and that ends the process (postgres.js 3.4.9).
 */
async function unlessLost<Result>(work: () => PromiseLike<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (failureOf(error) !== 'unknown' || error instanceof postgres.PostgresError) throw error;
    return new Promise(() => undefined);
  }
}
