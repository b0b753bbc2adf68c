/** Requests that the core itself sends: to old systems, about passwords and sessions. */
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

/** Bytes of an answer's body, unless the request says otherwise, and of its head. */
const answerLimit = 65_536;
const headLimit = 16_384;
/** Sockets that are kept while nothing is asked: sources of many tenants must not hold them all. */
const idleSockets = 64;
const idleMs = 10_000;

export interface Outgoing {
  /** Sends once more only if no byte of an answer came. */
  readonly exchange: Exchange;
  /** Never sends twice: for what may be taken once. */
  readonly sendOnce: Exchange;
  readonly inDirectory: InDirectory;
  close(): void;
}

/** No answer was had; the message is one of ours. */
class Broken extends Error {
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/** Not a byte of an answer came, so the request may be sent again. */
class Unanswered extends Broken {}

/**
 * Certificates are verified always. Redirects are answers like any other.
 * @param lookup resolves names
 */
export function openOutgoing(lookup: LookupFunction = usualLookup): Outgoing {
  // Connections that are kept are shared by those only that may reach the same addresses.
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

/**
 * @returns whether the other side sent anything since the request had its connection. What TLS itself sends counts as well:
 *   then a request is rather not repeated.
 */
function watchBytes(sent: ClientRequest): () => boolean {
  let since: number | undefined;
  sent.once('socket', (socket) => {
    since = socket.bytesRead;
    // A connection that is kept has been through that.
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
