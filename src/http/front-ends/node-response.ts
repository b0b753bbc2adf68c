import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NativeRequest, NativeResponse } from './native.ts';

/** How long a client may keep a connection without sending, or reading, anything that is due. */
export const silenceMs = 10_000;
/** What a body has to bring in that time, or its sender is dropped: 16 KiB/s, as uWebSockets.js asks for. */
const windowBytes = 16 * 1024 * (silenceMs / 1000);
/** How long the rest of a body is dropped behind an answer, so that its sender can read the answer before the end. */
const lingerMs = 1000;

/** A head as node:http has it. */
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
 * One answer by node:http, and the body that comes before it.
 *
 *   mode       holds                                    ends by
 *   open       status and headers that are not written  the first write → sending; an answer at once, a hang-up → over
 *   sending    nothing, or a chunk on its way           the end of the answer, a hang-up → over
 *   over       nothing                                  -
 *
 * Invariants:
 * - It ends once, by `answered` or by `aborted`.
 * - Nothing is read while paused, apart from what fits the library's own buffer of 64 KiB.
 */
export class NodeResponse implements NativeResponse {
  #mode: 'open' | 'sending' | 'over' = 'open';
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  /** Called with the end of the answer. */
  readonly #answered: (closes: boolean) => void;
  readonly #keepAlive: string;
  readonly #headers: string[] = [];
  #statusLine = '';
  #closes = false;
  #isPaused = false;
  #isWriting = false;
  #isBodyComplete = false;
  /** Of a body in chunks it is infinite: that one ends where it ends. */
  #awaitedBytes = 0;
  #windowStartMs = 0;
  #windowReceived = 0;
  #aborted: () => void = () => undefined;
  #writable: (offset: number) => boolean = () => true;
  #take: ((chunk: Uint8Array, isLast: boolean) => void) | undefined;

  /** @param keepAlive the value of the header of that name, where the connection goes on */
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

  /** Whether the other end has nothing to do but to wait. */
  get isSilentRightfully(): boolean {
    return this.#mode === 'open' ? this.#isPaused || this.#isBodyComplete : !this.#isWriting;
  }

  /** The call that brought the request is over: the body may come. What is not consumed of it is skipped. */
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

  /** The connection ended before the answer. */
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

  /** Everything is written at once as it is: node:http puts head and body together. */
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

  /** @returns false always: the next chunk may follow when the system has this one */
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
      // Else it would say that it keeps the connection, which goes without saying.
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

  /** A sender of a byte now and then is never silent; this finds it too slow all the same. */
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

  /** Closed with bytes unread, a connection is reset, and the answer may be lost with it. */
  #linger(): void {
    const { socket } = this.#request;
    this.#request.off('data', this.#receive).resume();
    socket.destroySoon = () => {
      socket.end();
      setTimeout(() => socket.destroy(), lingerMs).unref();
    };
  }
}
