import type { Attempts, GuessTables } from './guess-tables.ts';

export const suspicionMs = 3_600_000;

/** Guesses at each account within an hour, from all addresses. */
export class RecentAttempts {
  readonly #table: GuessTables['attempts'];
  readonly #now: () => number;

  constructor({
    tables,
    now,
  }: {
    readonly tables: Pick<GuessTables, 'attempts'>;
    readonly now: () => number;
  }) {
    this.#table = tables.attempts;
    this.#now = now;
  }

  add(who: string): Attempts {
    const { since, count } = this.of(who);
    const attempts = { since, count: count + 1 };
    this.#table.set(who, attempts);
    return attempts;
  }

  /** @param since start of the hour in which it was counted; a later hour does not have the attempt */
  takeBack(who: string, since: number): void {
    const attempts = this.#table.get(who);
    if (attempts?.since === since) this.#table.set(who, { since, count: attempts.count - 1 });
  }

  /** An hour begins with its first attempt, and when the clock was set back. */
  of(who: string): Attempts {
    const now = this.#now();
    const last = this.#table.get(who);
    const isRecent = last !== undefined && now - last.since >= 0 && now - last.since < suspicionMs;
    return isRecent ? last : { since: now, count: 0 };
  }
}
