import { setMaxListeners } from 'node:events';
import { jsonOf } from './request/body.ts';
import type { AuditTrailPort } from './audit/act.ts';
import type { SenderPace } from './request/body-stream.ts';
import { Exchange } from './exchange.ts';
import type { Front } from './front.ts';
import { readHead } from './request/head.ts';
import type { FrontEnd, NativeServer } from './front-ends/native.ts';
import type { CoreKeys, Door, LargeBodies, Log, RequestMetrics, Tenants } from './ports.ts';
import { BodyMemory, StreamMemory } from './request/memory.ts';
import { type Route, routeTable } from './routing/route.ts';

export interface ServerOptions {
  readonly frontEnd: FrontEnd;
  /** Of the newest version of the driver interface, and for requests that name none. */
  readonly routes: readonly Route[];
  /** By version of the driver interface. Default: 5.4, with `routes`. */
  readonly routesByVersion?: ReadonlyMap<string, readonly Route[]>;
  readonly apiKeys: CoreKeys;
  /** Default true. */
  readonly requireApiKey?: boolean;
  /** For requests without a key. Default: none is authorised. */
  readonly door?: Door | undefined;
  readonly tenants: Tenants;
  /** Whether a stop was announced, see Front. Default: never. */
  readonly isStopping?: () => boolean;
  readonly log: Log;
  readonly maxBodyBytes: number;
  /** For bodies over 64 KiB; default: the event loop parses them. */
  readonly parseLargeBody?: LargeBodies;
  /** Memory for bodies over 64 KiB. Default 128 MiB. */
  readonly bodyMemoryBytes?: number | undefined;
  readonly metrics?: RequestMetrics;
  readonly audit?: AuditTrailPort;
  /** Minimum pace of a streamed body; a slower one is answered with 408. */
  readonly senderPace?: Partial<SenderPace> | undefined;
  /** Memory for streamed bytes without room yet. Default 64 MiB. */
  readonly streamMemoryBytes?: number | undefined;
  /** Memory for what one sender may send after a pause, if it exceeds the other limit: see StreamMemory. Default none. */
  readonly streamGulpBytes?: number | undefined;
  /** The request header with the end user's address, in lower case. */
  readonly clientAddressHeader?: string;
}

export interface Server {
  /** @param port 0: the system chooses @throws Error when the address is unavailable */
  listen(host: string, port: number): Promise<{ readonly port: number }>;
  /** Refuses new requests with 503, stops streams, waits for requests in flight, then closes idle connections. */
  close(): Promise<void>;
  /** Exchanges with a pending answer or operation. */
  readonly inFlight: number;
}

/** Prepares the table, its refusals and the validators. Does not listen yet. */
export function createServer(options: ServerOptions): Server {
  return new DrainingServer(options);
}

/**
 * Silence: longer than recovery from a lost packet or two, shorter than a dead sender may hold a job. Rate: one user a second;
 * slower senders hold one of few places.
 */
const senderPace: SenderPace = { silenceMs: 30_000, leastBytes: 16 * 1024, windowMs: 60_000 };
const streamMemoryBytes = 64 * 2 ** 20;
/** Two of the largest. */
const bodyMemoryBytes = 128 * 2 ** 20;
const unjudgedBodyMemoryBytes = 16 * 2 ** 20;
const parseHere: LargeBodies = (form, bytes) => {
  const { value, ...text } = jsonOf(bytes);
  return Promise.resolve(form.parse(value, text));
};
const unkept: AuditTrailPort = {
  begin: () => Promise.resolve({ end: () => Promise.resolve() }),
  keep: () => Promise.resolve(),
  count: () => undefined,
  countByHour: () => undefined,
};
const unmeasured: RequestMetrics = { request: () => ({ done: () => undefined }) };

/** Versions with the same routes share their table. */
function tablesOf(
  routes: readonly Route[],
  byVersion: ReadonlyMap<string, readonly Route[]> = new Map([['5.4', routes]]),
): Pick<Front, 'table' | 'versions'> {
  const lists = new Set([routes, ...byVersion.values()]);
  const tables = new Map([...lists].map((list) => [list, routeTable(list)]));
  const tableOf = (list: readonly Route[]) => tables.get(list) ?? routeTable(list);
  return {
    table: tableOf(routes),
    versions: new Map([...byVersion].map(([version, list]) => [version, tableOf(list)])),
  };
}

/**
 *   mode        ends by
 *   idle        listen → listening
 *   listening   close → draining: the port is closed, live connections get 503 and are closed
 *   draining    the last exchange ends → closed
 *   closed      -
 */
class DrainingServer implements Server {
  inFlight = 0;
  #mode: 'idle' | 'listening' | 'draining' | 'closed' = 'idle';
  readonly #native: NativeServer;
  readonly #drained = Promise.withResolvers<undefined>();
  readonly #shutdown = new AbortController();

  constructor(options: ServerOptions) {
    const {
      frontEnd,
      routes,
      routesByVersion,
      metrics = unmeasured,
      audit = unkept,
      clientAddressHeader,
      ...rest
    } = options;
    const { signal } = this.#shutdown;
    // Every stream listens.
    setMaxListeners(0, signal);
    const front: Front = {
      ...rest,
      requireApiKey: options.requireApiKey ?? true,
      isStopping: () => signal.aborted || options.isStopping?.() === true,
      senderPace: { ...senderPace, ...options.senderPace },
      streamMemory: new StreamMemory(options.streamMemoryBytes ?? streamMemoryBytes, options.streamGulpBytes),
      bodyMemory: new BodyMemory(options.bodyMemoryBytes ?? bodyMemoryBytes),
      unjudgedBodyMemory: new BodyMemory(unjudgedBodyMemoryBytes),
      parseLargeBody: options.parseLargeBody ?? parseHere,
      metrics,
      audit,
      ...tablesOf(routes, routesByVersion),
      shutdown: signal,
      ended: () => {
        this.#exchangeEnded();
      },
    };
    this.#native = frontEnd((response, request) => {
      this.inFlight++;
      new Exchange(front, response, readHead(request, clientAddressHeader)).begin();
    });
  }

  async listen(host: string, port: number): Promise<{ readonly port: number }> {
    if (this.#mode !== 'idle') throw new Error(`cannot listen: the server is ${this.#mode}`);
    const listening = await this.#native.listen(host, port);
    this.#mode = 'listening';
    return { port: listening };
  }

  async close(): Promise<void> {
    if (this.#mode === 'listening') {
      this.#mode = 'draining';
      this.#native.stopListening();
      this.#shutdown.abort();
      if (this.inFlight === 0) this.#finishDraining();
    } else if (this.#mode === 'idle') {
      this.#finishDraining();
    }
    await this.#drained.promise;
  }

  #exchangeEnded(): void {
    this.inFlight--;
    if (this.#mode === 'draining' && this.inFlight === 0) this.#finishDraining();
  }

  /** Not inside the native callback: the last answer is still being flushed. */
  #finishDraining(): void {
    setImmediate(() => {
      if (this.inFlight > 0 || this.#mode === 'closed') return;
      this.#mode = 'closed';
      this.#native.close();
      this.#drained.resolve(undefined);
    });
  }
}
