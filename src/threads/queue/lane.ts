import { Line } from './line.ts';
import { Overload } from './overload.ts';

/** A waiting task and its time of arrival. */
export interface Arrived {
  readonly arrivedMs: number;
  /** Removes it from its line. */
  takeOut: () => void;
}

/**
 * The tasks of one party's requests. First in, first out; under overload those that waited long are overtaken: they run when no
 * other waits, the newest first.
 */
export class Lane<Entry extends Arrived> {
  readonly overload: Overload;
  readonly #people = new Line<Entry>();
  /** Those that waited long under overload: all arrived before those in `#people`. */
  readonly #overtaken = new Line<Entry>();
  /** Estimated ms given to its tasks: the lane with the least goes first. */
  servedMs = 0;
  /** Estimated ms of waiting tasks. */
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
