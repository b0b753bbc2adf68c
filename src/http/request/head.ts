import type { RefusalCode } from '../../domain/errors.ts';
import type { NativeRequest } from '../front-ends/native.ts';

/** What a request says before its body, copied: the native request is gone when its callback returns. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  /** Without the question mark; empty without a query. */
  readonly query: string;
  /** From `api-key`, else from `Authorization: Bearer`. */
  readonly apiKey: string | undefined;
  readonly cdiVersion: string | undefined;
  /** The recipe that the caller means where a path is that of several. */
  readonly rid: string | undefined;
  /** The first header of the name that was asked for: where the backend's own client is, see client-address.ts. */
  readonly clientAddress: string | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  /** `tus-resumable` and everything that starts with `upload-`, in lower case. */
  readonly uploadHeaders: ReadonlyMap<string, string>;
  readonly framing: Framing;
}

/** How long the body is, or why it may not be read. The sender of the latter loses the connection. */
export type Framing =
  | { readonly kind: 'sound'; readonly bodyBytes: number }
  /** In chunks whose sum is unknown: for routes that take a body as it comes. */
  | { readonly kind: 'chunked' }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly message?: string };

/** What a route lets in. */
export interface BodyLimits {
  /** Takes its body as it comes, of any length. */
  readonly streams?: boolean;
  readonly maxBodyBytes?: number;
}

/** Every value of the two headers that say where the body ends. */
interface FramingHeaders {
  readonly contentLengths: string[];
  readonly transferEncodings: string[];
}

/** The two headers that may carry the key. */
interface KeyHeaders {
  apiKey: string | undefined;
  bearer: string | undefined;
}

/** What drivers of the interface say of a request. */
interface DriverHeaders {
  cdiVersion: string | undefined;
  rid: string | undefined;
}

/**
 * Reads the head in one pass over the headers. Asking for a header by name would show only the first of its
 * name, and an empty one as absent: exactly what request smuggling lives on.
 * @param clientAddressHeader in lower case; none when left out
 */
export function readHead(request: NativeRequest, clientAddressHeader = ''): RequestHead {
  const headers: FramingHeaders = { contentLengths: [], transferEncodings: [] };
  const keys: KeyHeaders = { apiKey: undefined, bearer: undefined };
  const driver: DriverHeaders = { cdiVersion: undefined, rid: undefined };
  let clientAddress: string | undefined;
  let contentType: string | undefined;
  let contentEncoding: string | undefined;
  let uploadHeaders: Map<string, string> | undefined;
  request.forEach((name, value) => {
    if (isFraming(headers, name, value) || isOfKey(keys, name, value) || isOfDriver(driver, name, value))
      return;
    if (name === 'content-type') contentType ??= value;
    else if (name === 'content-encoding') contentEncoding ??= value;
    else if (isOfUpload(name)) (uploadHeaders ??= new Map<string, string>()).set(name, value);
    else if (name === clientAddressHeader) clientAddress ??= value;
  });
  return {
    method: request.getCaseSensitiveMethod(),
    path: request.getUrl(),
    query: request.getQuery() ?? '',
    apiKey: keys.apiKey ?? keys.bearer,
    ...driver,
    clientAddress,
    contentType,
    contentEncoding,
    uploadHeaders: uploadHeaders ?? noHeaders,
    framing: framingOf(headers),
  };
}

const noHeaders: ReadonlyMap<string, string> = new Map();

/** Judges a sound framing by the route's own limits, or by the server's where it has none. */
export function withinLimits(framing: Framing, limits: BodyLimits, defaultMaxBytes: number): Framing {
  if (framing.kind === 'refused' || limits.streams === true) return framing;
  if (framing.kind === 'chunked') return refused('LENGTH_REQUIRED');
  if (framing.bodyBytes <= (limits.maxBodyBytes ?? defaultMaxBytes)) return framing;
  if (limits.maxBodyBytes === undefined) return refused('BODY_TOO_LARGE');
  return {
    ...refused('BODY_TOO_LARGE'),
    message: `The request body is larger than ${limits.maxBodyBytes} bytes`,
  };
}

/** Keeps a header that says where the body ends. */
function isFraming(headers: FramingHeaders, name: string, value: string): boolean {
  if (name === 'content-length') headers.contentLengths.push(value);
  else if (name === 'transfer-encoding') headers.transferEncodings.push(value);
  else return false;
  return true;
}

/** Keeps the first of either. */
function isOfKey(keys: KeyHeaders, name: string, value: string): boolean {
  if (name === 'api-key') keys.apiKey ??= value;
  else if (name === 'authorization') keys.bearer ??= bearerToken(value);
  else return false;
  return true;
}

/** Keeps the first `rid`. A version that is sent twice is invalid: which one is meant is unknown. */
function isOfDriver(driver: DriverHeaders, name: string, value: string): boolean {
  if (name === 'cdi-version')
    driver.cdiVersion = driver.cdiVersion === undefined ? value : `${driver.cdiVersion}, ${value}`;
  else if (name === 'rid') driver.rid ??= value;
  else return false;
  return true;
}

function isOfUpload(name: string): boolean {
  return name.startsWith('upload-') || name === 'tus-resumable';
}

function bearerToken(value: string): string | undefined {
  return /^bearer +(\S+)$/i.exec(value)?.[1];
}

/**
 * Judges where a body ends. Two intermediaries that disagree about it are how a request is smuggled, and
 * uWebSockets.js itself takes the first of several lengths and reads any transfer encoding as chunked.
 */
function framingOf({ contentLengths, transferEncodings }: FramingHeaders): Framing {
  if (contentLengths.length + transferEncodings.length > 1) return refused('INVALID_FRAMING');
  const [encoding] = transferEncodings;
  if (encoding !== undefined)
    return encoding === 'chunked' ? { kind: 'chunked' } : refused('INVALID_FRAMING');
  const [length] = contentLengths;
  if (length === undefined) return bodyless;
  // More digits than a number holds exactly are no length of anything.
  return /^\d{1,15}$/.test(length)
    ? { kind: 'sound', bodyBytes: Number(length) }
    : refused('INVALID_FRAMING');
}

const bodyless: Framing = { kind: 'sound', bodyBytes: 0 };

function refused(code: RefusalCode): Extract<Framing, { kind: 'refused' }> {
  return { kind: 'refused', code };
}
