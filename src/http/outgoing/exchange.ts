import {
  type ClientRequest,
  type IncomingMessage,
  Agent as PlainAgent,
  request as plainRequest,
} from 'node:http';
import { Agent as SafeAgent, request as safeRequest } from 'node:https';
import type { Reach } from '../../domain/access/reach.ts';
import { directoriesBy } from './directory.ts';
import type { Exchange, InDirectory, WireAnswer, WireRequest } from '../../operations/ports/outgoing.ts';
import { type LookupFunction, lookupWithin, requireReach, usualLookup } from './reach.ts';

const answerLimit = 65_536;
const headLimit = 16_384;
/** Idle sockets, limited because of the sources of many tenants. */
const idleSockets = 64;
const idleMs = 10_000;

export interface Outgoing {
  /** Repeats a request only if no byte of an answer arrived. */
  readonly exchange: Exchange;
  /** Never repeats: for values that are accepted once. */
  readonly sendOnce: Exchange;
  readonly inDirectory: InDirectory;
  close(): void;
}

/** No answer; the message is our own. */
class Broken extends Error {
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/** No byte of an answer arrived, so the request may be repeated. */
class Unanswered extends Broken {}

/**
 * Always verifies certificates. Does not follow redirects.
 * @param lookup resolves names
 */
export function openOutgoing(lookup: LookupFunction = usualLookup): Outgoing {
  // Requests share connections only if they may reach the same addresses.
  const agents = { any: agentsOf('any', lookup), public: agentsOf('public', lookup) };
  const send = (request: WireRequest) => once(agents[request.reach], request);
  return {
    sendOnce: send,
    inDirectory: directoriesBy(lookup),
    exchange: (request) =>
      send(request).catch((error: unknown) => {
        if (!(error instanceof Unanswered) || request.signal.aborted) throw error;
        return send(request);
      }),
    close: () => {
      for (const { plain, safe } of Object.values(agents)) {
        plain.destroy();
        safe.destroy();
      }
    },
  };
}

interface Agents {
  readonly plain: PlainAgent;
  readonly safe: SafeAgent;
}

function agentsOf(reach: Reach, lookup: LookupFunction): Agents {
  const common = { keepAlive: true, maxFreeSockets: 8, timeout: idleMs, maxTotalSockets: Infinity };
  const within = { ...common, lookup: lookupWithin(reach, lookup) };
  return {
    plain: new PlainAgent({ ...within, maxFreeSockets: idleSockets }),
    safe: new SafeAgent({ ...within, minVersion: 'TLSv1.2' }),
  };
}

async function once(agents: Agents, request: WireRequest): Promise<WireAnswer> {
  requireReach(new URL(request.url).hostname, request.reach);
  const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();
  const sent = open(agents, request);
  const hasBytes = watchBytes(sent);
  sent.on('error', (error) => {
    reject(request.signal.aborted ? new Broken('TIMEOUT') : brokenBy(error, hasBytes()));
  });
  sent.on('response', (answer) => {
    readAnswer(answer, request.maxBytes ?? answerLimit).then(resolve, (error: unknown) => {
      sent.destroy();
      reject(request.signal.aborted ? new Broken('TIMEOUT') : (error as Error));
    });
  });
  sent.end(request.body);
  return promise;
}

function open(
  { plain, safe }: Agents,
  { method, url, headers, body, ca, signal }: WireRequest,
): ClientRequest {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body).toString() };
  const all = { accept: 'application/json', 'user-agent': 'carryover', ...headers, ...length };
  const options = { method, headers: all, signal, maxHeaderSize: headLimit };
  if (new URL(url).protocol === 'http:') return plainRequest(url, { ...options, agent: plain });
  return safeRequest(url, {
    ...options,
    agent: safe,
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  });
}

/** @returns whether the peer sent anything since the request got its connection. Data of TLS itself counts too, to be safe. */
function watchBytes(sent: ClientRequest): () => boolean {
  let since: number | undefined;
  sent.once('socket', (socket) => {
    since = socket.bytesRead;
    // A reused connection has completed TLS.
    if (socket.connecting) socket.once('secureConnect', () => (since = socket.bytesRead));
  });
  return () => since !== undefined && (sent.socket?.bytesRead ?? 0) > since;
}

function brokenBy(error: Error, hasBytes: boolean): Broken {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'BROKEN';
  return hasBytes ? new Broken(code, { cause: error }) : new Unanswered(code, { cause: error });
}

async function readAnswer(answer: IncomingMessage, maxBytes: number): Promise<WireAnswer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Broken('ANSWER_TOO_LARGE');
    chunks.push(chunk);
  }
  if (!answer.complete) throw new Broken('ANSWER_CUT_OFF');
  const seconds = Number(answer.headers['retry-after']);
  return {
    status: answer.statusCode ?? 0,
    retryAfterSeconds: Number.isInteger(seconds) && seconds > 0 ? seconds : undefined,
    text: Buffer.concat(chunks).toString(),
  };
}
