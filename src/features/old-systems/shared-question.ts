/** A question with several waiting callers. It is aborted when all of them have disconnected. */
export class SharedQuestion {
  readonly answer: Promise<boolean>;
  readonly #stop = new AbortController();
  #callers = 0;

  /** @param ask with a signal that is aborted when no caller waits any more */
  constructor(ask: (signal: AbortSignal) => Promise<boolean>) {
    this.answer = ask(this.#stop.signal);
  }

  get isGivenUp(): boolean {
    return this.#stop.signal.aborted;
  }

  /** @param signal aborted when this caller has disconnected; without one it never does */
  join(signal: AbortSignal | undefined): Promise<boolean> {
    this.#callers++;
    const leave = (): void => {
      this.#callers--;
      if (this.#callers === 0) this.#stop.abort(signal?.reason);
    };
    if (signal?.aborted === true) leave();
    else signal?.addEventListener('abort', leave, { once: true });
    return this.answer;
  }
}
