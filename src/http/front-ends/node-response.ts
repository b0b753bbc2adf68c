import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NativeRequest, NativeResponse } from './native.ts';

/** How long a client may neither send nor read what is due. */
export const silenceMs = 10_000;
/** Minimum bytes of a body in that time: 16 KiB/s, as in uWebSockets.js. */
const windowBytes = 16 * 1024 * (silenceMs / 1000);
/** How long the rest of a body is dropped after an answer, so that its sender can read the answer before the close. */
const lingerMs = 1000;

export class NodeRequest implements NativeRequest {
  readonly #request: IncomingMessage;

  constructor(request: IncomingMessage) {
    this.#request = request;
  }

  getCaseSensitiveMethod(): string {
    return this.#request.method ?? '';
  }

  getUrl(): string {
    const { url = '' } = this.#request;
    const mark = url.indexOf('?');
    return mark < 0 ? url : url.slice(0, mark);
  }

  getQuery(): string {
    const { url = '' } = this.#request;
    const mark = url.indexOf('?');
    return mark < 0 ? '' : url.slice(mark + 1);
  }

  forEach(visit: (name: string, value: string) => void): void {
    const { rawHeaders } = this.#request;
    for (let at = 0; at + 1 < rawHeaders.length; at += 2)
      visit(rawHeaders[at]?.toLowerCase() ?? '', rawHeaders[at + 1] ?? '');
  }
}

/**
 * Adapts an answer of node:http, and the body before it.
 *
 *   mode       holds                                    ends by
 *   open       status and headers that are not written  the first write → sending; an answer at once, a hang-up → over
 *   sending    nothing, or a chunk on its way           the end of the answer, a hang-up → over
 *   over       nothing                                  -
 *
 * Invariants:
 * - It ends once, by `answered` or by `aborted`.
 * - While paused nothing is read, apart from the library's own buffer of 64 KiB.
 */
export class NodeResponse implements NativeResponse {
  #mode: 'open' | 'sending' | 'over' = 'open';
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #answered: (closes: boolean) => void;
  readonly #keepAlive: string;
  readonly #headers: string[] = [];
  #statusLine = '';
  #closes = false;
  #isPaused = false;
  #isWriting = false;
  #isBodyComplete = false;
  /** Infinite for a chunked body. */
  #awaitedBytes = 0;
  #windowStartMs = 0;
  #windowReceived = 0;
  #aborted: () => void = () => undefined;
  #writable: (offset: number) => boolean = () => true;
  #take: ((chunk: Uint8Array, isLast: boolean) => void) | undefined;

  /** @param keepAlive the value of that header, if the connection stays open */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    answered: (closes: boolean) => void,
    keepAlive: string,
  ) {
    this.#request = request;
    this.#response = response;
    this.#answered = answered;
    this.#keepAlive = keepAlive;
    this.#closes = request.httpVersion === '1.0';
  }

  /** Whether the client is only waiting for us. */
  get isSilentRightfully(): boolean {
    return this.#mode === 'open' ? this.#isPaused || this.#isBodyComplete : !this.#isWriting;
  }

  /** The call that passed the request is over: the body may flow. What is not consumed is skipped. */
  begin(): void {
    const {
      'content-length': length = '0',
      'transfer-encoding': encoding,
      expect = '',
    } = this.#request.headers;
    this.#awaitedBytes = encoding === undefined ? Number(length) : Infinity;
    this.#isBodyComplete = this.#awaitedBytes === 0;
    if (this.#isBodyComplete) {
      this.#take?.(new Uint8Array(), true);
      return;
    }
    if (this.#take !== undefined && /^100-continue$/i.test(expect)) this.#response.writeContinue();
    this.#windowStartMs = performance.now();
    this.#request.on('data', this.#receive).on('end', this.#receiveEnd);
    if (this.#isPaused) this.#request.pause();
  }

  abort(): void {
    if (this.#mode === 'over') return;
    this.#mode = 'over';
    this.#aborted();
  }

  getRemoteAddress(): string {
    return this.#request.socket.remoteAddress ?? '';
  }

  onAborted(handler: () => void): void {
    this.#aborted = handler;
  }

  onData(take: (chunk: Uint8Array, isLast: boolean) => void): void {
    this.#take = take;
  }

  onWritable(handler: (offset: number) => boolean): void {
    this.#writable = handler;
  }

  pause(): void {
    this.#isPaused = true;
    this.#request.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#windowStartMs = performance.now();
    this.#windowReceived = 0;
    this.#request.socket.setTimeout(silenceMs);
    this.#request.resume();
  }

  /** No buffering: node:http combines head and body. */
  cork(write: () => void): void {
    write();
  }

  writeStatus(line: string): void {
    this.#statusLine = line;
  }

  writeHeader(name: string, value: string): void {
    if (name === 'Connection') this.#closes ||= value === 'close';
    else this.#headers.push(name, value);
  }

  /** @returns always false: the next chunk follows when the system has this one */
  write(chunk: string | Uint8Array): boolean {
    this.#writeHead();
    this.#isWriting = true;
    this.#response.write(chunk, () => {
      this.#isWriting = false;
      this.#writable(0);
    });
    return false;
  }

  end(body = '', closes = false): void {
    this.#closes ||= closes;
    if (this.#mode === 'open' && !this.#statusLine.startsWith('204'))
      this.#headers.push('Content-Length', String(Buffer.byteLength(body)));
    this.#finish(body);
  }

  endWithoutBody(): void {
    this.#finish();
  }

  close(): void {
    this.#request.socket.destroy();
  }

  #finish(body?: string): void {
    this.#writeHead();
    this.#mode = 'over';
    this.#take = undefined;
    this.#response.end(body);
    const closes = this.#closes || !this.#response.shouldKeepAlive;
    if (closes && !this.#request.complete) this.#linger();
    this.#answered(closes);
  }

  #writeHead(): void {
    if (this.#mode !== 'open') return;
    this.#mode = 'sending';
    if (this.#closes) this.#headers.push('Connection', 'close');
    else if (this.#response.shouldKeepAlive) {
      // Otherwise Node adds the default keep-alive, which is redundant.
      this.#response.removeHeader('Connection');
      this.#headers.push('Keep-Alive', this.#keepAlive);
    }
    const statusLine = this.#statusLine;
    this.#response.writeHead(Number(statusLine.slice(0, 3)), statusLine.slice(4), this.#headers);
  }

  readonly #receive = (chunk: Uint8Array): void => {
    this.#awaitedBytes -= chunk.length;
    this.#isBodyComplete = this.#awaitedBytes === 0;
    this.#watchPace(chunk.length);
    this.#take?.(chunk, this.#isBodyComplete);
  };

  readonly #receiveEnd = (): void => {
    if (this.#isBodyComplete) return;
    this.#isBodyComplete = true;
    this.#take?.(new Uint8Array(), true);
  };

  /** Detects a sender of single bytes, which is never silent. */
  #watchPace(bytes: number): void {
    this.#windowReceived += bytes;
    const now = performance.now();
    if (this.#windowReceived >= windowBytes) {
      this.#windowStartMs = now;
      this.#windowReceived = 0;
    } else if (!this.#isBodyComplete && now - this.#windowStartMs > silenceMs) {
      this.close();
    }
  }

  /** Closing with unread bytes resets the connection, and the answer may be lost. */
  #linger(): void {
    const { socket } = this.#request;
    this.#request.off('data', this.#receive).resume();
    socket.destroySoon = () => {
      socket.end();
      setTimeout(() => socket.destroy(), lingerMs).unref();
    };
  }
}
