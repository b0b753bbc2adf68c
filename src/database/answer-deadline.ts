import type { Failure } from './sqlstate.ts';

/** The outcome of an unanswered statement: `unavailable` if it changes nothing. */
export type Lost = Extract<Failure, 'unknown' | 'unavailable'>;

/** When to examine a statement without an answer, before its timeout. */
export interface Suspicion {
  readonly afterMs: number;
  /** Whether the connection is dead. Never rejects, and takes a few seconds at most. */
  readonly isLost: () => Promise<boolean>;
}

const codes: Readonly<Record<Lost, string>> = { unknown: 'ETIMEDOUT', unavailable: 'CONNECT_TIMEOUT' };

/**
 * The timeout of each answer. It runs while a statement is under way and restarts with each; other waits of a transaction, such
 * as a sign-in, do not count.
 */
export class AnswerDeadline {
  readonly #timeoutMs: number;
  readonly #onExpired: () => Lost;
  readonly #suspicion: Suspicion | undefined;
  readonly #expired = Promise.withResolvers<never>();
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  /** Changes with each statement and answer. */
  #turn = 0;

  /** @param onExpired called once, before pending work is rejected */
  constructor(timeoutMs: number, onExpired: () => Lost, suspicion?: Suspicion) {
    this.#timeoutMs = timeoutMs;
    this.#onExpired = onExpired;
    this.#suspicion = suspicion;
    this.#expired.promise.catch(() => undefined);
  }

  /** As `work`, but rejects when an answer is late, with a code that sqlstate.ts knows. */
  during<Result>(work: PromiseLike<Result>): Promise<Result> {
    return Promise.race([work, this.#expired.promise]);
  }

  begin(): void {
    this.#underWay++;
    this.#restart();
  }

  end(): void {
    this.#underWay--;
    this.#restart();
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #restart(): void {
    clearTimeout(this.#timer);
    this.#turn++;
    if (this.#underWay > 0 && !this.#isOver) this.#wait(this.#timeoutMs);
  }

  /** @param leftMs of the timeout */
  #wait(leftMs: number): void {
    const ms = Math.min(this.#suspicion?.afterMs ?? Infinity, leftMs);
    this.#timer = setTimeout(() => {
      void this.#suspect(leftMs - ms);
    }, ms);
  }

  async #suspect(leftMs: number): Promise<void> {
    if (leftMs <= 0) {
      this.#expire(`within ${this.#timeoutMs} ms`);
      return;
    }
    const turn = this.#turn;
    const isLost = await this.#suspicion?.isLost();
    if (this.#isOver || turn !== this.#turn) return;
    if (isLost === true) this.#expire('any more: the connection to it is dead');
    else this.#wait(leftMs);
  }

  #expire(why: string): void {
    this.stop();
    const code = codes[this.#onExpired()];
    const error = new Error(`no answer from the database ${why}`);
    this.#expired.reject(Object.assign(error, { code }));
  }
}
