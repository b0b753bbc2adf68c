import type { Reply, StreamReply } from './replies.ts';

/** A handler's result: a reply, or an object that is answered as JSON with 200. */
export type Outcome = Reply | StreamReply | object;

export interface BodySink {
  /** @param bytes valid during the call only. @returns false when the sender should pause until `ready` resolves */
  write(bytes: Uint8Array): boolean;
  ready(): Promise<void>;
  /** The body is complete. */
  end(): Promise<Outcome>;
  /** The body is given up, perhaps after a failed `write` or `ready`. Resolves when nothing runs any more. */
  abort(): Promise<void>;
}

interface Body {
  into(sink: BodySink): Promise<Outcome>;
}

/** Returned by the handler of a streaming route to get the body: `end` of the sink returns the outcome. */
export class Receive {
  readonly #sink: BodySink;
  readonly #explain: (error: unknown) => unknown;

  /** @param explain adds how to continue to the error for which the body was given up */
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
