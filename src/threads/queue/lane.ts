import { Line } from './line.ts';
import { Overload } from './overload.ts';

/** A task that waits, and since when. */
export interface Arrived {
  readonly arrivedMs: number;
  /** Takes it out of the line that it is in. */
  takeOut: () => void;
}

/**
 * The tasks of one party's requests. First in, first out; under overload of this party those that have waited
 * for long are overtaken: they go when none of its others waits, the newest first.
 */
export class Lane<Entry extends Arrived> {
  readonly overload: Overload;
  readonly #people = new Line<Entry>();
  /** Those that had waited for long under overload: all of them came before those in `#people`. */
  readonly #overtaken = new Line<Entry>();
  /** What its tasks were given, ms by the estimates: of several lanes the one with the least goes first. */
  servedMs = 0;
  /** Estimated, of what waits. */
  waitingMs = 0;

  constructor(waitLimitMs: number) {
    this.overload = new Overload(waitLimitMs);
  }

  get length(): number {
    return this.#people.length + this.#overtaken.length;
  }

  get oldest(): Entry | undefined {
    return this.#overtaken.oldest ?? this.#people.oldest;
  }

  get newest(): Entry | undefined {
    return this.#people.newest ?? this.#overtaken.newest;
  }

  add(entry: Entry): () => void {
    return this.#people.add(entry);
  }

  /** Whose turn it is. */
  head(nowMs: number): Entry | undefined {
    const { oldest } = this;
    if (oldest === undefined) return undefined;
    if (this.#hasWaitedLong(oldest, nowMs)) this.overload.begin(nowMs);
    if (!this.overload.isOn(nowMs)) return oldest;
    for (let next = this.#people.oldest; next !== undefined; next = this.#people.oldest) {
      if (!this.#hasWaitedLong(next, nowMs)) return next;
      next.takeOut();
      next.takeOut = this.#overtaken.add(next);
    }
    return this.#overtaken.newest;
  }

  #hasWaitedLong({ arrivedMs }: Entry, nowMs: number): boolean {
    return this.overload.isLong(nowMs - arrivedMs);
  }
}
