import { Refusal } from '../../domain/errors.ts';
import { cdiVersions } from '../authorize.ts';
import { jsonReply, type Reply, textReply } from '../response/replies.ts';
import type { Method, Route } from './route.ts';

/** What the core can say about itself. */
export interface Discovery {
  /** What can be done with the database now. Never rejects, and does not wait long. */
  probe(): Promise<'up' | 'down' | 'read-only' | 'full'>;
  metricsText(): Promise<string>;
  uptimeSeconds(): number;
  readonly version: string;
}

const tag = 'Discovery';
const helloMethods: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE'];
const plainText = 'text/plain; charset=utf-8';
const prometheusText = 'text/plain; version=0.0.4; charset=utf-8';

/** The routes by which clients, load balancers and monitoring find out what they talk to. */
export function discoveryRoutes(discovery: Discovery): Route[] {
  return [...helloMethods.map((method) => hello(method, discovery)), ...stateRoutes(discovery)];
}

function hello(method: Method, discovery: Discovery): Route {
  const reply = textReply('Hello', plainText);
  return {
    method,
    path: '/hello',
    scope: 'core',
    open: true,
    summary: 'Says Hello when the database answers',
    tag,
    contentType: plainText,
    async handle() {
      if ((await discovery.probe()) === 'down') throw new Refusal('DATABASE_UNAVAILABLE');
      return reply;
    },
  };
}

function stateRoutes(discovery: Discovery): Route[] {
  const versions = jsonReply({ versions: cdiVersions });
  return [
    {
      method: 'GET',
      path: '/health',
      scope: 'core',
      open: true,
      summary: 'Liveness and readiness; 503 while not ready',
      tag,
      statuses: ['OK', 'NOT_READY'],
      handle: () => health(discovery),
    },
    {
      method: 'GET',
      path: '/metrics',
      scope: 'core',
      summary: 'Prometheus metrics',
      tag,
      contentType: prometheusText,
      handle: async () => textReply(await discovery.metricsText(), prometheusText),
    },
    {
      method: 'GET',
      path: '/apiversion',
      scope: 'core',
      summary: 'The versions of the driver interface that are supported',
      tag,
      handle: () => versions,
    },
  ];
}

async function health(discovery: Discovery): Promise<Reply> {
  const database = await discovery.probe();
  const ready = database === 'up';
  const state = {
    status: ready ? 'OK' : 'NOT_READY',
    live: true,
    ready,
    database,
    version: discovery.version,
    uptimeSeconds: discovery.uptimeSeconds(),
  };
  return jsonReply(state, ready ? 200 : 503);
}
