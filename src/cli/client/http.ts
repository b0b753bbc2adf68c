import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { CommandError, systemCode } from '../command-error.ts';

/** The address of a core, and the key for it. */
export interface Server {
  readonly url: URL;
  readonly apiKey: string | undefined;
  /** undefined: the public one. */
  readonly app: string | undefined;
}

/** An address as people write it. */
export function addressText({ href }: URL): string {
  return href.replace(/\/$/, '');
}

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query; the app's segment is added before it. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent chunked if it has no Content-Length header. */
  readonly body?: AsyncIterable<Uint8Array> | string | undefined;
  /** ms without a byte in either direction until the connection counts as broken. */
  readonly idleTimeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** No answer came, or the connection broke in the middle. `reason` is for people. */
export class ConnectionBroken extends Error {
  override readonly name = 'ConnectionBroken';
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(`connection: ${reason}`, options);
    this.reason = reason;
  }
}

/**
 * Sends requests to the core. Bodies are streamed: waiting bytes are bounded by the socket's buffer. Of several cores of one
 * database it keeps to one until a request to it breaks or finds it unable to serve; the next request, or the repetition of this
 * one, goes to another.
 */
export class HttpClient {
  readonly #servers: readonly Server[];
  #current = 0;

  constructor(server: Server, others: readonly Server[] = []) {
    this.#servers = [server, ...others];
  }

  get server(): Server {
    const server = this.#servers[this.#current];
    if (server === undefined) throw new Error('there is no such server');
    return server;
  }

  /**
   * Resolves when the answer's head has arrived, even in the middle of the body, the rest of which is then not sent.
   * @throws ConnectionBroken; CommandError for TLS if the server does not speak it; the abort's error; the errors of reading
   *   `body`
   */
  async send(sent: HttpRequest): Promise<IncomingMessage> {
    const request = this.#open(sent);
    const answer = answerTo(request, this.server.url);
    try {
      await sendBody(request, sent.body, answer);
      const head = await answer.head;
      if ((head.statusCode ?? 0) >= 500) this.#turnToNext();
      return head;
    } catch (error) {
      request.destroy();
      sent.signal?.throwIfAborted();
      if (error instanceof ConnectionBroken) this.#turnToNext();
      throw error;
    }
  }

  #turnToNext(): void {
    this.#current = (this.#current + 1) % this.#servers.length;
  }

  #open({ method, path, headers, idleTimeoutMs, signal }: HttpRequest): ClientRequest {
    const { url, apiKey, app } = this.server;
    const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const prefix = `${url.pathname.replace(/\/+$/, '')}${app === undefined ? '' : `/appid-${app}`}`;
    const request = open(url, {
      method,
      path: `${prefix}${path}`,
      headers: { ...(apiKey !== undefined && { 'api-key': apiKey }), ...headers },
      // Each request on a new connection: a reused one may be closed at the very moment it is used.
      agent: false,
    });
    if (signal !== undefined) resetOnAbort(request, signal);
    request.setSocketKeepAlive(true, 10_000);
    if (idleTimeoutMs !== undefined)
      request.setTimeout(idleTimeoutMs, () => {
        request.destroy(new ConnectionBroken('nothing came back for too long'));
      });
    return request;
  }
}

/**
 * A regular end is queued after everything sent before it: a core that has paused an upload would notice it only when it
 * continues reading, and retain what it holds of the upload until then. A reset arrives at once.
 */
function resetOnAbort(request: ClientRequest, signal: AbortSignal): void {
  const abort = (): void => {
    if (request.socket) reset(request.socket);
    request.destroy(new ConnectionBroken('given up', { cause: signal.reason }));
  };
  if (signal.aborted) abort();
  else {
    signal.addEventListener('abort', abort, { once: true });
    request.once('close', () => {
      signal.removeEventListener('abort', abort);
    });
  }
}

/** Under TLS the connection cannot be reset: it is ended regularly. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) return;
  // Otherwise it would first wait until everything written has been sent, which never happens for a paused upload.
  socket.destroySoon = () => {
    socket.destroy();
  };
  socket.resetAndDestroy();
}

interface Answer {
  readonly head: Promise<IncomingMessage>;
  isSettled: boolean;
}

function answerTo(request: ClientRequest, url: URL): Answer {
  const head = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', (error) => {
      reject(isPlainAnswer(error) ? withoutTls(url) : brokenBy(error));
    });
  });
  const answer = { head, isSettled: false };
  const settle = (): void => {
    answer.isSettled = true;
  };
  head.then(settle, settle);
  return answer;
}

async function sendBody(request: ClientRequest, body: HttpRequest['body'], answer: Answer): Promise<void> {
  if (body === undefined || typeof body === 'string') {
    request.end(body);
    return;
  }
  for await (const chunk of body) {
    if (answer.isSettled) return;
    if (!request.write(chunk)) await Promise.race([drained(request), answer.head.catch(() => undefined)]);
  }
  if (!answer.isSettled) request.end();
}

function drained(request: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      request.off('drain', done).off('close', done);
      resolve();
    };
    request.once('drain', done).once('close', done);
  });
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ETIMEDOUT: 'no answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
};

function brokenBy(error: Error): ConnectionBroken {
  if (error instanceof ConnectionBroken) return error;
  const code = systemCode(error) ?? 'unknown error';
  return new ConnectionBroken(reasons[code] ?? code, { cause: error });
}

/** OpenSSL's messages for bytes that are not TLS, whatever the server answered. */
function isPlainAnswer(error: Error): boolean {
  return /^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG))$/.test(systemCode(error) ?? '');
}

/** Waiting for the core does not help. */
function withoutTls({ href }: URL): CommandError {
  const [asked, plain] = [href, href.replace(/^https:/, 'http:')].map((each) => each.replace(/\/$/, ''));
  return new CommandError(
    `${asked} does not speak TLS, and the core itself never does: write --url ${plain}, or the address of the proxy that has the certificate`,
    { code: 'NO_TLS', field: '--url', cure: `write --url ${plain}` },
  );
}

/**
 * The answer's body as text.
 * @throws ConnectionBroken when it ends too early, or after 16 MiB, which no answer of the core that is read completely reaches
 */
export async function textOf(response: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of bodyOf(response)) {
    bytes += part.length;
    if (bytes > 16_777_216) throw new ConnectionBroken('the answer is too long to be one of a core');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The answer's body as a stream. @throws ConnectionBroken when it ends too early */
export async function* bodyOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    for await (const part of response) yield part as Uint8Array;
  } catch (error) {
    throw brokenBy(error instanceof Error ? error : new Error('unknown', { cause: error }));
  }
}
