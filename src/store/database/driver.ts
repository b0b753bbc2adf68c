import postgres from 'postgres';
import { session, withoutUndefined } from './connection/settings.ts';
import type { UriTarget } from './connection/uri.ts';

export type ConnectionTarget =
  | UriTarget
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password?: string | undefined;
      readonly database: string;
    };

type Sql = postgres.Sql<{ bigint: number }>;
export type Transaction = postgres.TransactionSql<{ bigint: number }>;

const connectTimeoutS = 5;
/** Between attempts to connect: short, because a request waits for it. */
const reconnectDelayS = 0.2;
/** For an idle connection to take leave. The driver waits for what a lost one has failed, too (postgres.js 3.4.9). */
const farewellS = 1;

/**
 * One connection to PostgreSQL, opened by its first statement and again after it was lost. A driver of its own each,
 * because the driver cannot end one of several (postgres.js 3.4.9).
 */
export class Connection {
  readonly #target: ConnectionTarget;
  #sql: Sql;
  #isClosed = false;

  constructor(target: ConnectionTarget) {
    this.#target = target;
    this.#sql = connect(target);
  }

  get sql(): Sql {
    return this.#sql;
  }

  /** Ends a connection that does not answer, whatever is under way on it; the next statement opens another. */
  abandon(): void {
    const lost = this.#sql;
    if (!this.#isClosed) this.#sql = connect(this.#target);
    lost.end({ timeout: 0 }).catch(() => undefined);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#sql.end({ timeout: farewellS });
  }
}

function connect(target: ConnectionTarget): Sql {
  const settings = {
    max: 1,
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

/** True for an error that the server sent, as opposed to one of the connection. */
export function isOfServer(error: unknown): error is postgres.PostgresError {
  return error instanceof postgres.PostgresError;
}

interface Cancellable {
  readonly state: object | null;
  readonly canceller: ((query: unknown) => Promise<void>) | null;
}

/**
 * Asks the server to stop a statement, so that it gives back its locks. Nobody waits for that, and a server that cannot be
 * reached is no fault: the driver's own `cancel()` would end the process over it (postgres.js 3.4.9).
 */
export function cancel(query: object): void {
  const { state, canceller } = query as Cancellable;
  if (state) canceller?.(query).catch(() => undefined);
}
