import { Refusal } from '../errors.ts';
import { Line } from './line.ts';
import { Overload } from './overload.ts';

/** What a task will take, as far as can be estimated beforehand. */
export interface TaskCost {
  readonly bytes: number;
  /** Milliseconds of one core. */
  readonly ms: number;
  /** It is handed over by itself, and nothing is learned from how long it took. */
  readonly isAlone?: boolean;
}

/** On whose behalf a task runs. */
export interface Behalf {
  /** Aborted when the caller has left: a task that has not begun is dropped, and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Nobody waits in person. It begins when nobody else waits, or after a second, and has no time limit. */
  readonly isBackground?: boolean;
}

/** A task that waits. */
export interface Waiting {
  readonly cost: TaskCost;
  readonly behalf: Behalf;
  /** Why it will not be run. */
  readonly reject: (reason: unknown) => void;
}

export interface BacklogOptions {
  /** Milliseconds that a task may wait for which somebody waits. */
  readonly waitLimitMs: number;
  /** A monotonic clock, ms. */
  readonly now: () => number;
  /** Called when something has left that will not be run: another one may be next. */
  readonly onLeft: () => void;
}

/** One task of the background begins as often, however many others wait: it must not starve. */
const backgroundTurnMs = 1000;

/**
 * What waits for a slot: whose turn is next, who has left, who has waited for too long.
 *
 * - First in, first out; under overload the newest first. What has been chosen stays next until it begins or leaves.
 * - A task without a caller in person is next when no other waits, and once a second.
 * - One timer while somebody waits, for the one who has waited longest.
 */
export class Backlog<Task extends Waiting> {
  readonly #options: BacklogOptions;
  readonly #overload: Overload;
  readonly #people = new Line<Entry<Task>>();
  readonly #background = new Line<Entry<Task>>();
  #peopleMs = 0;
  #peopleBytes = 0;
  #next: Entry<Task> | undefined;
  #lastBackgroundMs = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: BacklogOptions) {
    this.#options = options;
    this.#overload = new Overload(options.waitLimitMs);
  }

  get length(): number {
    return this.#people.length + this.#background.length;
  }

  /** Tasks for which somebody waits, and what they will take together. */
  get people(): { readonly length: number; readonly ms: number; readonly bytes: number } {
    return { length: this.#people.length, ms: this.#peopleMs, bytes: this.#peopleBytes };
  }

  /** Whether a task may be let in that would wait for `predictedMs`. If not, there is overload from now on. */
  admits(predictedMs: number): boolean {
    const nowMs = this.#options.now();
    if (predictedMs <= this.#overload.admissibleWaitMs(nowMs)) return true;
    this.#overload.begin(nowMs);
    return false;
  }

  add(task: Task): void {
    const { signal } = task.behalf;
    const line = this.#lineOf(task);
    const entry: Entry<Task> = {
      task,
      arrivedMs: this.#options.now(),
      leave: () => {
        takeOut();
        signal?.removeEventListener('abort', callerLeft);
        this.#left(entry);
      },
    };
    const callerLeft = (): void => {
      this.#drop(entry, signal?.reason);
      this.#options.onLeft();
    };
    const takeOut = line.add(entry);
    if (line === this.#people) {
      this.#peopleMs += task.cost.ms;
      this.#peopleBytes += task.cost.bytes;
    }
    signal?.addEventListener('abort', callerLeft, { once: true });
    this.#watch();
  }

  /** Whose turn it is. It stays in here until it is taken. */
  next(): Task | undefined {
    this.#next ??= this.#choose();
    return this.#next?.task;
  }

  /**
   * Takes what is next, and what follows it for as long as `mayFollow` agrees.
   * @param most tasks together
   */
  take(most: number, mayFollow: (task: Task) => boolean): Task[] {
    const first = (this.#next ??= this.#choose());
    if (first === undefined) return [];
    const line = this.#lineOf(first.task);
    first.leave();
    const taken = [first.task];
    for (let entry = this.#headOf(line); entry !== undefined; entry = this.#headOf(line)) {
      if (taken.length >= most || !mayFollow(entry.task)) break;
      entry.leave();
      taken.push(entry.task);
    }
    return taken;
  }

  #lineOf({ behalf }: Task): Line<Entry<Task>> {
    return behalf.isBackground === true ? this.#background : this.#people;
  }

  #choose(): Entry<Task> | undefined {
    const nowMs = this.#options.now();
    const isTurnOfBackground = nowMs - this.#lastBackgroundMs >= backgroundTurnMs;
    if (this.#background.length === 0 || (this.#people.length > 0 && !isTurnOfBackground))
      return this.#headOf(this.#people);
    this.#lastBackgroundMs = nowMs;
    return this.#headOf(this.#background);
  }

  #headOf(line: Line<Entry<Task>>): Entry<Task> | undefined {
    const { oldest, newest } = line;
    if (line === this.#background || oldest === undefined) return oldest;
    const nowMs = this.#options.now();
    this.#overload.look(nowMs, nowMs - oldest.arrivedMs);
    return this.#overload.isOn(nowMs) ? newest : oldest;
  }

  /** It is in no line any more. */
  #left(entry: Entry<Task>): void {
    const { cost, behalf } = entry.task;
    if (this.#next === entry) this.#next = undefined;
    if (behalf.isBackground === true) return;
    // Sums of fractions drift: of nothing there is nothing left.
    this.#peopleMs = this.#people.length === 0 ? 0 : this.#peopleMs - cost.ms;
    this.#peopleBytes -= cost.bytes;
  }

  #drop(entry: Entry<Task>, reason: unknown): void {
    entry.leave();
    entry.task.reject(reason);
  }

  #watch(): void {
    const { waitLimitMs, now } = this.#options;
    const { oldest } = this.#people;
    if (this.#timer !== undefined || oldest === undefined || waitLimitMs === Infinity) return;
    const refuse = (): void => {
      this.#timer = undefined;
      this.#refuseOverdue();
      this.#watch();
    };
    const leftMs = oldest.arrivedMs + waitLimitMs - now();
    this.#timer = setTimeout(refuse, Math.max(1, Math.ceil(leftMs))).unref();
  }

  #refuseOverdue(): void {
    const nowMs = this.#options.now();
    const isOverdue = (entry: Entry<Task> | undefined): entry is Entry<Task> =>
      entry !== undefined && nowMs - entry.arrivedMs >= this.#options.waitLimitMs;
    for (let entry = this.#people.oldest; isOverdue(entry); entry = this.#people.oldest) {
      this.#overload.begin(nowMs);
      this.#drop(entry, new Refusal('OVERLOADED'));
    }
    this.#options.onLeft();
  }
}

interface Entry<Task> {
  readonly task: Task;
  readonly arrivedMs: number;
  /** Takes it out of its line. */
  readonly leave: () => void;
}
