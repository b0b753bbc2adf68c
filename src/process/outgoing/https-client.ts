import http from 'node:http';
import https from 'node:https';

/** A request to another system. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** PEM; the system's own authorities when left out. */
  readonly ca?: string | undefined;
  readonly timeoutMs: number;
  /** An answer with more is a failure. */
  readonly maxBytes: number;
}

export interface OutgoingAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Rejects when no whole answer came: it is never taken for an answer. */
export type SendRequest = (request: OutgoingRequest) => Promise<OutgoingAnswer>;

/** An answer did not come, or not whole. It says why in words that hold neither URL nor body. */
export class OutgoingFailure extends Error {
  override readonly name = 'OutgoingFailure';
  /** Whether any byte of an answer came: if none did, it may be asked again. */
  readonly hasBegun: boolean;

  constructor(message: string, options: ErrorOptions & { readonly hasBegun: boolean }) {
    super(message, options);
    this.hasBegun = options.hasBegun;
  }
}

/**
 * One request to another system: bounded in time and bytes, TLS verified, no redirect followed and no connection kept. Proxies of
 * the environment are not used.
 * @throws OutgoingFailure
 */
export function sendRequest(request: OutgoingRequest): Promise<OutgoingAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<OutgoingAnswer>();
  let hasBegun = false;
  const fail = (message: string, cause?: unknown): void => {
    reject(new OutgoingFailure(message, { cause, hasBegun }));
    sent.destroy();
  };
  const sent = open(request);
  const timer = setTimeout(() => {
    fail(`no whole answer within ${request.timeoutMs} ms`);
  }, request.timeoutMs);
  sent.on('error', (error) => {
    fail(hasBegun ? 'the connection broke within the answer' : 'no connection, or no answer', error);
  });
  sent.on('response', (response) => {
    hasBegun = true;
    const chunks: Buffer[] = [];
    let size = 0;
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > request.maxBytes) fail(`the answer has more than ${request.maxBytes} bytes`);
      else chunks.push(chunk);
    });
    response.on('error', (error) => {
      fail('the connection broke within the answer', error);
    });
    response.on('end', () => {
      const { statusCode: status = 0, headers } = response;
      if (response.complete) resolve({ status, headers, body: Buffer.concat(chunks) });
      else fail('the connection broke within the answer');
    });
  });
  sent.end(request.body);
  return promise.finally(() => {
    clearTimeout(timer);
  });
}

function open({ url, method, headers, body, ca }: OutgoingRequest): http.ClientRequest {
  const target = new URL(url);
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const options = { method, headers: { ...headers, ...length }, agent: false as const };
  if (target.protocol === 'http:') return http.request(target, options);
  return https.request(target, { ...options, ...(ca !== undefined && { ca }) });
}
