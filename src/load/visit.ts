/** What visitors do: written by a mix of the command or a scenario of the benchmarks, and run by the loop. */

export interface Asked {
  /** After the base address of the wire. */
  readonly path: string;
  /** POST when left out. */
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly body: string;
}

/** Sends one request of a visit, with its retries. @throws NotServed */
export type Ask = (asked: Asked) => Promise<Answered>;

/** One action of a person or a program: one request, or several in sequence. */
export interface Visit {
  /** Outcomes and latencies are reported by it; empty if all visits are of one kind. */
  readonly action: string;
  /** @returns OK, or why it was not */
  run(ask: Ask): Promise<string>;
}

/** A request was given up: refused for the last time, without an answer in time, or the connection broke. */
export class NotServed extends Error {
  readonly outcome: string;

  constructor(outcome: string) {
    super(outcome);
    this.outcome = outcome;
  }
}

/** The status word of an answer, since refusals of the domain have status 200; before it, another HTTP status: `429 TOO_MANY_…`. */
export function statusWord({ status, body }: Answered): string {
  const word = /"status":"([A-Z_]+)"/.exec(body)?.[1];
  if (status === 200) return word ?? 'no status';
  return word === undefined ? String(status) : `${status} ${word}`;
}
