import { ApiKeys } from '../process/api-keys.ts';
import type { Config } from '../config/load.ts';
import { tracesOfText } from '../imports/queue/traces.ts';
import { type Bulk, startBulk, streamMemoryOf } from './imports.ts';
import { type Hashes, startHashes } from './hashes.ts';
import { connectionShares, openConnections } from './connections.ts';
import type { Probe } from './probe.ts';
import { Readiness } from './readiness.ts';
import { Refusal } from '../domain/errors.ts';
import { loadFrontEnd } from '../http/front-ends/front-end.ts';
import type { FrontEnd } from '../http/front-ends/native.ts';
import { routes } from '../http/routing/routes.ts';
import { createServer, type Server } from '../http/server.ts';
import { letHeapsGrow } from '../process/heap-growth.ts';
import { UserIds } from '../domain/ids.ts';
import { type Logger, reasonOf } from '../process/log.ts';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import { createOperations } from '../operations/operations.ts';
import { createPasswordPool, type PasswordPool } from '../threads/password-pool.ts';
import { StartupError } from '../process/startup-error.ts';
import { removeExpiredTokens } from '../store/tokens/expired-tokens.ts';
import { removeSpentClaims } from '../store/imports/claims.ts';
import { purgeOld } from '../store/imports/purge.ts';
import { traceEntries } from '../store/imports/queue/traces.ts';
import type { ConnectionTarget, Database } from '../store/database/database.ts';
import { OutageLog } from '../store/database/outage-log.ts';
import { onePlace } from '../store/places/places.ts';
import { createStore, type Store } from '../store/store.ts';
import { guessTablesInMemory } from '../operations/sign-in/guess-tables.ts';
import { GuessThrottle } from '../operations/sign-in/throttle.ts';
import { Sweeper } from './sweeper.ts';

/** Not a Core's own: who ends the process may do so before there is one. */
export { threadsLoaded } from '../threads/piscina.ts';

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
    readonly statementTimeoutMs?: number;
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
  letHeapsGrow();
  const { config, log, target } = options;
  const frontEnd = await loadFrontEnd(config.frontEnd, log);
  const metrics = createMetrics();
  const pool = startPool(options, metrics);
  const someoneSignsIn = (): boolean => pool.gauges.running > 0;
  const readiness = new Readiness();
  const now = options.overrides?.now ?? Date.now;
  const { lanes, imports, database, probe, closeConnections } = openConnections({
    target,
    config,
    someoneSignsIn,
    outages: new OutageLog({ log, now, hasBegun: () => readiness.reached }),
    isReached: () => readiness.reached,
    statementTimeoutMs: options.overrides?.statementTimeoutMs,
  });
  const store = createStore(onePlace({ live: database, imports }), config.defaults, {
    importLanes: connectionShares(config).imports,
    importLaneAt,
    liveLanes,
    maxBatch: options.overrides?.maxBatch ?? maxBatch,
    maxBacklog,
    waitLimitMs: config.waitLimitMs,
    observe: metrics.batch.bind(metrics),
  });
  const hasher = pool;
  const bulk = startBulk({ config, database, lanes, hasher, someoneSignsIn, readiness, store, log, now });
  const hashes = startHashes({ config, pool, threads: bulk.threads, store, metrics, log, now });
  const sweeper = newSweeper(database, config.jobRetentionMs, log, now);
  const server = buildServer({ options, frontEnd, metrics, store, pool, bulk, hashes, readiness, probe });
  watch(metrics, store, pool);

  const closeInReverse = async (): Promise<void> => {
    readiness.stop();
    hashes.cancelReports();
    await server.close();
    await hashes.close();
    await bulk.close();
    await store.drain();
    await sweeper.stop();
    await pool.close();
    await closeConnections(config.shutdownTimeoutMs);
  };
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeInReverse());
  try {
    const { port } = await server.listen(config.host, config.port);
    const ready = readiness.reach(database, log).then((canServe) => {
      if (!canServe) return false;
      sweeper.start();
      bulk.start();
      return true;
    });
    return { host: config.host, port, ready, close };
  } catch (error) {
    await close();
    throw new StartupError(`${reasonOf(error)}: set another 'port' or 'host'`, { cause: error });
  }
}

function newSweeper(
  database: Database,
  retentionMs: number | undefined,
  log: Logger,
  now: () => number,
): Sweeper {
  return new Sweeper({
    sweep: async () => {
      await traceEntries(database, tracesOfText);
      const purged = await purgeOld(database, retentionMs && now() - retentionMs, now());
      return purged + (await removeExpiredTokens(database, now())) + (await removeSpentClaims(database));
    },
    log,
    intervalMs: sweepIntervalMs,
  });
}

function startPool({ config, log, overrides }: CoreOptions, metrics: Metrics): PasswordPool {
  return createPasswordPool({
    threads: config.hashingThreads,
    memoryBudgetBytes: config.hashingMemoryBudgetBytes,
    queueLimit: config.hashingQueueLimit,
    waitLimitMs: config.waitLimitMs,
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
  readonly frontEnd: FrontEnd;
  readonly metrics: Metrics;
  readonly store: Store;
  readonly pool: PasswordPool;
  readonly bulk: Bulk;
  readonly hashes: Hashes;
  readonly readiness: Readiness;
  readonly probe: Probe;
}

function buildServer({
  options,
  frontEnd,
  metrics,
  store,
  pool,
  bulk,
  hashes,
  readiness,
  probe,
}: Parts): Server {
  let ids: UserIds | undefined;
  const operations = createOperations({
    stores: store,
    hasher: pool,
    now: options.overrides?.now ?? Date.now,
    newUserId: (timeJoined, key) => (ids ??= new UserIds(readiness.placeSecret)).next(timeJoined, key),
    onImport: (kind, result) => {
      metrics.imported(kind, result === 'created' ? 'new' : 'replaced');
    },
    onLostMark: (error) => {
      options.log.warn(
        { err: error },
        'a sign-in could not be noted: an undo of an import will not know of it',
      );
    },
    onLostCheck: lostCheck(options.log),
    throttle: startThrottle(options, metrics),
    allowHashExport: options.config.allowHashExport,
    revealRestrictions: options.config.revealRestrictions,
    ...(hashes.upgrades && { upgrades: hashes.upgrades }),
    hashReports: hashes.reports,
  });
  return createServer({
    frontEnd,
    routes: routes(
      operations,
      {
        version: options.version,
        probe: () => probe.state(),
        metricsText: () => metrics.text(),
        uptimeSeconds: () => process.uptime(),
      },
      bulk,
    ),
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
    parseLargeBody: bulk.parseBody,
    streamMemoryBytes: streamMemoryOf(options.config),
    clientAddressHeader: options.config.clientAddressHeader,
  });
}

function lostCheck(log: Logger): (error: unknown) => void {
  return (error) => {
    log.warn({ err: error }, 'a password check could not be noted: reports will not count it');
  };
}

function startThrottle({ config, log, overrides }: CoreOptions, metrics: Metrics): GuessThrottle {
  return new GuessThrottle({
    limits: config.guesses,
    tables: guessTablesInMemory(),
    now: overrides?.now ?? Date.now,
    onRefused: (rule) => {
      metrics.guessRefused(rule);
    },
    onRefusedPeople: (accounts) => {
      log.warn(
        { accounts, header: config.clientAddressHeader },
        'an address is refused for wrong passwords while people sign in from it: if the header is filled by a proxy, ' +
          'all people have one address; let your backend set a header of its own (client_address_header)',
      );
    },
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
