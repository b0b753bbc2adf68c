import { type Refusal, type RefusalCode, refusals } from '../errors.ts';

const json = 'application/json; charset=utf-8';

const statusLines = {
  200: '200 OK',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  411: '411 Length Required',
  413: '413 Content Too Large',
  500: '500 Internal Server Error',
  503: '503 Service Unavailable',
} as const;

export type HttpStatus = keyof typeof statusLines;
type Header = readonly [name: string, value: string];

/** All of an answer that can be known before it is written. */
export class Reply {
  readonly http: HttpStatus;
  readonly contentType: string;
  readonly body: string;
  readonly headers: readonly Header[];

  /** 503 gets its `Retry-After` here, so that no answer of that kind is without one. */
  constructor(parts: { http?: HttpStatus; contentType: string; body: string; headers?: readonly Header[] }) {
    this.http = parts.http ?? 200;
    this.contentType = parts.contentType;
    this.body = parts.body;
    this.headers =
      this.http === 503 ? [...(parts.headers ?? []), ['Retry-After', '1']] : (parts.headers ?? []);
  }

  get statusLine(): string {
    return statusLines[this.http];
  }
}

/** An object as JSON. Fields that are undefined are left out. */
export function jsonReply(value: object, http: HttpStatus = 200): Reply {
  return new Reply({ http, contentType: json, body: JSON.stringify(value) });
}

export function textReply(body: string, contentType = 'text/plain; charset=utf-8'): Reply {
  return new Reply({ contentType, body });
}

/** The table of refusals as answers, made once. */
const prepared = new Map<RefusalCode, Reply>(
  (Object.keys(refusals) as RefusalCode[]).map((code) => [code, errorReply(code, refusals[code].message)]),
);

/** @returns the answer to an expected refusal */
export function refusalReply(refusal: Refusal): Reply {
  const ready = prepared.get(refusal.code);
  const isStandard = ready !== undefined && refusal.message === refusals[refusal.code].message;
  return isStandard ? ready : errorReply(refusal.code, refusal.message);
}

/** 405, which has to say what would be supported. */
export function methodNotSupportedReply(allowed: readonly string[]): Reply {
  const code = 'METHOD_NOT_SUPPORTED';
  return errorReply(code, refusals[code].message, [['Allow', allowed.join(', ')]]);
}

/** What the client learns of a bug: an id to quote, under which the log has the cause. */
export function internalErrorReply(id: string): Reply {
  return errorReply('INTERNAL_ERROR', `${refusals.INTERNAL_ERROR.message}: ${id}`);
}

function errorReply(code: RefusalCode, message: string, headers: readonly Header[] = []): Reply {
  const body = JSON.stringify({ status: code, message });
  return new Reply({ http: refusals[code].http, contentType: json, body, headers });
}
