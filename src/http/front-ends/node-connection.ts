import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Serve } from './native.ts';
import { NodeRequest, NodeResponse } from './node-response.ts';

/** nginx uses 1.0 for its upstreams by default, and HAProxy for its checks. Such a connection closes after the answer. */
const servedVersions: ReadonlySet<string> = new Set(['1.1', '1.0']);

/**
 * The requests of one connection, in order.
 *
 *   mode      holds                                          ends by
 *   idle      nothing                                        a request → serving
 *   serving   a request; those that came with or after it    its answer → idle or serving; it closes → ending
 *   ending    nothing: later requests are not served         -
 *
 * A pipelined request is served only if the previous one does not have to wait; otherwise the connection closes.
 */
export class NodeConnection {
  #mode: 'idle' | 'serving' | 'ending' = 'idle';
  readonly #socket: Socket;
  readonly #serve: Serve;
  readonly #keepAlive: string;
  readonly #waiting: (readonly [IncomingMessage, ServerResponse])[] = [];
  #current: NodeResponse | undefined;

  /** @param keepAlive the header that states the idle time */
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
   * The input is not HTTP. Complete requests before it may still be answered in this turn.
   * @param answer written unless another answer is due
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
