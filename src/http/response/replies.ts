import { randomUUID } from 'node:crypto';
import { Refusal, type RefusalCode, refusals } from '../../domain/errors.ts';
import type { Log } from '../ports.ts';

const json = 'application/json; charset=utf-8';

const statusLines = {
  200: '200 OK',
  201: '201 Created',
  204: '204 No Content',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  408: '408 Request Timeout',
  409: '409 Conflict',
  410: '410 Gone',
  411: '411 Length Required',
  412: '412 Precondition Failed',
  413: '413 Content Too Large',
  415: '415 Unsupported Media Type',
  423: '423 Locked',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
} as const;

export type HttpStatus = keyof typeof statusLines;
export function statusLineOf(http: HttpStatus): string {
  return statusLines[http];
}

export type Header = readonly [name: string, value: string];

interface ReplyParts {
  readonly http?: HttpStatus;
  readonly contentType?: string;
  readonly body?: string;
  /** For drivers of the interface: the message of a refusal. */
  readonly message?: string;
  readonly headers?: readonly Header[];
  /** For 503 or 429. Default 1. */
  readonly retryAfterSeconds?: number | undefined;
}

export class Reply {
  readonly http: HttpStatus;
  readonly contentType: string | undefined;
  readonly body: string;
  readonly #parts: ReplyParts;
  readonly headers: readonly Header[];

  /** Adds `Retry-After` to 503 and 429. */
  constructor(parts: ReplyParts) {
    this.http = parts.http ?? 200;
    this.contentType = parts.contentType;
    this.body = parts.body ?? '';
    this.#parts = parts;
    const { headers = [], retryAfterSeconds = 1 } = parts;
    const isForNow = this.http === 503 || this.http === 429;
    this.headers = isForNow ? [...headers, ['Retry-After', String(retryAfterSeconds)]] : headers;
  }

  /** For drivers of the interface, which quote the body: only the message. */
  forDriver(): Reply {
    const { message } = this.#parts;
    if (message === undefined) return this;
    return new Reply({ ...this.#parts, contentType: 'text/plain; charset=utf-8', body: `${message}\n` });
  }

  get statusLine(): string {
    return statusLineOf(this.http);
  }
}

/**
 * An answer with 200 whose body is produced while it is sent, at its reader's pace.
 *
 * `chunks` is called once, when the head is written, and left early (`return()`) after a hang-up or shutdown, which the signal
 * reports at once. An iterable that ends after the signal gives a complete answer; one that continues or throws is cut: the
 * connection closes without the last chunk, so no client takes it for complete.
 */
export class StreamReply {
  readonly contentType: string;
  readonly headers: readonly Header[];
  readonly chunks: (signal: AbortSignal) => AsyncIterable<string | Uint8Array>;

  constructor(parts: Pick<StreamReply, 'contentType' | 'chunks'> & { readonly headers?: readonly Header[] }) {
    this.contentType = parts.contentType;
    this.headers = parts.headers ?? [];
    this.chunks = parts.chunks;
  }
}

export function bodilessReply(http: HttpStatus, headers: readonly Header[] = []): Reply {
  return new Reply({ http, headers });
}

/** Undefined fields are left out. */
export function jsonReply(value: object, http: HttpStatus = 200): Reply {
  return new Reply({ http, contentType: json, body: JSON.stringify(value) });
}

export function textReply(body: string, contentType = 'text/plain; charset=utf-8'): Reply {
  return new Reply({ contentType, body });
}

const prepared = new Map<RefusalCode, Reply>(
  (Object.keys(refusals) as RefusalCode[]).map((code) => [code, errorReply(code, refusals[code].message)]),
);

export function refusalReply(refusal: Refusal, headers: readonly Header[] = []): Reply {
  const { code, message, retryAfterSeconds, driverMessage } = refusal;
  const ready = prepared.get(code);
  const isStandard =
    headers.length === 0 && retryAfterSeconds === undefined && message === refusals[code].message;
  if (isStandard && ready) return ready;
  return errorReply(code, message, { headers, retryAfterSeconds, message: driverMessage ?? message });
}

/** Any error but a Refusal is a bug: it is logged under the id in the answer. */
export function failureReply(error: unknown, log: Log, route: string | undefined): Reply {
  if (error instanceof Refusal) return refusalReply(error);
  const errorId = randomUUID();
  log.error({ err: error, errorId, route }, 'a request failed unexpectedly');
  return internalErrorReply(errorId);
}

/** 405, which must list the supported verbs. */
export function methodNotSupportedReply(allowed: readonly string[]): Reply {
  const code = 'METHOD_NOT_SUPPORTED';
  return errorReply(code, refusals[code].message, { headers: [['Allow', allowed.join(', ')]] });
}

/** Shows only an id, under which the log has the cause. */
export function internalErrorReply(id: string): Reply {
  return errorReply('INTERNAL_ERROR', `${refusals.INTERNAL_ERROR.message}: ${id}`);
}

function errorReply(
  code: RefusalCode,
  message: string,
  more: Pick<ReplyParts, 'headers' | 'retryAfterSeconds' | 'message'> = {},
): Reply {
  const body = JSON.stringify({ status: code, message });
  return new Reply({ http: refusals[code].http, contentType: json, body, message, ...more });
}

/** @param outcome of a handler: an object is answered as JSON with 200 */
export function replyOf(outcome: Reply | StreamReply | object): Reply | StreamReply {
  return outcome instanceof Reply || outcome instanceof StreamReply ? outcome : jsonReply(outcome);
}
