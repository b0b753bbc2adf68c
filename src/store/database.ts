import postgres from 'postgres';
import { Refusal } from '../errors.ts';
import { explained, failureOf } from './sqlstate.ts';

/** A cell or an array literal (see columns.ts). */
export type Parameter = string | number | boolean | null;

/** Runs one statement. Rows have the columns' names; bigint arrives as a number (every one of ours fits). */
export type Query = <Row extends object>(text: string, parameters?: readonly Parameter[]) => Promise<Row[]>;

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
  transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;
  /** Whether a trivial statement succeeds now. Never rejects. */
  answers(): Promise<boolean>;
  /** Lets statements under way finish, `timeoutMs` at the most, then closes every connection. */
  close(timeoutMs: number): Promise<void>;
}

export type ConnectionTarget =
  | { readonly uri: string }
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
  /** Statements outside of batches that may wait for a connection at the same time. Default 1024. */
  readonly maxOutstanding?: number;
  /** A statement without an answer after this time has an unknown outcome. Default 60,000. */
  readonly statementTimeoutMs?: number;
}

/** Where the tables live, so that a shared database's own `users` is left alone. */
export const schemaName = 'carryover';

/**
 * Every statement here is a look-up by index on tables that may grow from nothing to millions of rows within one
 * connection's life. Planning once and never by a scan keeps a plan that was made on empty tables a good one.
 */
const session = {
  search_path: schemaName,
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  application_name: 'carryover',
} as const;

const connectTimeoutS = 5;
/** Between attempts to connect: short, because a request waits for it. */
const reconnectDelayS = 0.2;

/** Opens no connection by itself: the first statement does. */
export function openDatabase(options: DatabaseOptions): Database {
  const sql = connect(options);
  const enter = gate(options.maxOutstanding ?? 1024);
  const timeoutMs = options.statementTimeoutMs ?? 60_000;
  const runner =
    (writes: boolean): Query =>
    <Row extends object>(text: string, parameters: readonly Parameter[] = []) =>
      enter(writes, () => withDeadline(statement<Row>(sql, text, parameters), timeoutMs));
  const read = runner(false);
  return {
    read,
    write: runner(true),
    transaction: (work) => enter(true, () => repeatedTransaction(sql, work)),
    answers: () =>
      read('select 1').then(
        () => true,
        () => false,
      ),
    close: (timeoutMs) => sql.end({ timeout: timeoutMs / 1000 }),
  };
}

/** The driver's own queue has no bound: this one has. And whoever is turned away by the database learns why. */
function gate(maxOutstanding: number) {
  let outstanding = 0;
  return async <Result>(writes: boolean, work: () => Promise<Result>): Promise<Result> => {
    if (outstanding >= maxOutstanding) throw new Refusal('OVERLOADED');
    outstanding++;
    try {
      return await work();
    } catch (error) {
      throw explained(error, writes);
    } finally {
      outstanding--;
    }
  };
}

function connect({ target, poolSize }: DatabaseOptions): postgres.Sql<{ bigint: number }> {
  const settings = {
    max: poolSize,
    max_pipeline: 1, // the least that the driver can do: a statement behind a slow one would wait with it
    connect_timeout: connectTimeoutS,
    backoff: () => reconnectDelayS,
    connection: session,
    onnotice: () => undefined,
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  };
  return 'uri' in target
    ? postgres(target.uri, settings)
    : postgres({ ...settings, ...withoutUndefined(target) });
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(value).filter(([, v]) => v !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}

function statement<Row extends object>(
  sql: postgres.ISql<{ bigint: number }>,
  text: string,
  parameters: readonly Parameter[],
): postgres.PendingQuery<Row[]> {
  return sql.unsafe<Row[]>(text, [...parameters], { prepare: true });
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

async function repeatedTransaction<Result>(
  sql: postgres.Sql<{ bigint: number }>,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await sql.begin((tx) =>
        work(async (text, parameters = []) => statement(tx, text, parameters)),
      );
      return result as Result;
    } catch (error) {
      if (failureOf(error) !== 'conflict' || attempt === maxAttempts) throw error;
    }
  }
}
