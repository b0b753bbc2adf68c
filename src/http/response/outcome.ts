import type { Reply, StreamReply } from './replies.ts';

/** What a handler gives: a reply, or a result that is answered as JSON with 200. */
export type Outcome = Reply | StreamReply | object;

/** Where a body goes as it comes. */
export interface BodySink {
  /** @param bytes valid during the call only. @returns false when the sender should pause until `ready` resolves */
  write(bytes: Uint8Array): boolean;
  ready(): Promise<void>;
  /** The body is complete. */
  end(): Promise<Outcome>;
  /** The body is given up, also after `write` or `ready` failed. Resolves when nothing runs any more. */
  abort(): Promise<void>;
}

/** What the handler of a streaming route returns when it wants the body: `end` of the sink gives the outcome. */
export class Receive {
  readonly sink: BodySink;

  constructor(sink: BodySink) {
    this.sink = sink;
  }
}
