/** A connection on which the test controls every byte. */
import net from 'node:net';

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

interface Framed extends Answer {
  /** The end of the answer in the received bytes. */
  readonly stop: number;
}

export class Wire {
  readonly closed: Promise<void>;
  private readonly socket: net.Socket;
  private received: Buffer = Buffer.alloc(0);
  private wake: () => void = () => undefined;
  private isClosed = false;

  private constructor(socket: net.Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      this.received = Buffer.concat([this.received, data]);
      this.wake();
    });
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.isClosed = true;
        this.wake();
        resolve();
      });
    });
  }

  static async open(port: number): Promise<Wire> {
    const socket = net.connect(port, '127.0.0.1');
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject);
    });
    return new Wire(socket);
  }

  send(bytes: string | Uint8Array): this {
    this.socket.write(bytes);
    return this;
  }

  /** Bytes passed to `send` that the system has not accepted yet. */
  get unsent(): number {
    return this.socket.writableLength;
  }

  /** Sends no more, but reads on. */
  finish(): this {
    this.socket.end();
    return this;
  }

  hangUp(): void {
    this.socket.destroy();
  }

  /** Ends the connection at once: bytes that were not received are lost. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  /** The next answer, or undefined when the connection ends without a complete one. @param isHead it has no body */
  async answer(isHead = false): Promise<Answer | undefined> {
    for (;;) {
      const answer = this.takeAnswer(isHead);
      if (answer !== undefined || this.isClosed) return answer;
      await this.more();
    }
  }

  /** Waits until the unconsumed bytes contain the text. @returns false when the connection ends first */
  async gets(text: string): Promise<boolean> {
    while (!this.rest.includes(text)) {
      if (this.isClosed) return false;
      await this.more();
    }
    return true;
  }

  /** Received bytes that were not consumed as an answer. */
  get rest(): string {
    return this.received.toString();
  }

  private async more(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.wake = resolve;
    });
  }

  private takeAnswer(isHead: boolean): Answer | undefined {
    const end = this.received.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const [statusLine = '', ...lines] = this.received.subarray(0, end).toString().split('\r\n');
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const found = this.bodyFrom(end + 4, isHead ? new Map() : headers);
    if (found === undefined) return undefined;
    this.received = this.received.subarray(found.stop);
    return { status: Number(statusLine.split(' ')[1]), headers, body: found.body };
  }

  private bodyFrom(
    start: number,
    headers: ReadonlyMap<string, string>,
  ): Pick<Framed, 'body' | 'stop'> | undefined {
    if (headers.get('transfer-encoding') === 'chunked') return this.chunkedBody(start);
    const stop = start + Number(headers.get('content-length') ?? 0);
    return this.received.length < stop
      ? undefined
      : { body: this.received.subarray(start, stop).toString(), stop };
  }

  private chunkedBody(start: number): Pick<Framed, 'body' | 'stop'> | undefined {
    const parts: Buffer[] = [];
    for (let at = start; ;) {
      const line = this.received.indexOf('\r\n', at);
      if (line < 0) return undefined;
      const length = Number.parseInt(this.received.subarray(at, line).toString(), 16);
      if (Number.isNaN(length)) throw new Error('a chunk without a length');
      const stop = line + 2 + length + 2;
      if (this.received.length < stop) return undefined;
      if (length === 0) return { body: Buffer.concat(parts).toString(), stop };
      parts.push(this.received.subarray(line + 2, stop - 2));
      at = stop;
    }
  }
}
