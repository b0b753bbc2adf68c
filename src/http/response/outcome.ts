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

/** A body that streams in. */
interface Body {
  into(sink: BodySink): Promise<Outcome>;
}

/** What the handler of a streaming route returns when it wants the body: `end` of the sink gives the outcome. */
export class Receive {
  readonly #sink: BodySink;
  readonly #explain: (error: unknown) => unknown;

  /** @param explain adds how to continue to what the body was given up for */
  constructor(sink: BodySink, explain: (error: unknown) => unknown = (error) => error) {
    this.#sink = sink;
    this.#explain = explain;
  }

  async from(body: Body): Promise<Outcome> {
    try {
      return await body.into(this.#sink);
    } catch (error) {
      throw this.#explain(error);
    }
  }
}
