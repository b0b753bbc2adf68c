/** Questions that may wait for one source; each holds a request. */
export const mostWaiting = 1000;
const firstLimit = 4;
/** ms: the assumed duration of an answer before the first one. */
const unknownMs = 250;
const longestRetryMs = 60_000;

export interface PaceRules {
  /** Questions at once, whatever the old system can take. */
  readonly maxInFlight: number;
  /** Its deadline for an answer, by which slow ones are defined. */
  readonly timeoutMs: number;
  /** The longest wait of a question for its turn. */
  readonly waitMs: number;
}

/** No turn in time: our own requests keep the system busy. */
export class Crowded extends Error {
  override readonly name = 'Crowded';
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super('as many questions as the old system answers in time are under way');
    this.retryAfterMs = retryAfterMs;
  }
}

/** A question's permission to be sent; ends by one of its methods. */
export interface Turn {
  answered(): void;
  /** @returns whether the old system did answer, or was overloaded: then it is not down */
  late(): boolean;
  /** Ends the turn without evidence about the pace. */
  left(): void;
}

interface Waiter {
  readonly enter: () => void;
}

interface Begun {
  readonly startedAt: number;
  readonly rules: PaceRules;
  readonly hadCompany: boolean;
}

/**
 * The number of concurrent questions that an old system answers in good time, found as TCP finds its window: more for each quick
 * answer, a share less when answers become slow, half when they miss the deadline. The others wait in the order of arrival.
 *
 * Invariants:
 * - At most `mostWaiting` wait, none for longer than `waitMs`; a request that would is refused on arrival.
 * - Questions sent before the limit was lowered do not lower it again.
 * - A limit that was not reached does not grow.
 */
export class Pace {
  readonly #waiting = new Set<Waiter>();
  readonly #onWaiting: (change: 1 | -1) => void;
  #limit = firstLimit;
  #inFlight = 0;
  /** Until answers were slow for the first time. */
  #isStarting = true;
  #usualMs: number | undefined;
  #answeredAt = -Infinity;
  #loweredAt = -Infinity;

  constructor(onWaiting: (change: 1 | -1) => void = () => undefined) {
    this.#onWaiting = onWaiting;
  }

  get limit(): number {
    return Math.max(1, Math.floor(this.#limit));
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** @throws Crowded, or the signal's reason when that is aborted while the question waits */
  async enter(rules: PaceRules, signal?: AbortSignal): Promise<Turn> {
    signal?.throwIfAborted();
    if (this.#waiting.size > 0 || this.#inFlight >= this.#mostFor(rules)) {
      const expectedMs = this.#expectedWaitMs(rules);
      if (this.#waiting.size >= mostWaiting || expectedMs > rules.waitMs) throw this.#crowded(rules);
      await this.#wait(rules, signal);
    } else this.#inFlight++;
    return this.#turn(rules);
  }

  #mostFor({ maxInFlight }: PaceRules): number {
    return Math.min(this.limit, maxInFlight);
  }

  /** While the limit is being searched, as if it were at its maximum. */
  #expectedWaitMs(rules: PaceRules): number {
    const atOnce = this.#isStarting ? rules.maxInFlight : this.#mostFor(rules);
    return ((this.#waiting.size + 1) * (this.#usualMs ?? unknownMs)) / atOnce;
  }

  #crowded(rules: PaceRules): Crowded {
    return new Crowded(Math.min(this.#expectedWaitMs(rules), longestRetryMs));
  }

  /** The caller has counted it as in flight. */
  #wait(rules: PaceRules, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      this.#waiting.delete(waiter);
      this.#onWaiting(-1);
    };
    const waiter: Waiter = {
      enter: () => {
        end();
        resolve(undefined);
      },
    };
    const giveUp = (): void => {
      end();
      reject(signal?.aborted === true ? (signal.reason as Error) : this.#crowded(rules));
    };
    const timer = setTimeout(giveUp, rules.waitMs);
    signal?.addEventListener('abort', giveUp, { once: true });
    this.#waiting.add(waiter);
    this.#onWaiting(1);
    return promise;
  }

  #turn(rules: PaceRules): Turn {
    const begun: Begun = { startedAt: performance.now(), rules, hadCompany: this.#inFlight > 1 };
    return {
      answered: () => {
        this.#learn(begun);
        this.#leave(rules);
      },
      late: () => {
        const isLoad = this.#blamesLoad(begun);
        this.#leave(rules);
        return isLoad;
      },
      left: () => {
        this.#leave(rules);
      },
    };
  }

  #learn({ startedAt, rules: { timeoutMs, maxInFlight } }: Begun): void {
    const now = performance.now();
    const ms = now - startedAt;
    this.#answeredAt = now;
    this.#usualMs = this.#usualMs === undefined ? ms : this.#usualMs * 0.8 + ms * 0.2;
    if (ms > timeoutMs / 2) this.#lower(0.7, startedAt);
    else if (ms < timeoutMs / 3 && this.#inFlight >= this.limit && this.#limit < maxInFlight)
      this.#limit += this.#isStarting ? 1 : 1 / this.#limit;
  }

  /** Of several at once without an answer, one is evidence against the system: the others may have been too many. */
  #blamesLoad({ startedAt, hadCompany }: Begun): boolean {
    if (startedAt < this.#loweredAt) return true;
    const isAlive = this.#answeredAt > startedAt;
    if (isAlive || hadCompany || this.#inFlight > 1) this.#lower(isAlive ? 0.5 : 0.25, startedAt);
    return isAlive;
  }

  #lower(by: number, startedAt: number): void {
    if (startedAt < this.#loweredAt) return;
    this.#limit = Math.max(1, Math.min(this.#limit, this.#inFlight) * by);
    this.#isStarting = false;
    this.#loweredAt = performance.now();
  }

  #leave(rules: PaceRules): void {
    this.#inFlight--;
    for (const waiter of this.#waiting) {
      if (this.#inFlight >= this.#mostFor(rules)) return;
      this.#inFlight++;
      waiter.enter();
    }
  }
}
