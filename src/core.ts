import { setTimeout as delay } from 'node:timers/promises';
import { ApiKeys } from './api-keys.ts';
import type { Config } from './config.ts';
import { Refusal } from './errors.ts';
import { routes } from './http/routes.ts';
import { createServer, type Server } from './http/server.ts';
import { UserIds } from './ids.ts';
import type { Logger } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createOperations } from './operations/operations.ts';
import { createPasswordPool, type PasswordPool } from './pool.ts';
import { StartupError } from './startup-error.ts';
import { removeExpiredTokens } from './store/expired-tokens.ts';
import { type ConnectionTarget, type Database, openDatabase } from './store/database.ts';
import { migrate } from './store/migrate.ts';
import { createStore, type Store } from './store/store.ts';
import { Sweeper } from './sweeper.ts';

export interface CoreOptions {
  readonly config: Config;
  readonly target: ConnectionTarget;
  readonly apiKeys: readonly string[];
  readonly version: string;
  readonly log: Logger;
  /** For tests and benchmarks. */
  readonly overrides?: {
    readonly workerFile?: URL;
    readonly now?: () => number;
    readonly maxBatch?: number;
  };
}

export interface Core {
  readonly host: string;
  readonly port: number;
  /** Whether it can serve: true when the database answers with this version's tables, false when closed before that. */
  readonly ready: Promise<boolean>;
  /** Refuses what is new, finishes what is accepted, and closes everything in reverse order. May be called again. */
  close(): Promise<void>;
}

/** Items in one statement at the most: larger batches gain nothing measurable and lengthen each other's wait. */
const maxBatch = 512;
/**
 * New users that must wait before a lane opens beside a busy one: with 64 clients that is one lane with twice the batch,
 * at the rate of three lanes and a tenth less work of the core (bench import-http).
 */
const importLaneAt = 64;
/** Of each kind of look-up and change: one under way, one gathered behind it. */
const liveLanes = 2;
/** Expired tokens do no harm but take room. */
const sweepIntervalMs = 3_600_000;
/** Items of one kind that may wait: about a second's worth at the rate measured, a few MB. */
const maxBacklog = 16_384;

/**
 * Builds the core in order and listens. Until the database answers, `/health` says not ready and everything else that
 * needs it is refused with 503.
 * @throws StartupError when the address is taken
 */
export async function startCore(options: CoreOptions): Promise<Core> {
  const { config, log, target } = options;
  const metrics = createMetrics();
  const { importLanes, connectionPoolSize } = config;
  const imports = openDatabase({ target, poolSize: importLanes, planned: 'once' });
  const database = openDatabase({ target, poolSize: connectionPoolSize - importLanes });
  const batchSize = options.overrides?.maxBatch ?? maxBatch;
  const store = createStore(database, config.defaults, {
    imports,
    importLanes,
    importLaneAt,
    liveLanes,
    maxBatch: batchSize,
    maxBacklog,
    observe: (name, size, seconds) => {
      metrics.batch(name, size, seconds);
    },
  });
  const pool = startPool(options, metrics);
  const readiness = new Readiness();
  const now = options.overrides?.now ?? Date.now;
  const sweeper = new Sweeper({
    sweep: () => removeExpiredTokens(database, now()),
    log,
    intervalMs: sweepIntervalMs,
  });
  const server = buildServer({ options, metrics, database, store, pool, readiness });
  watch(metrics, store, pool);

  const closeInReverse = async (): Promise<void> => {
    readiness.stop();
    await server.close();
    await store.drain();
    await sweeper.stop();
    await pool.close();
    await Promise.all([imports, database].map((each) => each.close(config.shutdownTimeoutMs)));
  };
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeInReverse());
  try {
    const { port } = await server.listen(config.host, config.port);
    const ready = readiness.reach(database, log).then((canServe) => {
      if (canServe) sweeper.start();
      return canServe;
    });
    return { host: config.host, port, ready, close };
  } catch (error) {
    await close();
    throw new StartupError(`${messageOf(error)}: set another 'port' or 'host'`, { cause: error });
  }
}

function startPool({ config, log, overrides }: CoreOptions, metrics: Metrics): PasswordPool {
  return createPasswordPool({
    threads: config.hashingThreads,
    memoryBudgetBytes: config.hashingMemoryBudgetBytes,
    queueLimit: config.hashingQueueLimit,
    policy: config.hashPolicy,
    onTask: (kind, seconds) => {
      metrics.poolTask(kind, seconds);
    },
    onThreadError: (error) => {
      log.error({ err: error }, 'a worker thread died and was replaced');
    },
    ...(overrides?.workerFile && { workerFile: overrides.workerFile }),
  });
}

interface Parts {
  readonly options: CoreOptions;
  readonly metrics: Metrics;
  readonly database: Database;
  readonly store: Store;
  readonly pool: PasswordPool;
  readonly readiness: Readiness;
}

function buildServer({ options, metrics, database, store, pool, readiness }: Parts): Server {
  const ids = new UserIds();
  const operations = createOperations({
    stores: store,
    hasher: pool,
    now: options.overrides?.now ?? Date.now,
    newUserId: (timeJoined) => ids.next(timeJoined),
    onImport: (kind, result) => {
      metrics.imported(kind, result === 'created' ? 'new' : 'replaced');
    },
  });
  return createServer({
    routes: routes(operations, {
      version: options.version,
      probe: async () => readiness.reached && (await database.answers()),
      metricsText: () => metrics.text(),
      uptimeSeconds: () => process.uptime(),
    }),
    apiKeys: new ApiKeys(options.apiKeys),
    tenants: {
      find: (appId, tenantId) => {
        if (!readiness.reached) throw new Refusal('DATABASE_UNAVAILABLE');
        return store.tenants.find(appId, tenantId);
      },
    },
    metrics,
    log: options.log,
    maxBodyBytes: options.config.maxBodyBytes,
  });
}

function watch(metrics: Metrics, store: Store, pool: PasswordPool): void {
  for (const { name } of store.backlogs()) {
    metrics.watchBacklog(name, () => store.backlogs().find((each) => each.name === name)?.backlog ?? 0);
  }
  metrics.watchHashingPool(() => {
    const { running, waiting, bytesInFlight, threads } = pool.gauges;
    return { running, waiting, bytes: bytesInFlight, threads };
  });
}

const firstRetryMs = 250;
const maxRetryMs = 5000;

/** Whether the database was reached and its tables are this core's. Once true it stays so: losses are told per request. */
class Readiness {
  #reached = false;
  readonly #stopped = new AbortController();

  get reached(): boolean {
    return this.#reached;
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** Tries until the database answers or `stop`. @returns whether it answered @throws what no retry can mend */
  async reach(database: Database, log: Logger): Promise<boolean> {
    for (
      let waitMs = firstRetryMs;
      !this.#stopped.signal.aborted;
      waitMs = Math.min(waitMs * 2, maxRetryMs)
    ) {
      try {
        const applied = await migrate(database);
        if (applied.length > 0) log.info({ versions: applied }, 'the database was brought to this version');
        this.#reached = true;
        return true;
      } catch (error) {
        if (!isOutOfReach(error)) throw unusable(error);
        log.warn(
          { reason: messageOf(error.cause ?? error), retryInMs: waitMs },
          'the database cannot be reached yet',
        );
        await delay(waitMs, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
      }
    }
    return false;
  }
}

function isOutOfReach(error: unknown): error is Refusal {
  return (
    error instanceof Refusal && (error.code === 'DATABASE_UNAVAILABLE' || error.code === 'OUTCOME_UNKNOWN')
  );
}

/** A wrong password or a missing right: one line, for whoever wrote the connection URI. */
function unusable(error: unknown): Error {
  if (error instanceof StartupError) return error;
  return new StartupError(
    `The database refuses this core: ${messageOf(error)}. Check 'postgresql_connection_uri' and the rights of its user`,
    { cause: error },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
