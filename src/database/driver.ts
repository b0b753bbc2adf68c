import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { session, withoutUndefined } from './connection/settings.ts';
import { ServerFinder, type ServerState } from './connection/finder.ts';
import { socketsTo } from './connection/sockets.ts';
import type { Server, UriTarget } from './connection/uri.ts';
import { failureOf } from './sqlstate.ts';

export type ConnectionTarget =
  | UriTarget
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password?: string | undefined;
      readonly database: string;
    };

interface Endpoint {
  readonly of: Omit<UriTarget, 'servers' | 'kind'>;
  readonly server: Server;
}

type Sql = postgres.Sql<{ bigint: number }>;
export type Transaction = postgres.TransactionSql<{ bigint: number }>;

const usualConnectTimeoutS = 5;
/** TCP keepalive, so that no firewall drops an idle connection. */
const keepAliveS = 10;
/** From a loss, or a failed attempt, to the next attempt to connect: short, because a request waits for it. */
const reconnectDelayMs = 200;
/** For an idle connection to close. The driver waits for lost ones, too (postgres.js 3.4.9). */
const closeTimeoutS = 1;

/**
 * One connection to PostgreSQL, opened by its first statement; after a loss the next statement opens another. Each has its own driver,
 * because the driver cannot close one of several, and carries over what a lost one had: its statement and the server's last error,
 * which it gives to the next statement or tries to connect for ever, and bytes that were not sent yet (postgres.js 3.4.9).
 */
export class Connection {
  readonly #find: () => Endpoint | Promise<Endpoint>;
  #sql: Sql | undefined;
  #isClosed = false;
  #lostMs = -Infinity;
  /** The driver's record of the server's process; the same object while that lives. */
  #server: { readonly pid: number | null } | undefined;

  /** @param find returns the endpoint whenever there is no connection */
  constructor(find: () => Endpoint | Promise<Endpoint>) {
    this.#find = find;
  }

  /** @throws Error with a code that sqlstate.ts knows if no server was found */
  async open(): Promise<Sql> {
    if (this.#sql !== undefined) return this.#sql;
    const waitMs = this.#lostMs + reconnectDelayMs - performance.now();
    if (waitMs > 0) await delay(waitMs);
    const endpoint = await this.#find();
    if (this.#isClosed) throw Object.assign(new Error('closed meanwhile'), { code: 'CONNECTION_ENDED' });
    return (this.#sql ??= this.#connect(endpoint));
  }

  #connect(endpoint: Endpoint): Sql {
    const sql = connect(endpoint, () => {
      if (this.#sql !== sql) return;
      this.#lostMs = performance.now();
      this.#drop();
    });
    return sql;
  }

  /** Pid of the server's process, or of a pooler's; undefined before the first statement. */
  get serverPid(): number | undefined {
    return this.#server?.pid ?? undefined;
  }

  /** @param query that was sent on this connection */
  noteServer(query: object): void {
    const { state } = query as { readonly state: { readonly pid: number | null } | null };
    if (state !== null) this.#server = state;
  }

  /** Closes a connection that does not answer, with its statements; the next statement opens another. */
  abandon(): void {
    this.#drop(0);
  }

  /** @param timeoutS for what the driver has under way: a statement that came while it renewed an old connection. Default: unlimited */
  #drop(timeoutS?: number): void {
    const dropped = this.#sql;
    this.#sql = undefined;
    this.#server = undefined;
    dropped?.end(withoutUndefined({ timeout: timeoutS })).catch(() => undefined);
  }

  /** @param timeoutS for an orderly close; 0 closes at once */
  async close(timeoutS = closeTimeoutS): Promise<void> {
    this.#isClosed = true;
    await this.#sql?.end({ timeout: timeoutS });
  }
}

/** Connections to one target, which find its server together. The first statements open them. */
export function connectionsTo(target: ConnectionTarget, count: number): Connection[] {
  const find = finderOf(target);
  return Array.from({ length: count }, () => new Connection(find));
}

export interface SeenServer extends ServerState {
  readonly where: string;
  /** Which cluster it is a copy of; null if the role may not see that. */
  readonly cluster: string | null;
}

export interface UnseenServer {
  readonly where: string;
  readonly error: unknown;
}

/**
 * @param options `connectTimeoutS` instead of the address's, for all servers at the same time
 * @returns what each server of the address is, in order, or why it could not be asked
 */
export function lookAtEach(
  target: UriTarget,
  options: Pick<UriTarget, 'connectTimeoutS'> = {},
): Promise<(SeenServer | UnseenServer)[]> {
  const of = { ...target, ...options };
  return Promise.all(
    target.servers.map(async (server) => {
      const where = `${server.host}:${server.port}`;
      try {
        return { where, ...(await onOneConnection({ of, server }, look)) };
      } catch (error) {
        return { where, error };
      }
    }),
  );
}

async function look(sql: Sql): Promise<Omit<SeenServer, 'where'>> {
  const state = await rowOf<ServerState>(sql, stateText);
  const named = await rowOf<{ cluster: string }>(sql, clusterText).catch(() => undefined);
  return { ...state, cluster: named?.cluster ?? null };
}

function finderOf(target: ConnectionTarget): () => Endpoint | Promise<Endpoint> {
  if (!('servers' in target)) {
    const { user, password, database, ...server } = target;
    const own = { ...withoutUndefined({ user, password, database }), settings: {}, isDirect: false };
    return () => ({ of: own, server: { ...server, ssl: false } });
  }
  const [only] = target.servers;
  if (only !== undefined && target.servers.length === 1 && target.kind === 'any')
    return () => ({ of: target, server: only });
  const finder = new ServerFinder(target, (server) =>
    onOneConnection({ of: target, server }, (sql) => rowOf<ServerState>(sql, stateText)),
  );
  return async () => ({ of: target, server: await finder.find() });
}

const stateText = `
  select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only')::boolean as "isReadOnly"`;
const clusterText = 'select system_identifier::text as cluster from pg_control_system()';

async function onOneConnection<T>(endpoint: Endpoint, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect(endpoint);
  try {
    return await work(sql);
  } finally {
    sql.end({ timeout: 0 }).catch(() => undefined);
  }
}

async function rowOf<Row extends object>(sql: Sql, text: string): Promise<Row> {
  const [row] = await sql.unsafe<Row[]>(text);
  if (row === undefined) throw new Error('a query for one row returned none');
  return row;
}

function connect(endpoint: Endpoint, onclose?: () => void): Sql {
  return postgres({
    ...addressOf(endpoint),
    connect_timeout: endpoint.of.connectTimeoutS ?? usualConnectTimeoutS,
    keep_alive: keepAliveS,
    backoff: () => reconnectDelayMs / 1000,
    // A URI may set another name.
    connection: { application_name: 'carryover', ...endpoint.of.settings, ...session },
    ...(onclose && { onclose }),
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String }, boolean },
  });
}

/**
 * The driver serializes the parameters of a statement again when it repeats it after a change of a table (postgres.js 3.4.9), and its
 * own serializer makes false of the text of true.
 */
const boolean = {
  to: 16,
  from: [16],
  parse: (text: string) => text === 't',
  serialize: (value: boolean | string) => (value === true || value === 't' ? 't' : 'f'),
};

/** One connection to the first server of another database. */
export function openSql(
  target: UriTarget,
  options: postgres.Options<Record<string, postgres.PostgresType>>,
): postgres.Sql {
  const [server] = target.servers;
  if (server === undefined) throw new Error('a connection URI names a server');
  return postgres({ ...addressOf({ of: target, server }), ...options });
}

function addressOf({ of, server }: Endpoint) {
  const { user, password, database, isDirect } = of;
  const { host, port } = server;
  const path = host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : undefined;
  return {
    // As lists, which the driver's types lack: it cuts a text at a colon, as in IPv6 addresses.
    host: [host] as unknown as string,
    port: [port] as unknown as number,
    socket: socketsTo({ host, port, path }),
    ...withoutUndefined({ path, user, password, database }),
    ssl: server.ssl,
    ...(isDirect && { sslnegotiation: 'direct' as const }),
    max: 1,
    onnotice: () => undefined,
    // The driver would query array types on each new connection, and a connection lost meanwhile rejects that without a handler,
    // which ends the process (postgres.js 3.4.9). Our statements pass arrays as JSON or literals.
    fetch_types: false,
  };
}

/** True for an error from the server, false for one of the connection. */
export function isOfServer(error: unknown): error is postgres.PostgresError {
  return error instanceof postgres.PostgresError;
}

/**
 * Removes the holes that a result begins with if the statement before it on the connection failed after its first rows had arrived
 * (postgres.js 3.4.9, issues 1119 and 1181 of porsager/postgres).
 */
export function withoutHoles<Row extends object>(rows: Row[]): Row[] {
  return rows.length === 0 || 0 in rows ? rows : Object.values(rows);
}

/**
 * Never settles when the connection is lost: `begin` notices that, and the ROLLBACK after a rejection would end the process
 * (postgres.js 3.4.9).
 */
export async function unlessLost<Result>(work: () => PromiseLike<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (failureOf(error) !== 'unknown' || isOfServer(error)) throw error;
    return new Promise(() => undefined);
  }
}

interface Cancellable {
  readonly state: object | null;
  readonly canceller: ((query: unknown) => Promise<void>) | null;
}

/**
 * Asks the server to stop a statement and release its locks. An unreachable server is ignored: the driver's own `cancel()` would
 * end the process (postgres.js 3.4.9).
 */
export function cancel(query: object): void {
  void cancelled(query);
}

/** As `cancel`. Resolves when the server was asked. */
export async function cancelled(query: object): Promise<void> {
  const { state, canceller } = query as Cancellable;
  if (state) await canceller?.(query).catch(() => undefined);
}

/** As `cancelled`, of a COPY that is under way: the driver takes it for done since its stream began (postgres.js 3.4.9). */
export async function copyCancelled(query: object): Promise<void> {
  const { state, canceller } = query as Cancellable;
  if (state) await canceller?.({ state, active: true }).catch(() => undefined);
}
