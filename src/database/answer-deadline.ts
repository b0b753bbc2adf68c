import type { Failure } from './sqlstate.ts';

/** What an unanswered statement leaves: `unavailable` where it changes nothing. */
export type Lost = Extract<Failure, 'unknown' | 'unavailable'>;

/** When a statement without an answer is looked into, before its time is over. */
export interface Suspicion {
  readonly afterMs: number;
  /** Whether the connection is dead, so that no answer will come. Never rejects, and takes a few seconds at most. */
  readonly isLost: () => Promise<boolean>;
}

const codes: Readonly<Record<Lost, string>> = { unknown: 'ETIMEDOUT', unavailable: 'CONNECT_TIMEOUT' };

/**
 * The time that the server has for each answer. It runs while a statement is under way and begins again with each; what
 * else a transaction waits for, its turn or a sign-in, is not the server's time.
 */
export class AnswerDeadline {
  readonly #timeoutMs: number;
  readonly #onExpired: () => Lost;
  readonly #suspicion: Suspicion | undefined;
  readonly #expired = Promise.withResolvers<never>();
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  /** Another one after each statement and answer. */
  #turn = 0;

  /** @param onExpired called once, before what waits is rejected */
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
    this.#turn++;
    if (this.#underWay > 0 && !this.#isOver) this.#wait(this.#timeoutMs);
  }

  /** @param leftMs of the whole time */
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
