import { Refusal } from '../../domain/errors.ts';
import { jsonReply, Reply, textReply } from '../response/replies.ts';
import type { Method, Route } from './route.ts';

type DatabaseState = 'up' | 'down' | 'read-only' | 'full';

interface PlaceState {
  readonly name: string;
  readonly database: DatabaseState;
  readonly failover: string | undefined;
}

export interface Discovery {
  /** The state of the database. Never rejects, and does not wait long. */
  probe(): Promise<DatabaseState>;
  metricsText(): Promise<string>;
  uptimeSeconds(): number;
  /** The memory budget, MiB: see MemoryBudget of config/memory.ts. */
  readonly memory: object;
  /** What a failover of the database would lose: see FailoverState of database/failover.ts. Undefined if not known yet. */
  failover(): string | undefined;
  /** After the first one, which is what `probe` and `failover` describe. Never rejects. */
  otherPlaces(): Promise<readonly PlaceState[]>;
  notReached(): 'DATABASE_UNREACHABLE' | 'STARTING_POSTGRESQL' | 'MIGRATING' | undefined;
  /** Whether a stop was announced: requests are still served, but callers should use another core. */
  isStopping(): boolean;
  readonly version: string;
  readonly cdiVersions: readonly string[];
}

const tag = 'Discovery';
const helloMethods: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE'];
const plainText = 'text/plain; charset=utf-8';
const prometheusText = 'text/plain; version=0.0.4; charset=utf-8';

export function discoveryRoutes(discovery: Discovery): Route[] {
  return [
    root(discovery),
    ...helloMethods.map((method) => hello(method, discovery)),
    ...probeRoutes(discovery),
    ...stateRoutes(discovery),
  ];
}

/** For a person who opens the address in a browser. */
function root({ version }: Discovery): Route {
  const links = {
    health: '/health',
    openapi: '/docs/openapi.json (with an API key)',
    documentation: 'README.md, docs/ and SKILL.md of this version',
  };
  const about =
    'An authentication core, called by the backend of an app. There is nothing to sign in to here.';
  const body = JSON.stringify({ status: 'OK', name: 'carryover', version, about, ...links }, undefined, 2);
  const reply = new Reply({ contentType: 'application/json; charset=utf-8', body: `${body}\n` });
  return {
    method: 'GET',
    path: '/',
    scope: 'core',
    open: true,
    needs: 'any',
    summary: 'For people: name, version, and links',
    tag,
    handle: () => reply,
  };
}

function hello(method: Method, discovery: Discovery): Route {
  const reply = textReply('Hello', plainText);
  return {
    method,
    path: '/hello',
    scope: 'core',
    open: true,
    needs: 'any',
    summary: 'Says Hello when the database answers',
    unaudited: 'changes nothing, whatever its method',
    tag,
    contentType: plainText,
    async handle() {
      if ((await discovery.probe()) === 'down') throw new Refusal('DATABASE_UNAVAILABLE');
      return reply;
    },
  };
}

/** For orchestrators: an unreachable database must take the core out of a balancer, but not have it killed. */
function probeRoutes(discovery: Discovery): Route[] {
  const live = jsonReply({ status: 'OK' });
  const common = { method: 'GET', scope: 'core', open: true, needs: 'any', tag } as const;
  return [
    { ...common, path: '/livez', summary: 'Liveness: answers without the database', handle: () => live },
    {
      ...common,
      path: '/readyz',
      summary: 'Readiness; 503 while the database cannot be written, and while the core is about to stop',
      statuses: ['OK', 'NOT_READY'],
      handle: async () => stateReply(await stateOf(discovery)),
    },
    {
      ...common,
      path: '/health',
      summary: 'Liveness and readiness; 503 while not ready',
      statuses: ['OK', 'NOT_READY'],
      handle: () => health(discovery),
    },
  ];
}

function stateRoutes(discovery: Discovery): Route[] {
  const versions = jsonReply({ versions: discovery.cdiVersions });
  return [
    {
      method: 'GET',
      path: '/metrics',
      needs: ['metrics'],
      scope: 'core',
      keys: 'core',
      summary: 'Prometheus metrics',
      tag,
      contentType: prometheusText,
      handle: async () => textReply(await discovery.metricsText(), prometheusText),
    },
    {
      method: 'GET',
      path: '/apiversion',
      needs: 'any',
      scope: 'core',
      summary: 'The versions of the driver interface that are supported',
      tag,
      handle: () => versions,
    },
  ];
}

interface State {
  readonly ready: boolean;
  readonly database: DatabaseState;
  readonly stopping: boolean;
  /** For programs to compare; undefined when ready. */
  readonly reason: string | undefined;
}

const databaseReasons: Readonly<Record<DatabaseState, string | undefined>> = {
  up: undefined,
  down: 'DATABASE_UNREACHABLE',
  'read-only': 'DATABASE_READ_ONLY',
  full: 'DISK_FULL',
};

async function stateOf(discovery: Discovery): Promise<State> {
  const database = await discovery.probe();
  const stopping = discovery.isStopping();
  const reason = discovery.notReached() ?? databaseReasons[database] ?? (stopping ? 'STOPPING' : undefined);
  return { ready: reason === undefined, database, stopping, reason };
}

function stateReply(state: State, more: object = {}): Reply {
  const status = state.ready ? 'OK' : 'NOT_READY';
  return jsonReply({ status, ...more, ...state }, state.ready ? 200 : 503);
}

async function health(discovery: Discovery): Promise<Reply> {
  const { version, memory } = discovery;
  const state = await stateOf(discovery);
  const failover = discovery.failover();
  const uptimeSeconds = discovery.uptimeSeconds();
  const places = await discovery.otherPlaces();
  return stateReply(state, {
    live: true,
    version,
    uptimeSeconds,
    memory,
    ...(failover && { failover }),
    // An app in a place that is away is refused, and all others are served: the core stays ready.
    ...(places.length > 0 && { places }),
  });
}
