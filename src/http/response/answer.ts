import type { NativeResponse } from '../front-ends/native.ts';
import type { Header, Reply } from './replies.ts';

/** uWebSockets.js gathers a synchronous answer in a buffer of this size; see `answer`. */
const corkBufferBytes = 16 * 1024;

/** What the request says about how its answer must look. */
export interface AnswerForm {
  readonly isHead: boolean;
  readonly isBadlyFramed: boolean;
  /** Whether the request had a body in chunks: where that ends is what parsers disagree about. */
  readonly isChunked: boolean;
  /** Whether the connection ends behind the answer. */
  readonly closes: boolean;
  /** The route's own. */
  readonly headers: readonly Header[];
}

/**
 * Writes a whole answer at once.
 *
 * A badly framed request may be followed by bytes that only look like the next one. Closing inside the native
 * callback is put off until everything received has been parsed and answered, unless the answer outgrows the
 * cork buffer: white space behind the JSON makes it do so, and nothing behind it is ever served.
 */
export function answer(response: NativeResponse, reply: Reply, form: AnswerForm): void {
  const { closes, isHead, isBadlyFramed, isChunked, headers } = form;
  const body = isBadlyFramed ? reply.body.padEnd(corkBufferBytes) : reply.body;
  response.cork(() => {
    response.writeStatus(reply.statusLine);
    if (reply.contentType !== undefined) writeContentType(response, reply.contentType);
    for (const [name, value] of headers) response.writeHeader(name, value);
    for (const [name, value] of reply.headers) response.writeHeader(name, value);
    // A body behind HEAD would be read as the next answer, except on a connection that ends here.
    if (reply.http === 204 && !isChunked) endBodiless(response, closes);
    else if (isHead && !closes) endHead(response, body);
    else response.end(body, closes);
  });
}

/** What a body is, and that a browser may not take it for something else. */
export function writeContentType(response: NativeResponse, contentType: string): void {
  response.writeHeader('Content-Type', contentType);
  response.writeHeader('X-Content-Type-Options', 'nosniff');
}

/** The length that a body would have. */
function endHead(response: NativeResponse, body: string): void {
  response.writeHeader('Content-Length', String(Buffer.byteLength(body)));
  response.endWithoutBody();
}

/**
 * Given a length, and `undefined` counts as one, endWithoutBody goes on waiting for those bytes, and takes the next
 * request as a hang-up. So it cannot close either: that is left to the client, and the server's own end. Where
 * that will not do, behind a body in chunks, 204 gets a length of 0 all the same.
 */
export function endBodiless(response: NativeResponse, closes: boolean): void {
  if (closes) response.writeHeader('Connection', 'close');
  response.endWithoutBody();
}
