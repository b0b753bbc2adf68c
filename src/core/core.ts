import { type Bulk, startBulk } from './imports.ts';
import { type Hashes, startHashes, startPool } from './hashes.ts';
import { connectionShares } from './connections.ts';
import type { Config } from '../config/load.ts';
import type { CoreOptions } from './options.ts';
import { CoreRegister } from './core-register.ts';
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
import { countJobs, lastFinished } from '../store/imports/jobs/counts.ts';
import { coreStore } from '../store/cores.ts';
import { type OpenPlaces, openPlaces } from './places.ts';
import { createStore, type Store } from '../store/store.ts';
import { buildServer, servedVersions } from './server.ts';
import { newSweeper, type Sweeper } from './sweeper.ts';

/** Not part of a Core: the process may end before one exists. */
export { threadsLoaded } from '../threads/loading.ts';

export interface Core {
  readonly host: string;
  readonly port: number;
  /**
   * True when the database answers with this version's tables and a thread can compute passwords, false when closed before that.
   * Rejects with errors that no retry can fix.
   */
  readonly ready: Promise<boolean>;
  replaceKeys(keys: KeysOfCore): void;
  /** Announces by `/readyz` and `/health` that callers should use another core; serves until `close`. */
  announceStop(): void;
  /** Refuses new requests, completes accepted ones, and closes everything in reverse order. Idempotent. */
  close(): Promise<void>;
}

/** With less memory, MiB, V8's defaults for heap collection stay. */
const growingHeapsMb = 1024;
/** Maximum items in one statement: larger batches gain nothing measurable and delay each other. */
const maxBatch = 512;
/**
 * Number of waiting users that opens a second lane next to a busy one: with 64 clients one lane with twice the batch has the rate
 * of three lanes with a tenth less work (bench import-http).
 */
const importLaneAt = 64;
/** For each kind of look-up and change: one batch under way, one being gathered. */
const liveLanes = 2;
/**
 * How long sign-ins gather while the password pool has a queue, where they would wait anyway. On two cores with bcrypt at cost
 * 10, a statement then has three or four.
 */
const gatheringMs = 20;
/** Waiting items of one kind: about a second's worth at the measured rate, a few MB. */
const maxBacklog = 16_384;

/**
 * Builds the core in order and listens. Until the database answers, `/health` reports not ready, and requests that need it are
 * refused with 503.
 * @throws StartupError when the address is taken, or an unsupported version of the interface is configured
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
  const { otherPlaces = [], overrides } = options;
  const placeNames = otherPlaces.map(({ name }) => name);
  const readiness = new Readiness(sealer, placeNames);
  const now = overrides?.now ?? Date.now;
  const { statementTimeoutMs } = overrides ?? {};
  const common = { config, sealer, readiness, log, now, someoneSignsIn, statementTimeoutMs };
  const places = openPlaces({ ...common, first: target, others: otherPlaces });
  const [first] = places.all;
  const register = new CoreRegister(coreStore(first.live), options.version);
  const store = createStore(places, tenantRulesOf(config, sealer), batchesOf(options, metrics, pool));
  const bulk = startBulk({
    config,
    places,
    hasher: pool,
    someoneSignsIn,
    readiness,
    store,
    metrics,
    log,
    now,
    factorSeals: factorSeals(sealer),
    encryptionKeys: options.encryptionKeys,
  });
  const hashes = startHashes({ config, pool, threads: bulk.threads, store, metrics, log, now });
  const keys = new KeyRing({ apiKeys: options.apiKeys, named: config.namedKeys });
  const audit = new AuditTrail({ store: store.audit, log, now });
  const measured = { metrics, store, pool };
  const parts = { options, served, keys, audit, frontEnd, bulk, hashes, readiness, register };
  const { server, features } = buildServer({ ...parts, ...measured, places: places.all });
  const sweeper = newSweeper({ config, store, features, sealer, log, now });
  watch({ ...measured, now, register });

  const closed = { readiness, hashes, server, bulk, audit, store, sweeper, pool, register, places };
  const close = closesOnce(closed, config);
  const port = await listen(server, config, close);
  const reached = Promise.all([readiness.reach(first.live, target, log), pool.loaded]);
  const ready = reached.then(async ([canServe]) => {
    if (canServe) await startWork({ sweeper, bulk, audit, places, register }, options.version);
    return canServe;
  });
  return {
    host: config.host,
    port,
    ready,
    close,
    announceStop: readiness.announceStop.bind(readiness),
    replaceKeys: replacing(keys, audit),
  };
}

interface Work extends Pick<Closed, 'sweeper' | 'bulk' | 'audit'> {
  readonly register: CoreRegister;
  readonly places: OpenPlaces;
}

/** What needs the database. @throws errors of other places that no retry can fix */
async function startWork({ sweeper, bulk, audit, register, places }: Work, version: string): Promise<void> {
  bulk.start();
  void audit.keep(ofCore('core.start', { version }), 'OK');
  await Promise.all([register.start(), places.all[0].failoverWatch?.read(), places.reachOthers()]);
  // A place that is reached later is swept an hour later.
  sweeper.start();
}

/** @throws StartupError when the address is taken; then the core is closed */
async function listen(server: Server, { host, port }: Config, close: Core['close']): Promise<number> {
  try {
    return (await server.listen(host, port)).port;
  } catch (error) {
    await close();
    throw new StartupError(`${reasonOf(error)}: set another 'port' or 'host'`, { cause: error });
  }
}

function replacing(keys: KeyRing, audit: AuditTrail): Core['replaceKeys'] {
  return (to) => {
    keys.replace(to);
    const names = to.named.map(({ name }) => name);
    void audit.keep(ofCore('keys.reload', { names }), 'OK');
  };
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
  readonly register: Pick<CoreRegister, 'count'>;
  readonly now: () => number;
}

function watch({ metrics, store, pool, register, now }: Watched): void {
  for (const { name } of store.backlogs()) {
    metrics.watchBacklog(name, () => store.backlogs().find((each) => each.name === name)?.backlog ?? 0);
  }
  metrics.watchJobs(
    () => countJobs(store.databases, now()),
    () => lastFinished(store.databases),
  );
  metrics.watchCores(() => register.count);
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
  readonly register: Pick<CoreRegister, 'stop'>;
  readonly places: Pick<OpenPlaces, 'close'>;
}

/** @returns a `close` that every caller may call: the first call closes */
function closesOnce(closed: Closed, config: Config): Core['close'] {
  let closing: Promise<void> | undefined;
  return () => (closing ??= closeInReverse(closed, config));
}

async function closeInReverse(parts: Closed, config: CoreOptions['config']): Promise<void> {
  const { readiness, hashes, server, bulk, audit, store, sweeper, pool, register, places } = parts;
  readiness.stop();
  hashes.cancelReports();
  const closed = server.close();
  // From here on requests are refused, and no further upload begins to wait.
  bulk.imports.stopWaiting();
  await closed;
  await hashes.close();
  await bulk.close();
  await audit.close();
  await store.drain();
  await sweeper.stop();
  await pool.close();
  // Without the database nothing was accepted, so there is nothing to wait for.
  await register.stop();
  await places.close(readiness.reached ? config.shutdownTimeoutMs : 0);
}
