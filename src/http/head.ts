import type { RefusalCode } from '../errors.ts';

/** What a request says before its body, copied: the native request is gone when its callback returns. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  /** From `api-key`, else from `Authorization: Bearer`. */
  readonly apiKey: string | undefined;
  readonly cdiVersion: string | undefined;
  readonly framing: Framing;
}

/** How long the body is, or why it may not be read. Whoever sends the latter loses the connection. */
export type Framing =
  | { readonly kind: 'sound'; readonly bodyBytes: number }
  | { readonly kind: 'refused'; readonly code: RefusalCode };

/** The part of a native request that is read here. */
export interface NativeRequest {
  getCaseSensitiveMethod(): string;
  getUrl(): string;
  getQuery(): string | undefined;
  forEach(visit: (name: string, value: string) => void): void;
}

/** Every value of the two headers that say where the body ends. */
interface FramingHeaders {
  readonly contentLengths: string[];
  readonly transferEncodings: string[];
}

/**
 * Reads the head in one pass over the headers. Asking for a header by name would show only the first of its
 * name, and an empty one as absent: exactly what request smuggling lives on.
 */
export function readHead(request: NativeRequest, maxBodyBytes: number): RequestHead {
  const headers: FramingHeaders = { contentLengths: [], transferEncodings: [] };
  let apiKey: string | undefined;
  let bearer: string | undefined;
  let cdiVersion: string | undefined;
  request.forEach((name, value) => {
    if (name === 'content-length') headers.contentLengths.push(value);
    else if (name === 'transfer-encoding') headers.transferEncodings.push(value);
    else if (name === 'api-key') apiKey ??= value;
    else if (name === 'authorization') bearer ??= bearerToken(value);
    else if (name === 'cdi-version') cdiVersion ??= value;
  });
  return {
    method: request.getCaseSensitiveMethod(),
    path: request.getUrl(),
    query: request.getQuery() ?? '',
    apiKey: apiKey ?? bearer,
    cdiVersion,
    framing: framingOf(headers, maxBodyBytes),
  };
}

function bearerToken(value: string): string | undefined {
  return /^bearer +(\S+)$/i.exec(value)?.[1];
}

/**
 * Judges where a body ends. Two intermediaries that disagree about it are how a request is smuggled, and
 * uWebSockets.js itself takes the first of several lengths and reads any transfer encoding as chunked.
 * A streaming route, which takes `chunked`, would be judged here by a limit of its own.
 */
function framingOf({ contentLengths, transferEncodings }: FramingHeaders, maxBodyBytes: number): Framing {
  if (contentLengths.length + transferEncodings.length > 1) return refused('INVALID_FRAMING');
  const [encoding] = transferEncodings;
  if (encoding !== undefined) return refused(encoding === 'chunked' ? 'LENGTH_REQUIRED' : 'INVALID_FRAMING');
  const [length] = contentLengths;
  if (length === undefined) return bodyless;
  if (!/^\d+$/.test(length)) return refused('INVALID_FRAMING');
  const bodyBytes = Number(length);
  return bodyBytes > maxBodyBytes ? refused('BODY_TOO_LARGE') : { kind: 'sound', bodyBytes };
}

const bodyless: Framing = { kind: 'sound', bodyBytes: 0 };

function refused(code: RefusalCode): Framing {
  return { kind: 'refused', code };
}
