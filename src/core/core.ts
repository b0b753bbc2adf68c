import { type Bulk, startBulk } from './imports.ts';
import { type Hashes, startHashes, startPool } from './hashes.ts';
import { connectionShares, openConnections } from './connections.ts';
import type { CoreOptions } from './options.ts';
import { Readiness } from './readiness.ts';
import type { Server } from '../http/server.ts';
import { loadFrontEnd } from '../http/front-ends/front-end.ts';
import { ofCore } from '../domain/access/act.ts';
import { AuditTrail } from '../process/audit/trail.ts';
import { KeyRing, type KeysOfCore } from '../process/keys/key-ring.ts';
import { letHeapsGrow } from '../process/heap-growth.ts';
import { reasonOf } from '../process/log.ts';
import { Sealer } from '../process/sealer.ts';
import { factorSeals } from '../operations/factors/factor-seals.ts';
import { createMetrics, type Metrics } from '../process/metrics/metrics.ts';
import type { PasswordPool } from '../threads/password-pool.ts';
import { StartupError } from '../process/startup-error.ts';
import type { Database } from '../database/database.ts';
import { OutageLog } from '../database/outage-log.ts';
import { countJobs, lastFinished } from '../store/imports/jobs/counts.ts';
import { onePlace } from '../store/places.ts';
import { createStore, type Store } from '../store/store.ts';
import { buildServer, servedVersions } from './server.ts';
import { newSweeper, type Sweeper } from './sweeper.ts';

/** Not part of a Core: the process may end before one exists. */
export { threadsLoaded } from '../threads/loading.ts';

export interface Core {
  readonly host: string;
  readonly port: number;
  /** Whether it can serve: true when the database answers with this version's tables, false when closed before that. */
  readonly ready: Promise<boolean>;
  /** From now on these alone open it. */
  replaceKeys(keys: KeysOfCore): void;
  /** Says by `/readyz` and `/health` that callers are to go elsewhere, and serves on until `close`. */
  announceStop(): void;
  /** Refuses what is new, finishes what is accepted, and closes everything in reverse order. May be called again. */
  close(): Promise<void>;
}

/** With less memory, MiB, heaps are collected as often as by V8's defaults. */
const growingHeapsMb = 1024;
/** The most items in one statement: larger batches gain nothing measurable and lengthen each other's wait. */
const maxBatch = 512;
/**
 * New users that must wait before a second lane opens next to a busy one: with 64 clients that is one lane with twice the batch,
 * at the rate of three lanes and a tenth less work of the core (bench import-http).
 */
const importLaneAt = 64;
/** Of each kind of look-up and change: one under way, one gathered behind it. */
const liveLanes = 2;
/**
 * How long what signs in waits for others of its kind while more passwords wait than are computed: then it would only wait
 * with them. On two cores, bcrypt at cost 10, it makes one statement of three or four.
 */
const gatheringMs = 20;
/** Items of one kind that may wait: about a second's worth at the rate measured, a few MB. */
const maxBacklog = 16_384;

/**
 * Builds the core in order and listens. Until the database answers, `/health` says not ready and everything else that
 * needs it is refused with 503.
 * @throws StartupError when the address is taken, or a version of the interface is named that is not served
 */
export async function startCore(options: CoreOptions): Promise<Core> {
  const { config, log, target } = options;
  const served = servedVersions(config);
  if (config.memory.budget.limitMb >= growingHeapsMb) letHeapsGrow();
  const frontEnd = await loadFrontEnd(config.frontEnd, log, { limits: config.connectionLimits });
  const metrics = createMetrics();
  const pool = startPool(options, metrics);
  const someoneSignsIn = (): boolean => pool.gauges.running > 0;
  const sealer = new Sealer(options.encryptionKeys);
  const readiness = new Readiness(sealer);
  const now = options.overrides?.now ?? Date.now;
  const { lanes, imports, database, probe, closeConnections } = openConnections({
    target,
    config,
    someoneSignsIn,
    outages: new OutageLog({ log, now, hasBegun: () => readiness.reached }),
    isReached: () => readiness.reached,
    statementTimeoutMs: options.overrides?.statementTimeoutMs,
  });
  const places = onePlace({ live: database, imports });
  const store = createStore(places, tenantRulesOf(config, sealer), batchesOf(options, metrics, pool));
  const bulk = startBulk({
    ...{ config, database, lanes, hasher: pool, someoneSignsIn, readiness, store },
    ...{ metrics, log, now, factorSeals: factorSeals(sealer) },
    encryptionKeys: options.encryptionKeys,
  });
  const hashes = startHashes({ config, pool, threads: bulk.threads, store, metrics, log, now });
  const keys = new KeyRing({ apiKeys: options.apiKeys, named: config.namedKeys });
  const audit = new AuditTrail({ store: store.audit, log, now });
  const watched = { metrics, store, pool };
  const parts = { options, served, keys, audit, frontEnd, bulk, hashes, readiness, probe };
  const { server, features } = buildServer({ ...parts, ...watched });
  const sweeper = newSweeper({ config, database, features, sealer, log, now });
  watch({ ...watched, database, now });

  const closed = { readiness, hashes, server, bulk, audit, store, sweeper, pool, closeConnections };
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeInReverse(closed, config));
  try {
    const { port } = await server.listen(config.host, config.port);
    const ready = readiness.reach(database, target, log).then((canServe) => {
      if (!canServe) return false;
      sweeper.start();
      bulk.start();
      void audit.keep(ofCore('core.start', { version: options.version }), 'OK');
      return true;
    });
    return {
      ...{ host: config.host, port, ready, close },
      announceStop: readiness.announceStop.bind(readiness),
      replaceKeys: (to) => {
        keys.replace(to);
        const names = to.named.map(({ name }) => name);
        void audit.keep(ofCore('keys.reload', { names }), 'OK');
      },
    };
  } catch (error) {
    await close();
    throw new StartupError(`${reasonOf(error)}: set another 'port' or 'host'`, { cause: error });
  }
}

function batchesOf({ config, overrides }: CoreOptions, metrics: Metrics, pool: PasswordPool) {
  return {
    gathering: { ms: gatheringMs, isWorthIt: () => pool.gauges.waiting > pool.gauges.threads },
    importLanes: connectionShares(config).imports,
    importLaneAt,
    liveLanes,
    maxBatch: overrides?.maxBatch ?? maxBatch,
    maxBacklog,
    waitLimitMs: config.waitLimitMs,
    observe: metrics.batch.bind(metrics),
  };
}

interface Watched {
  readonly metrics: Metrics;
  readonly store: Store;
  readonly pool: PasswordPool;
  readonly database: Database;
  readonly now: () => number;
}

function watch({ metrics, store, pool, database, now }: Watched): void {
  for (const { name } of store.backlogs()) {
    metrics.watchBacklog(name, () => store.backlogs().find((each) => each.name === name)?.backlog ?? 0);
  }
  metrics.watchJobs(
    () => countJobs(database, now()),
    () => lastFinished(database),
  );
  metrics.watchHashingPool(() => {
    const { running, waiting, bytesInFlight, threads } = pool.gauges;
    return { running, waiting, bytes: bytesInFlight, threads };
  });
}

function tenantRulesOf({ defaults, testMode }: CoreOptions['config'], sealer: Sealer) {
  return { defaults, isTestMode: testMode, sealer };
}

interface Closed {
  readonly readiness: Readiness;
  readonly hashes: Hashes;
  readonly server: Server;
  readonly bulk: Bulk;
  readonly audit: AuditTrail;
  readonly store: Store;
  readonly sweeper: Sweeper;
  readonly pool: PasswordPool;
  readonly closeConnections: (timeoutMs: number) => Promise<void>;
}

async function closeInReverse(parts: Closed, config: CoreOptions['config']): Promise<void> {
  const { readiness, hashes, server, bulk, audit, store, sweeper, pool, closeConnections } = parts;
  readiness.stop();
  hashes.cancelReports();
  await server.close();
  await hashes.close();
  await bulk.close();
  await audit.close();
  await store.drain();
  await sweeper.stop();
  await pool.close();
  // Nothing was accepted while the database was not reached: the search for it need not be waited for.
  await closeConnections(readiness.reached ? config.shutdownTimeoutMs : 0);
}
