import postgres from 'postgres';
import { session, withoutUndefined } from './connection/settings.ts';
import { ServerFinder, type ServerState } from './connection/finder.ts';
import type { Server, UriTarget } from './connection/uri.ts';

export type ConnectionTarget =
  | UriTarget
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password?: string | undefined;
      readonly database: string;
    };

/** A server, and how it is talked to. */
interface Endpoint {
  readonly of: Omit<UriTarget, 'servers' | 'kind'>;
  readonly server: Server;
  /** Among several: once it is lost, another may be the one. */
  readonly isFound: boolean;
}

type Sql = postgres.Sql<{ bigint: number }>;
export type Transaction = postgres.TransactionSql<{ bigint: number }>;

const usualConnectTimeoutS = 5;
/** After so long without traffic the system looks whether the other end is there, so that no firewall forgets the connection. */
const keepAliveS = 10;
/** Between attempts to connect: short, because a request waits for it. */
const reconnectDelayS = 0.2;
/** For an idle connection to take leave. The driver waits for what a lost one has failed, too (postgres.js 3.4.9). */
const farewellS = 1;

/**
 * One connection to PostgreSQL, opened by its first statement and again after it was lost. A driver of its own each,
 * because the driver cannot end one of several (postgres.js 3.4.9).
 */
export class Connection {
  readonly #find: () => Endpoint | Promise<Endpoint>;
  #sql: Sql | undefined;
  #isClosed = false;
  /** The driver's note about the server's process, the same object for as long as it lives. */
  #server: { readonly pid: number | null } | undefined;

  /** @param find says where to, each time that there is no connection */
  constructor(find: () => Endpoint | Promise<Endpoint>) {
    this.#find = find;
  }

  /** For one statement or transaction. @throws Error with a code that sqlstate.ts knows where no server was found */
  async open(): Promise<Sql> {
    if (this.#sql !== undefined) return this.#sql;
    const endpoint = await this.#find();
    if (this.#isClosed) throw Object.assign(new Error('closed meanwhile'), { code: 'CONNECTION_ENDED' });
    return (this.#sql ??= this.#connect(endpoint));
  }

  #connect(endpoint: Endpoint): Sql {
    const sql = connect(endpoint, () => {
      if (endpoint.isFound && this.#sql === sql) this.abandon();
    });
    return sql;
  }

  /** Of the server's process that serves this connection, or of a pooler's; undefined before the first statement. */
  get serverPid(): number | undefined {
    return this.#server?.pid ?? undefined;
  }

  /** @param query that was sent on this connection */
  noteServer(query: object): void {
    const { state } = query as { readonly state: { readonly pid: number | null } | null };
    if (state !== null) this.#server = state;
  }

  /** Ends a connection that does not answer, whatever is under way on it; the next statement opens another. */
  abandon(): void {
    const lost = this.#sql;
    this.#sql = undefined;
    this.#server = undefined;
    lost?.end({ timeout: 0 }).catch(() => undefined);
  }

  /** @param timeoutS for it to take leave; 0 ends it at once */
  async close(timeoutS = farewellS): Promise<void> {
    this.#isClosed = true;
    await this.#sql?.end({ timeout: timeoutS });
  }
}

/** Connections to one target, which find its server together. They open nothing by themselves. */
export function connectionsTo(target: ConnectionTarget, count: number): Connection[] {
  const find = finderOf(target);
  return Array.from({ length: count }, () => new Connection(find));
}

function finderOf(target: ConnectionTarget): () => Endpoint | Promise<Endpoint> {
  if (!('servers' in target)) {
    const { user, password, database, ...server } = target;
    const own = { ...withoutUndefined({ user, password, database }), settings: {}, isDirect: false };
    return () => ({ of: own, server: { ...server, ssl: false }, isFound: false });
  }
  const [only] = target.servers;
  if (only !== undefined && target.servers.length === 1 && target.kind === 'any')
    return () => ({ of: target, server: only, isFound: false });
  const finder = new ServerFinder(target, (server) => lookAt({ of: target, server, isFound: false }));
  return async () => ({ of: target, server: await finder.find(), isFound: true });
}

async function lookAt(endpoint: Endpoint): Promise<ServerState> {
  const sql = connect(endpoint);
  try {
    const rows = await sql.unsafe<ServerState[]>(
      `select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only')::boolean as "isReadOnly"`,
    );
    return rows[0] ?? { isStandby: false, isReadOnly: false };
  } finally {
    sql.end({ timeout: 0 }).catch(() => undefined);
  }
}

function connect(endpoint: Endpoint, onclose?: () => void): Sql {
  return postgres({
    ...addressOf(endpoint),
    connect_timeout: endpoint.of.connectTimeoutS ?? usualConnectTimeoutS,
    keep_alive: keepAliveS,
    backoff: () => reconnectDelayS,
    // A URI may have a name of its own.
    connection: { application_name: 'carryover', ...endpoint.of.settings, ...session },
    ...(onclose && { onclose }),
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  });
}

/** One connection to the first server of a database that is not the core's. */
export function openSql(target: UriTarget, options: postgres.Options<Record<string, never>>): postgres.Sql {
  const [server] = target.servers;
  if (server === undefined) throw new Error('a connection URI names a server');
  return postgres({ ...addressOf({ of: target, server, isFound: false }), ...options });
}

function addressOf({ of, server }: Endpoint) {
  const { user, password, database, isDirect } = of;
  return {
    // As lists, which its types do not know: of a text the driver takes what stands before a colon, and an IPv6 address has some.
    host: [server.host] as unknown as string,
    port: [server.port] as unknown as number,
    ...(server.host.startsWith('/') && { path: `${server.host}/.s.PGSQL.${server.port}` }),
    ...withoutUndefined({ user, password, database }),
    ssl: server.ssl,
    ...(isDirect && { sslnegotiation: 'direct' as const }),
    max: 1,
    onnotice: () => undefined,
    // It would ask for the types of arrays on each new connection, and a connection that is lost meanwhile rejects that
    // query without a handler, which ends the process (postgres.js 3.4.9). Ours give arrays as JSON, and take literals.
    fetch_types: false,
  };
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
 * Asks the server to stop a statement, so that it gives back its locks. Nothing waits for that, and a server that cannot be
 * reached is no fault: the driver's own `cancel()` would end the process over it (postgres.js 3.4.9).
 */
export function cancel(query: object): void {
  const { state, canceller } = query as Cancellable;
  if (state) canceller?.(query).catch(() => undefined);
}
