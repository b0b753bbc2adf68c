import type { NativeResponse } from '../front-ends/native.ts';
import type { Header, Reply } from './replies.ts';

/** The size of uWebSockets.js's buffer for a synchronous answer; see `answer`. */
const corkBufferBytes = 16 * 1024;

export interface AnswerForm {
  readonly isHead: boolean;
  readonly isBadlyFramed: boolean;
  /** Parsers disagree about the end of a chunked body. */
  readonly isChunked: boolean;
  readonly closes: boolean;
  readonly headers: readonly Header[];
}

/**
 * Writes a whole answer at once.
 *
 * A badly framed request may be followed by bytes that look like the next one. A close inside the native callback is delayed
 * until all received bytes are parsed and answered, unless the answer exceeds the cork buffer: so the JSON is padded with white
 * space, and nothing after it is served.
 */
export function answer(response: NativeResponse, reply: Reply, form: AnswerForm): void {
  const { closes, isHead, isBadlyFramed, isChunked, headers } = form;
  const body = isBadlyFramed ? reply.body.padEnd(corkBufferBytes) : reply.body;
  response.cork(() => {
    response.writeStatus(reply.statusLine);
    if (reply.contentType !== undefined) writeContentType(response, reply.contentType);
    for (const [name, value] of headers) response.writeHeader(name, value);
    for (const [name, value] of reply.headers) response.writeHeader(name, value);
    // A body after HEAD would be read as the next answer, unless the connection closes.
    if (reply.http === 204 && !isChunked) endBodiless(response, closes);
    else if (isHead && !closes) endHead(response, body);
    else response.end(body, closes);
  });
}

/** Also prevents browsers from guessing another type. */
export function writeContentType(response: NativeResponse, contentType: string): void {
  response.writeHeader('Content-Type', contentType);
  response.writeHeader('X-Content-Type-Options', 'nosniff');
}

/** Ends the head with the length that a body would have. */
function endHead(response: NativeResponse, body: string): void {
  response.writeHeader('Content-Length', String(Buffer.byteLength(body)));
  response.endWithoutBody();
}

/**
 * With a length, even `undefined`, endWithoutBody waits for those bytes and takes the next request for a hang-up. Without one it
 * cannot close: the client or the server's end does that. After a chunked body, which must close, 204 gets a length of 0.
 */
export function endBodiless(response: NativeResponse, closes: boolean): void {
  if (closes) response.writeHeader('Connection', 'close');
  response.endWithoutBody();
}
