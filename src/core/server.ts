import type { AuditTrail } from '../process/audit/trail.ts';
import type { KeyRing } from '../process/keys/key-ring.ts';
import { type Bulk, streamGulpOf, streamMemoryOf } from './imports.ts';
import { countingSignIns } from '../operations/sign-in/counted.ts';
import type { Hashes } from './hashes.ts';
import type { CoreRegister } from './core-register.ts';
import type { Connections } from './connections.ts';
import type { Readiness } from './readiness.ts';
import { Refusal } from '../domain/errors.ts';
import type { FrontEnd } from '../http/front-ends/native.ts';
import type { Discovery } from '../http/routing/discovery.ts';
import { routes } from '../http/routing/routes.ts';
import { cdiVersions, routesByVersion } from '../http/versions/versions.ts';
import { StartupError } from '../process/startup-error.ts';
import { createServer, type Server, type ServerOptions } from '../http/server.ts';
import { UserIds } from '../domain/ids.ts';
import type { Logger } from '../process/log.ts';
import type { Door } from '../http/ports.ts';
import { Sealer } from '../process/sealer.ts';
import type { Metrics } from '../process/metrics/metrics.ts';
import { createOperations, operationsContext } from '../operations/operations.ts';
import type { OpenFeature } from '../features/feature.ts';
import { openFeatures } from './features.ts';
import type { OperationsContext } from '../operations/context.ts';
import type { PasswordPool } from '../threads/password-pool.ts';
import type { Store } from '../store/store.ts';
import { guessTablesInMemory } from '../operations/sign-in/guess-tables.ts';
import type { SharedGuesses } from '../operations/sign-in/guess.ts';
import { GuessThrottle } from '../operations/sign-in/throttle.ts';
import { openOutgoing, type Outgoing } from '../http/outgoing/exchange.ts';
import type { CoreOptions } from './options.ts';

const mostBodyMemoryMb = 128;

type PlaceOfServer = Pick<Connections, 'name' | 'probe' | 'failoverWatch'>;

export interface ServerParts {
  readonly options: CoreOptions;
  readonly served: readonly string[];
  readonly keys: KeyRing;
  readonly audit: AuditTrail;
  readonly frontEnd: FrontEnd;
  readonly metrics: Metrics;
  readonly store: Store;
  readonly pool: PasswordPool;
  readonly bulk: Bulk;
  readonly hashes: Hashes;
  readonly readiness: Readiness;
  /** The first one is that of the names. */
  readonly places: readonly [PlaceOfServer, ...PlaceOfServer[]];
  readonly register: Pick<CoreRegister, 'count' | 'list' | 'days' | 'report'>;
}

export interface BuiltServer {
  readonly server: Server;
  readonly features: readonly OpenFeature[];
}

export function buildServer(parts: ServerParts): BuiltServer {
  const { options, served, keys, audit, frontEnd, metrics, store, bulk, readiness, places, register } = parts;
  const { config, log, version } = options;
  const outgoing = openOutgoing(options.overrides?.lookup);
  const address: OwnAddress = { url: undefined };
  metrics.buildInfo(version);
  const { opened, context } = openFeatures(contextOf(parts), {
    openStores: store.open,
    databases: store.databases,
    learnHomes: () => store.learnHomes(),
    outgoing,
    imports: bulk.imports,
    importThreads: bulk.threads,
    config,
    keys,
    address: () => address.url,
    cores: register,
    version,
    audit,
    metrics,
    log,
  });
  const operations = countingSignIns(createOperations(context), metrics);
  const discovery = discoveryOf({ options, places, metrics, readiness, served });
  const present = routes({
    operations,
    discovery,
    bulk,
    ofFeatures: opened.flatMap((feature) => feature.routes(operations)),
  });
  const server = createServer({
    frontEnd,
    routes: present,
    routesByVersion: routesByVersion(present, operations, served),
    apiKeys: keys,
    door: doorOf(opened),
    tenants: tenantsOf(store, readiness),
    isStopping: () => readiness.isStopping,
    metrics,
    audit,
    log,
    parseLargeBody: bulk.parseBody,
    ...settingsOf(config),
  });
  return { server: around(server, { outgoing, opened, address }), features: opened };
}

type ServerSettings = Pick<
  ServerOptions,
  | 'requireApiKey'
  | 'maxBodyBytes'
  | 'streamMemoryBytes'
  | 'streamGulpBytes'
  | 'bodyMemoryBytes'
  | 'clientAddressHeader'
>;

function settingsOf(config: CoreOptions['config']): ServerSettings {
  const { requireApiKey, maxBodyBytes, clientAddressHeader } = config;
  return {
    requireApiKey,
    maxBodyBytes,
    streamMemoryBytes: streamMemoryOf(config),
    streamGulpBytes: streamGulpOf(config),
    bodyMemoryBytes: bodyMemoryOf(config),
    clientAddressHeader,
  };
}

type ContextParts = Pick<
  ServerParts,
  'options' | 'metrics' | 'store' | 'pool' | 'hashes' | 'readiness' | 'register'
>;

function contextOf({
  options,
  metrics,
  store,
  pool,
  hashes,
  readiness,
  register,
}: ContextParts): Omit<OperationsContext, 'beforeReseal'> {
  return operationsContext({
    stores: store,
    hasher: pool,
    now: options.overrides?.now ?? Date.now,
    newUserId: newUserIdOf(readiness),
    onImport: countingImports(metrics),
    onLostMark: lostMark(options.log),
    onLostCheck: lostCheck(options.log),
    coreConfig: options.config.coreConfig,
    onLostActivity: lostActivity(options.log),
    throttle: startThrottle(options, metrics, { store: store.guesses, cores: () => register.count }),
    ...allowedBy(options.config),
    ...(hashes.upgrades && { upgrades: hashes.upgrades }),
    hashReports: hashes.reports,
    sealer: new Sealer(options.encryptionKeys),
  });
}

function tenantsOf({ tenants }: Store, readiness: Pick<Readiness, 'reached'>): ServerOptions['tenants'] {
  return {
    find: (appId, tenantId) => {
      if (!readiness.reached) throw new Refusal('DATABASE_UNAVAILABLE');
      return tenants.find(appId, tenantId);
    },
  };
}

/** For large bodies: two of the largest, or an eighth of the memory. A single one is always accepted. */
function bodyMemoryOf({ memory }: CoreOptions['config']): number {
  return Math.min(memory.budget.limitMb / 8, mostBodyMemoryMb) * 2 ** 20;
}

function allowedBy({ allowHashExport, revealRestrictions }: CoreOptions['config']) {
  return { allowHashExport, revealRestrictions };
}

/** The secret is known once the database is reached. */
function newUserIdOf(readiness: Pick<Readiness, 'placeSecret'>): OperationsContext['newUserId'] {
  let ids: UserIds | undefined;
  return (timeJoined, key) => (ids ??= new UserIds(readiness.placeSecret)).next(timeJoined, key);
}

/** @throws StartupError for an unknown version */
export function servedVersions({
  cdiVersions: wanted = cdiVersions,
}: CoreOptions['config']): readonly string[] {
  const unknown = wanted.find((version) => !cdiVersions.includes(version));
  if (unknown === undefined) return cdiVersions.filter((version) => wanted.includes(version));
  throw new StartupError(
    `cdi_versions: ${unknown} is not served; versions that are: ${cdiVersions.join(', ')}`,
  );
}

type Known = Pick<ServerParts, 'options' | 'served' | 'places' | 'metrics' | 'readiness'>;

function discoveryOf({ options, places, metrics, readiness, served }: Known): Discovery {
  const [{ probe, failoverWatch }, ...others] = places;
  return {
    version: options.version,
    cdiVersions: served,
    probe: () => probe.state(),
    metricsText: () => metrics.text(),
    uptimeSeconds: () => process.uptime(),
    memory: options.config.memory.budget,
    failover: () => failoverWatch?.latest()?.state,
    otherPlaces: async () => {
      const states = await Promise.all(others.map((place) => place.probe.state()));
      return others.map((place, at) => ({
        name: place.name,
        database: states[at] ?? 'down',
        failover: place.failoverWatch?.latest()?.state,
      }));
    },
    notReached: () => readiness.notReached,
    isStopping: () => readiness.isStopping,
  };
}

interface OwnAddress {
  url: string | undefined;
}

interface Around {
  readonly outgoing: Pick<Outgoing, 'close'>;
  readonly opened: readonly OpenFeature[];
  readonly address: OwnAddress;
}

/** Features end what they run before requests are refused; requests of the core to others stay possible until all are answered. */
function around(server: Server, { outgoing, opened, address }: Around): Server {
  return {
    listen: async (host, port) => {
      const listening = await server.listen(host, port);
      address.url = `http://${reachable(host)}:${listening.port}`;
      return listening;
    },
    get inFlight() {
      return server.inFlight;
    },
    close: async () => {
      await Promise.all(opened.map((feature) => feature.close()));
      await server.close();
      outgoing.close();
    },
  };
}

/** From this machine. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** One feature has pages. */
function doorOf(opened: readonly OpenFeature[]): Door | undefined {
  return opened.find(({ door }) => door !== undefined)?.door;
}

function countingImports(metrics: Metrics): OperationsContext['onImport'] {
  return (kind, result) => {
    metrics.imported(kind, result === 'created' ? 'new' : 'replaced');
  };
}

function lostMark(log: Logger): (error: unknown) => void {
  return (error) => {
    log.warn({ err: error }, 'a sign-in could not be noted: an undo of an import will not know of it');
  };
}

function lostCheck(log: Logger): (error: unknown) => void {
  return (error) => {
    log.warn({ err: error }, 'a password check could not be noted: reports will not count it');
  };
}

function lostActivity(log: Logger): (error: unknown) => void {
  return (error) => {
    log.warn({ err: error }, 'that a user is active could not be noted: counts may be without the user');
  };
}

function startThrottle(
  { config, log, overrides }: CoreOptions,
  metrics: Metrics,
  shared: SharedGuesses,
): GuessThrottle {
  // The database counts by its own clock.
  const ownClock = overrides?.now;
  return new GuessThrottle({
    ...(ownClock === undefined && { shared }),
    limits: config.guesses,
    tables: guessTablesInMemory(),
    now: ownClock ?? Date.now,
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
