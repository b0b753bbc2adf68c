/** A whole core in this process, over a new database of the run's PostgreSQL, reached by real sockets. */
import { loadConfig } from '../../src/config/load.ts';
import { type Core, startCore } from '../../src/core/core.ts';
import type { CoreOptions } from '../../src/core/options.ts';
import { createLogger } from '../../src/process/log.ts';
import { apart, areApart, dropNames } from './apart.ts';
import { testedFrontEnd } from './front-end.ts';
import { createMigratedDatabase, type TestDatabase } from './postgres.ts';

export interface Answer {
  readonly http: number;
  /** The parsed JSON object; empty when the body is not one. */
  readonly body: Record<string, unknown>;
  readonly text: string;
  readonly headers: Headers;
}

export interface TestCore {
  readonly url: string;
  readonly port: number;
  readonly apiKey: string;
  readonly database: TestDatabase;
  /** Every log line so far, as written. */
  readonly log: readonly string[];
  get(path: string, query?: Record<string, string>): Promise<Answer>;
  delete(path: string, query?: Record<string, string>): Promise<Answer>;
  post(path: string, input?: unknown): Promise<Answer>;
  put(path: string, input?: unknown): Promise<Answer>;
  announceStop(): void;
  /** As after a change of the files with keys. */
  readonly replaceKeys: Core['replaceKeys'];
  /** Refuses new requests, completes accepted ones. May be called before `stop`. */
  close(): Promise<void>;
  /** Closes the core if needed and drops its database. */
  stop(): Promise<void>;
}

export interface TestCoreOptions {
  /** Settings by their names in the environment: `{ MAX_BODY_BYTES: '1000' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly overrides?: CoreOptions['overrides'];
  readonly encryptionKeys?: readonly Uint8Array[];
  /** Another core over this database, as behind a load balancer; `stop` does not drop it then. */
  readonly database?: TestDatabase;
  /** The place `second`, for apps that are created there. */
  readonly otherPlace?: TestDatabase;
}

export const testApiKey = 'test-key-of-more-than-twenty-characters';

/** Cheap hashes, and no background upgrades, so that tests measure their subject. */
const testSettings = {
  HOST: '127.0.0.1',
  PORT: '0',
  API_KEYS: testApiKey,
  FRONT_END: testedFrontEnd,
  ARGON2_MEMORY_KB: '64',
  ARGON2_ITERATIONS: '1',
  HASHING_THREADS: '2',
  // However busy the machine is.
  WAIT_LIMIT_MS: '600000',
  UPGRADE_PASSWORD_HASHES: 'false',
};

export async function startTestCore(options: TestCoreOptions = {}): Promise<TestCore> {
  const database = options.database ?? (await createMigratedDatabase());
  const { first, second } = await placesOf(database, options.otherPlace);
  const log: string[] = [];
  const core = await startCore({
    config: loadConfig({ environment: { ...testSettings, ...options.settings } }),
    target: first.connection,
    ...(second && { otherPlaces: [{ name: 'second', target: second.connection }] }),
    apiKeys: [testApiKey],
    encryptionKeys: options.encryptionKeys ?? [Buffer.alloc(32, 7)],
    version: 'test',
    log: createLogger({ level: 'debug', stream: { write: (line) => void log.push(line) } }),
    ...(options.overrides && { overrides: options.overrides }),
  });
  await core.ready.catch(async (error: unknown) => {
    await core.close();
    throw error;
  });
  const close = onceOnly(core);
  const stop = async (): Promise<void> => {
    await close();
    if (options.database) return;
    await database.drop();
    await dropNames(database);
  };
  const announceStop = (): void => {
    core.announceStop();
  };
  const replaceKeys: TestCore['replaceKeys'] = (keys) => {
    core.replaceKeys(keys);
  };
  const { port } = core;
  return { ...client(core), announceStop, replaceKeys, database, log, apiKey: testApiKey, port, close, stop };
}

async function placesOf(
  database: TestDatabase,
  otherPlace: TestDatabase | undefined,
): Promise<{ readonly first: TestDatabase; readonly second?: TestDatabase | undefined }> {
  if (otherPlace !== undefined || !areApart) return { first: database, second: otherPlace };
  return apart(database);
}

function onceOnly(core: Core): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () => (closing ??= core.close());
}

function client({ port }: Core): Pick<TestCore, 'url' | 'get' | 'delete' | 'post' | 'put'> {
  const url = `http://127.0.0.1:${port}`;
  const send = async (method: string, path: string, input?: unknown): Promise<Answer> => {
    const isNewApp = areApart && method === 'PUT' && path.includes('/multitenancy/app');
    const sent = isNewApp && isObject(input) ? { place: 'second', ...input } : input;
    const body = input === undefined ? {} : { body: JSON.stringify(sent) };
    return answerOf(await fetch(`${url}${path}`, { method, headers: { 'api-key': testApiKey }, ...body }));
  };
  const ask = (method: string) => (path: string, query?: Record<string, string>) =>
    send(method, query ? `${path}?${new URLSearchParams(query).toString()}` : path);
  return {
    url,
    get: ask('GET'),
    delete: ask('DELETE'),
    post: (path, input = {}) => send('POST', path, input),
    put: (path, input = {}) => send('PUT', path, input),
  };
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return { http: response.status, body: parsed(text), text, headers: response.headers };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
