import type { RefusalCode } from '../../domain/errors.ts';
import type { NativeRequest } from '../front-ends/native.ts';

/** A copy of a request's head, because the native request is only valid during its callback. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  /** Without the question mark; empty without a query. */
  readonly query: string;
  /** From `api-key`, else from `Authorization: Bearer`. */
  readonly apiKey: string | undefined;
  readonly cdiVersion: string | undefined;
  /** The intended recipe, if a path belongs to several. */
  readonly rid: string | undefined;
  /** The first value of the configured header with the end user's address: see client-address.ts. */
  readonly clientAddress: string | undefined;
  /** All cookies, as sent. */
  readonly cookies: string | undefined;
  /** The proof that a page of the console sent the request, and no other site's. */
  readonly csrf: string | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  /** `tus-resumable` and all that start with `upload-`, in lower case. */
  readonly uploadHeaders: ReadonlyMap<string, string>;
  readonly framing: Framing;
}

/** The length of the body, or why it may not be read: then the connection is closed. */
export type Framing =
  | { readonly kind: 'sound'; readonly bodyBytes: number }
  /** Chunked, of unknown length: for streaming routes. */
  | { readonly kind: 'chunked' }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly message?: string };

export interface BodyLimits {
  /** Accepts a body of any length as a stream. */
  readonly streams?: boolean;
  readonly maxBodyBytes?: number;
}

interface FramingHeaders {
  readonly contentLengths: string[];
  readonly transferEncodings: string[];
}

interface KeyHeaders {
  apiKey: string | undefined;
  bearer: string | undefined;
}

interface DriverHeaders {
  cdiVersion: string | undefined;
  rid: string | undefined;
}

interface BrowserHeaders {
  cookies: string | undefined;
  csrf: string | undefined;
}

/**
 * Reads the head in one pass. Looking up a header by name would return only its first value, and an empty one as absent, which
 * request smuggling exploits.
 * @param clientAddressHeader in lower case; none when left out
 */
export function readHead(request: NativeRequest, clientAddressHeader = ''): RequestHead {
  const headers: FramingHeaders = { contentLengths: [], transferEncodings: [] };
  const keys: KeyHeaders = { apiKey: undefined, bearer: undefined };
  const driver: DriverHeaders = { cdiVersion: undefined, rid: undefined };
  let clientAddress: string | undefined;
  let contentType: string | undefined;
  let contentEncoding: string | undefined;
  const browser: BrowserHeaders = { cookies: undefined, csrf: undefined };
  let uploadHeaders: Map<string, string> | undefined;
  request.forEach((name, value) => {
    if (isFraming(headers, name, value) || isOfKey(keys, name, value) || isOfDriver(driver, name, value))
      return;
    if (isOfBrowser(browser, name, value)) return;
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
    ...browser,
    contentType,
    contentEncoding,
    uploadHeaders: uploadHeaders ?? noHeaders,
    framing: framingOf(headers),
  };
}

/** In lower case. A page of another site cannot send it without the core's consent, which it never gives. */
export const csrfHeader = 'x-console-csrf';

const noHeaders: ReadonlyMap<string, string> = new Map();

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

function isFraming(headers: FramingHeaders, name: string, value: string): boolean {
  if (name === 'content-length') headers.contentLengths.push(value);
  else if (name === 'transfer-encoding') headers.transferEncodings.push(value);
  else return false;
  return true;
}

/** The first value of each counts. */
function isOfKey(keys: KeyHeaders, name: string, value: string): boolean {
  if (name === 'api-key') keys.apiKey ??= value;
  else if (name === 'authorization') keys.bearer ??= bearerToken(value);
  else return false;
  return true;
}

/** The first `rid` counts. A repeated version is invalid, because it is ambiguous. */
function isOfDriver(driver: DriverHeaders, name: string, value: string): boolean {
  if (name === 'cdi-version')
    driver.cdiVersion = driver.cdiVersion === undefined ? value : `${driver.cdiVersion}, ${value}`;
  else if (name === 'rid') driver.rid ??= value;
  else return false;
  return true;
}

/** The first of each counts. */
function isOfBrowser(headers: BrowserHeaders, name: string, value: string): boolean {
  if (name === 'cookie') headers.cookies ??= value;
  else if (name === csrfHeader) headers.csrf ??= value;
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
 * Determines the end of the body. Intermediaries that disagree about it enable request smuggling, and uWebSockets.js uses the
 * first of several lengths and treats any transfer encoding as chunked.
 */
function framingOf({ contentLengths, transferEncodings }: FramingHeaders): Framing {
  if (contentLengths.length + transferEncodings.length > 1) return refused('INVALID_FRAMING');
  const [encoding] = transferEncodings;
  if (encoding !== undefined)
    return encoding === 'chunked' ? { kind: 'chunked' } : refused('INVALID_FRAMING');
  const [length] = contentLengths;
  if (length === undefined) return bodyless;
  // More digits than a number holds exactly are not a valid length.
  return /^\d{1,15}$/.test(length)
    ? { kind: 'sound', bodyBytes: Number(length) }
    : refused('INVALID_FRAMING');
}

const bodyless: Framing = { kind: 'sound', bodyBytes: 0 };

function refused(code: RefusalCode): Extract<Framing, { kind: 'refused' }> {
  return { kind: 'refused', code };
}
