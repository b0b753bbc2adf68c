import type { Failure } from './sqlstate.ts';

/** What an unanswered statement leaves: `unavailable` where it changes nothing. */
export type Lost = Extract<Failure, 'unknown' | 'unavailable'>;

const codes: Readonly<Record<Lost, string>> = { unknown: 'ETIMEDOUT', unavailable: 'CONNECT_TIMEOUT' };

/**
 * The time that the server has for each answer. It runs while a statement is under way and begins again with each; what
 * else a transaction waits for, its turn or somebody who signs in, is not the server's time.
 */
export class AnswerDeadline {
  readonly #timeoutMs: number;
  readonly #onExpired: () => Lost;
  readonly #expired = Promise.withResolvers<never>();
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** @param onExpired called once, before what waits is rejected */
  constructor(timeoutMs: number, onExpired: () => Lost) {
    this.#timeoutMs = timeoutMs;
    this.#onExpired = onExpired;
    this.#expired.promise.catch(() => undefined);
  }

  /** As `work`, but rejects when an answer is late, with a code that sqlstate.ts knows. */
  during<Result>(work: PromiseLike<Result>): Promise<Result> {
    return Promise.race([work, this.#expired.promise]);
  }

  /** A statement is sent. */
  begin(): void {
    this.#underWay++;
    this.#restart();
  }

  /** It was answered. */
  end(): void {
    this.#underWay--;
    this.#restart();
  }

  /** Nothing is waited for any more. */
  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #restart(): void {
    clearTimeout(this.#timer);
    if (this.#underWay === 0 || this.#isOver) return;
    this.#timer = setTimeout(() => {
      this.#expire();
    }, this.#timeoutMs);
  }

  #expire(): void {
    this.stop();
    const code = codes[this.#onExpired()];
    const error = new Error(`no answer from the database within ${this.#timeoutMs} ms`);
    this.#expired.reject(Object.assign(error, { code }));
  }
}
