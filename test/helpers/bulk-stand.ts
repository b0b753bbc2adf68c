/** The front end over fake bulk imports, reached by real sockets. */
import { unnamed } from '../../src/domain/access/key-holder.ts';
import { openApiDocument } from '../../src/http/routing/openapi.ts';
import { jobRoutes } from '../../src/http/routes/jobs.ts';
import { uploadRoutes } from '../../src/http/routes/uploads/routes.ts';
import { createServer, type Server, type ServerOptions } from '../../src/http/server.ts';
import type { Route } from '../../src/http/routing/route.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { FakeImports } from './fake-imports.ts';
import { loadTestedFrontEnd } from './front-end.ts';
import { Wire } from './wire.ts';

export const key = 'a-key-of-the-bulk-import-tests';
export const jobsPath = '/bulk-import/jobs';

/** Sent in addition to the key. */
interface BareRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: NonNullable<RequestInit['body']>;
}

export interface BulkStand {
  readonly imports: FakeImports;
  readonly server: Server;
  readonly port: number;
  readonly url: string;
  readonly logged: object[];
  /** Finished requests: route, verb and status. */
  readonly observed: string[];
  readonly nextObserved: () => Promise<string>;
  readonly request: (method: string, path: string, init?: BareRequest) => Promise<Response>;
  readonly wire: () => Promise<Wire>;
  readonly stop: () => Promise<void>;
}

export interface BulkStandOptions {
  readonly routes?: readonly Route[];
  readonly senderPace?: ServerOptions['senderPace'];
  readonly streamMemoryBytes?: number;
  readonly streamGulpBytes?: number;
}

const appNos: Readonly<Record<string, number>> = { public: 0, app1: 1 };

export async function startBulkStand({ routes = [], ...options }: BulkStandOptions = {}): Promise<BulkStand> {
  const imports = new FakeImports();
  const logged: object[] = [];
  const keep = (details: object) => void logged.push(details);
  const observed: string[] = [];
  let told = Promise.withResolvers<string>();
  const server = createServer({
    frontEnd: await loadTestedFrontEnd(),
    routes: [...uploadRoutes(imports), ...jobRoutes(imports, { intervalMs: 5, quietLooks: 2 }), ...routes],
    maxBodyBytes: 1000,
    apiKeys: { holderOf: (candidate) => (candidate === key ? unnamed : undefined) },
    tenants: {
      find(appId, tenantId) {
        const appNo = appNos[appId];
        // The front end and the fake use no other part of a tenant.
        return appNo === undefined ? undefined : ({ appId, tenantId, appNo, settings: {} } as Tenant);
      },
    },
    log: { debug: keep, info: keep, warn: keep, error: keep },
    metrics: {
      request: (route, method) => ({
        done(status) {
          observed.push(`${method} ${route} ${status}`);
          told.resolve(`${method} ${route} ${status}`);
          told = Promise.withResolvers();
        },
      }),
    },
    ...options,
  });
  const { port } = await server.listen('127.0.0.1', 0);
  const url = `http://127.0.0.1:${port}`;
  const wires: Wire[] = [];
  return {
    imports,
    server,
    port,
    url,
    logged,
    observed,
    nextObserved: () => told.promise,
    request: (method, path, init = {}) =>
      fetch(url + path, { method, ...init, headers: { 'api-key': key, ...init.headers } }),
    async wire() {
      const wire = await Wire.open(port);
      wires.push(wire);
      return wire;
    },
    async stop() {
      for (const wire of wires) wire.hangUp();
      await server.close();
    },
  };
}

/** The head of a request, byte for byte. */
export function headOf(
  method: string,
  path: string,
  headers: Readonly<Record<string, string | number>>,
): string {
  const lines = Object.entries({ Host: 'x', 'Api-Key': key, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

export const tus = { 'Tus-Resumable': '1.0.0' };
export const tusBytes = { ...tus, 'Content-Type': 'application/offset+octet-stream' };
export const ndjson = { 'Content-Type': 'application/x-ndjson' };

/** Creates a job over HTTP. @returns its path */
export async function createJob(stand: BulkStand, length: number | undefined, query = ''): Promise<string> {
  const said: Record<string, string> =
    length === undefined ? { 'Upload-Defer-Length': '1' } : { 'Upload-Length': String(length) };
  const response = await stand.request('POST', jobsPath + query, { headers: { ...tus, ...said } });
  if (response.status !== 201) throw new Error(await response.text());
  return response.headers.get('location') ?? '';
}

export function patch(
  stand: BulkStand,
  path: string,
  offset: number,
  body: NonNullable<RequestInit['body']>,
): Promise<Response> {
  return stand.request('PATCH', path, {
    headers: { ...tusBytes, 'Upload-Offset': String(offset) },
    body,
  });
}

/** HTTP status and code of a refusal. */
export async function refusal(response: Response): Promise<[number, string, string]> {
  const { status, message } = (await response.json()) as { status: string; message: string };
  return [response.status, status, message];
}

/** OpenAPI of the bulk routes. */
export function documentOf(imports: FakeImports): object {
  return openApiDocument([...uploadRoutes(imports), ...jobRoutes(imports)], '1');
}
