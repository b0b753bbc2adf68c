import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { CommandError, systemCode } from '../command-error.ts';

/** The address of a core, and the key to call it with. */
export interface Server {
  readonly url: URL;
  readonly apiKey: string | undefined;
  /** undefined: the public one. */
  readonly app: string | undefined;
}

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query; the app's segment is put before it. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Without a Content-Length header it goes out chunked. */
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

/** A request's way to the core. Bodies are streamed: what waits is bounded by the socket's buffer. */
export class HttpClient {
  readonly server: Server;

  constructor(server: Server) {
    this.server = server;
  }

  /**
   * Resolves when the answer's head is there, even in the middle of the body, which is then not sent any further.
   * @throws ConnectionBroken; CommandError for TLS where none is spoken; the abort's error; whatever reading `body` throws
   */
  async send(sent: HttpRequest): Promise<IncomingMessage> {
    const request = this.#open(sent);
    const answer = answerTo(request, this.server.url);
    try {
      await sendBody(request, sent.body, answer);
      return await answer.head;
    } catch (error) {
      request.destroy();
      sent.signal?.throwIfAborted();
      throw error;
    }
  }

  #open({ method, path, headers, idleTimeoutMs, signal }: HttpRequest): ClientRequest {
    const { url, apiKey, app } = this.server;
    const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const prefix = `${url.pathname.replace(/\/+$/, '')}${app === undefined ? '' : `/appid-${app}`}`;
    const request = open(url, {
      method,
      path: `${prefix}${path}`,
      headers: { ...(apiKey !== undefined && { 'api-key': apiKey }), ...headers },
      // Every request on a connection of its own: one that was kept may be closed at the very moment it is used.
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
 * An orderly end lies behind what was sent before it: a core that has paused an upload would learn of it only when it goes
 * on reading, and keep what it holds of the upload until then. A reset arrives at once.
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

/** Under TLS there is no connection to reset: there the end is an orderly one. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) return;
  // By itself it would first wait until all that was written has gone out, which a paused upload's never does.
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

/** OpenSSL's words for bytes that are no TLS, whatever the server answered. */
function isPlainAnswer(error: Error): boolean {
  return /^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG))$/.test(systemCode(error) ?? '');
}

/** No wait for the core mends it. */
function withoutTls({ href }: URL): CommandError {
  const [asked, plain] = [href, href.replace(/^https:/, 'http:')].map((each) => each.replace(/\/$/, ''));
  return new CommandError(
    `${asked} does not speak TLS, and the core itself never does: write --url ${plain}, or the address of the proxy that has the certificate`,
    { code: 'NO_TLS', field: '--url', cure: `write --url ${plain}` },
  );
}

/**
 * The answer's body as text.
 * @throws ConnectionBroken when it ends too early, or after 16 MiB: no answer of the core's that is read whole is so long
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

/** The answer's body as it comes. @throws ConnectionBroken when it ends too early */
export async function* bodyOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    for await (const part of response) yield part as Uint8Array;
  } catch (error) {
    throw brokenBy(error instanceof Error ? error : new Error('unknown', { cause: error }));
  }
}
