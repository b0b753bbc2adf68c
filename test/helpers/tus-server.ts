/** An import route on node:http that commits whole lines only, loses connections and restarts on request. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface FakeJob {
  readonly id: string;
  readonly query: URLSearchParams;
  /** What is committed. */
  committed: Buffer;
  length: number | undefined;
  state: 'receiving' | 'done' | 'cancelled' | 'undone';
}

/** One unusual answer, for the next request of that method. */
export type Mishap =
  { readonly status: number; readonly code?: string; readonly retryAfter?: number } | 'hang up' | 'pass';

export interface FakeTus {
  readonly url: string;
  readonly port: number;
  readonly jobs: FakeJob[];
  /** Set: why the core is not ready. */
  notReady: string | undefined;
  /** Method and path of every request, and the headers of the PATCHes. */
  readonly requests: string[];
  readonly patches: IncomingMessage['headers'][];
  readonly mishaps: Partial<Record<string, Mishap[]>>;
  /** Connections break once a PATCH has sent this number of bytes, of which all whole lines are committed. Once. */
  breakAfterBytes: number | undefined;
  /** Holds the answer to a PATCH back once its body has begun to arrive; then `begun` resolves. */
  holdPatches: boolean;
  readonly begun: Promise<void>;
  /** The core's work after everything is committed, before the job is done: the search for absent users. */
  search: Promise<void> | undefined;
  /** The connection of the PATCH breaks during that search, as those do on which nothing is sent for long. */
  breaksInSearch: boolean;
  rejects: readonly object[];
  rejected: number;
  users: string;
  undone: object;
  /** The predicted effect of an undo; undefined: a core that does not report it. */
  foreseen: object | undefined;
  /** As a restart: the port is closed for a while. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export const fakeKey = 'fake-key-of-more-than-twenty-characters';

export async function startFakeTus(): Promise<FakeTus> {
  const begun = Promise.withResolvers<undefined>();
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;
  const fake: FakeTus = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    get port() {
      return port;
    },
    jobs: [],
    requests: [],
    patches: [],
    mishaps: {},
    breakAfterBytes: undefined,
    holdPatches: false,
    begun: begun.promise.then(() => undefined),
    search: undefined,
    breaksInSearch: false,
    rejects: [],
    rejected: 0,
    users: '',
    undone: { removed: 0, restored: 0, left: [] },
    foreseen: undefined,
    notReady: undefined,
    async start() {
      server = createServer((request, response) => {
        void answer(fake, request, response, () => {
          begun.resolve(undefined);
        });
      });
      server.on('connection', (socket) => {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.once('close', () => sockets.delete(socket));
      });
      const listening = server.listen(port, '127.0.0.1');
      await new Promise((resolve) => listening.once('listening', resolve));
      port = (listening.address() as AddressInfo).port;
    },
    async stop() {
      const closed = new Promise((resolve) => server?.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  await fake.start();
  return fake;
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

interface Asked {
  readonly request: IncomingMessage;
  readonly query: URLSearchParams;
  readonly hasBegun: () => void;
}

async function answer(
  fake: FakeTus,
  request: IncomingMessage,
  response: ServerResponse,
  hasBegun: () => void,
): Promise<void> {
  const { method = '', url = '' } = request;
  const { pathname, searchParams } = new URL(url, 'http://fake');
  // Requested before each command, and not the subject of the tests.
  if (pathname === '/readyz') {
    const body =
      fake.notReady === undefined ? { status: 'OK' } : { status: 'NOT_READY', reason: fake.notReady };
    response.writeHead(fake.notReady === undefined ? 200 : 503).end(JSON.stringify(body));
    return;
  }
  fake.requests.push(`${method} ${pathname}`);
  const mishap = fake.mishaps[method]?.shift();
  if (mishap === 'hang up') {
    request.socket.destroy();
    return;
  }
  const asked = { request, query: searchParams, hasBegun };
  const reply = mishap && mishap !== 'pass' ? mishapAnswer(mishap) : await answerTo(fake, pathname, asked);
  if (reply)
    response.writeHead(reply.status, { 'tus-resumable': '1.0.0', ...reply.headers }).end(reply.body ?? '');
}

function mishapAnswer({ status, code = 'OVERLOADED', retryAfter }: Exclude<Mishap, string>): Answer {
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { ...refusal(status, code, 'The core is busy: try again later'), headers };
}

function refusal(status: number, code: string, message: string): Answer {
  return { status, body: JSON.stringify({ status: code, message }) };
}

/** @returns undefined when the connection is closed */
async function answerTo(fake: FakeTus, pathname: string, asked: Asked): Promise<Answer | undefined> {
  const { request } = asked;
  if (request.headers['api-key'] !== fakeKey) return refusal(401, 'INVALID_API_KEY', 'Invalid API key');
  if (pathname === '/bulk-export/users') return { status: 200, body: fake.users };
  if (pathname === '/bulk-import/jobs') return request.method === 'POST' ? create(fake, asked) : list(fake);
  const [, id, part] = /^\/bulk-import\/jobs\/([^/]+)(?:\/(\w+))?$/.exec(pathname) ?? [];
  const job = fake.jobs.find((each) => each.id === id);
  if (!job) return refusal(404, 'NOT_FOUND', 'Not found');
  if (part === 'rejects')
    return { status: 200, body: fake.rejects.map((each) => `${JSON.stringify(each)}\n`).join('') };
  if (part === 'undo' && request.method === 'GET') {
    if (fake.foreseen === undefined) return refusal(405, 'METHOD_NOT_ALLOWED', 'Method not allowed');
    return { status: 200, body: JSON.stringify({ status: 'OK', ...fake.foreseen }) };
  }
  if (part === 'undo') return { status: 200, body: JSON.stringify({ status: 'OK', ...fake.undone }) };
  return answerOfJob(fake, job, asked);
}

async function answerOfJob(fake: FakeTus, job: FakeJob, asked: Asked): Promise<Answer | undefined> {
  const { request, hasBegun } = asked;
  // A request for a job with all lines begins what a broken one has left.
  if (fake.search === undefined && job.state === 'receiving' && job.committed.length === job.length)
    job.state = 'done';
  if (request.method === 'GET')
    return { status: 200, body: JSON.stringify({ status: 'OK', job: viewOf(fake, job) }) };
  if (request.method === 'DELETE') {
    job.state = 'cancelled';
    return { status: 204 };
  }
  if (job.state === 'cancelled') return refusal(410, 'UPLOAD_GONE', 'The import was cancelled');
  if (request.method === 'HEAD') return { status: 200, headers: progressOf(job) };
  if (Number(request.headers['upload-offset']) !== job.committed.length)
    return refusal(409, 'UPLOAD_OFFSET_CONFLICT', 'This is not the committed offset');
  fake.patches.push(request.headers);
  await receive(fake, job, request, hasBegun);
  return request.complete ? { status: 204, headers: progressOf(job) } : undefined;
}

function create(fake: FakeTus, { request, query }: Asked): Answer {
  const length = request.headers['upload-length'];
  const id = `job-${fake.jobs.length + 1}`;
  fake.jobs.push({
    id,
    query,
    committed: Buffer.alloc(0),
    length: length === undefined ? undefined : Number(length),
    state: 'receiving',
  });
  return { status: 201, headers: { location: `/bulk-import/jobs/${id}`, 'upload-offset': '0' } };
}

function list(fake: FakeTus): Answer {
  const jobs = fake.jobs.map((job) => viewOf(fake, job)).reverse();
  return { status: 200, body: JSON.stringify({ status: 'OK', jobs }) };
}

function progressOf({ committed, length }: FakeJob): Record<string, string> {
  return {
    'upload-offset': String(committed.length),
    ...(length === undefined ? { 'upload-defer-length': '1' } : { 'upload-length': String(length) }),
  };
}

async function receive(
  fake: FakeTus,
  job: FakeJob,
  request: IncomingMessage,
  hasBegun: () => void,
): Promise<void> {
  const told = request.headers['upload-length'];
  if (told !== undefined) job.length = Number(told);
  let body = Buffer.alloc(0);
  const before = job.committed;
  const commit = (isEnd: boolean): void => {
    const all = Buffer.concat([before, body]);
    job.committed = isEnd && all.length === job.length ? all : all.subarray(0, all.lastIndexOf(10) + 1);
  };
  try {
    for await (const chunk of request) {
      body = Buffer.concat([body, chunk as Buffer]);
      commit(false);
      hasBegun();
      if (fake.holdPatches) await new Promise((resolve) => request.socket.once('close', resolve));
      if (fake.breakAfterBytes !== undefined && body.length >= fake.breakAfterBytes) {
        fake.breakAfterBytes = undefined;
        request.socket.destroy();
        return;
      }
    }
  } catch {
    return;
  }
  commit(true);
  if (fake.breaksInSearch) request.socket.destroy();
  await fake.search;
  if (job.committed.length === job.length) job.state = 'done';
}

function viewOf(fake: FakeTus, job: FakeJob): object {
  const lines = job.committed
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '').length;
  return {
    id: job.id,
    name: job.query.get('name') ?? '',
    state: job.state,
    dryRun: job.query.get('dryRun') === 'true',
    onConflict: job.query.get('onConflict') ?? 'update',
    secondFactor: job.query.get('secondFactor') ?? 'flag',
    absentAction: job.query.get('absent'),
    bytes: job.committed.length,
    lines,
    created: lines - fake.rejected,
    updated: 0,
    unchanged: 0,
    skipped: 0,
    rejected: fake.rejected,
    byKind: { bcrypt: lines - fake.rejected },
    byFactor: {},
    byState: {},
    startedAt: 1_700_000_000_000,
    ...(job.state === 'done' && { finishedAt: 1_700_000_002_000 }),
    usersPerSecond: 4000,
  };
}
