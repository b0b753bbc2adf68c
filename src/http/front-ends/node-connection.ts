import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Serve } from './native.ts';
import { NodeRequest, NodeResponse } from './node-response.ts';

/** 1.0 is what nginx speaks to its upstreams by default, and HAProxy in its checks. Its connection ends with the answer. */
const servedVersions: ReadonlySet<string> = new Set(['1.1', '1.0']);

/**
 * The requests of one connection, one after the other.
 *
 *   mode      holds                                          ends by
 *   idle      nothing                                        a request → serving
 *   serving   a request; those that came with or behind it   its answer → idle or serving; it closes → ending
 *   ending    nothing: what still comes is not served        -
 *
 * A request sent before the answer to the previous one is served only if that one does not have to wait:
 * else the connection ends.
 */
export class NodeConnection {
  #mode: 'idle' | 'serving' | 'ending' = 'idle';
  readonly #socket: Socket;
  readonly #serve: Serve;
  readonly #keepAlive: string;
  readonly #waiting: (readonly [IncomingMessage, ServerResponse])[] = [];
  #current: NodeResponse | undefined;

  /** @param keepAlive the header that states how long the connection may be idle */
  constructor(socket: Socket, serve: Serve, keepAlive: string) {
    this.#socket = socket;
    this.#keepAlive = keepAlive;
    this.#serve = serve;
  }

  request(request: IncomingMessage, response: ServerResponse): void {
    if (this.#mode === 'ending') return;
    if (this.#mode === 'idle') this.#begin(request, response);
    else this.#wait(request, response);
  }

  /** Nothing was sent or read for a while. */
  fallSilent(): void {
    if (this.#current?.isSilentRightfully !== true) this.#socket.destroy();
  }

  /**
   * What came is no HTTP. What was complete before it may still be answered in this turn.
   * @param answer written where no other answer is due
   */
  fail(answer: string): void {
    setImmediate(() => {
      if (this.#mode === 'ending') return;
      if (this.#mode === 'serving') this.#socket.destroy();
      else this.#socket.end(answer, () => this.#socket.destroy());
      this.#mode = 'ending';
    });
  }

  closed(): void {
    this.#mode = 'ending';
    this.#waiting.length = 0;
    this.#current?.abort();
    this.#current = undefined;
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    this.#mode = 'serving';
    const native = new NodeResponse(request, response, this.#answered, this.#keepAlive);
    this.#current = native;
    if (servedVersions.has(request.httpVersion)) this.#serve(native, new NodeRequest(request));
    else refuseVersion(native);
    native.begin();
  }

  #wait(request: IncomingMessage, response: ServerResponse): void {
    if (this.#waiting.push([request, response]) > 1) return;
    setImmediate(() => {
      if (this.#waiting.length > 0) this.#socket.destroy();
    });
  }

  readonly #answered = (closes: boolean): void => {
    this.#current = undefined;
    this.#mode = closes ? 'ending' : 'idle';
    if (closes) this.#waiting.length = 0;
    else if (this.#waiting.length > 0) queueMicrotask(this.#next);
  };

  readonly #next = (): void => {
    const next = this.#mode === 'idle' ? this.#waiting.shift() : undefined;
    if (next !== undefined) this.#begin(...next);
  };
}

function refuseVersion(response: NodeResponse): void {
  response.writeStatus('505 HTTP Version Not Supported');
  response.end('', true);
}
