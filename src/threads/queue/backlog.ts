import { Refusal } from '../../domain/errors.ts';
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
 * - First in, first out. Under overload those who have waited for long are overtaken: they go when nobody else waits, the
 *   newest first. What has been chosen stays next until it begins or leaves.
 * - A task without a caller in person is next when no other waits, and once a second.
 * - One timer while somebody waits, for the one who has waited longest.
 */
export class Backlog<Task extends Waiting> {
  readonly #options: BacklogOptions;
  readonly #overload: Overload;
  readonly #people = new Line<Entry<Task>>();
  /** People who had waited for long under overload: all of them came before those in `#people`. */
  readonly #overtaken = new Line<Entry<Task>>();
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
    return this.people.length + this.#background.length;
  }

  /** Tasks for which somebody waits, and what they will take together. */
  get people(): { readonly length: number; readonly ms: number; readonly bytes: number } {
    const length = this.#people.length + this.#overtaken.length;
    return { length, ms: this.#peopleMs, bytes: this.#peopleBytes };
  }

  /** Whether a task may be let in that would wait for `predictedMs`. If not, there is overload from now on. */
  admits(predictedMs: number): boolean {
    const nowMs = this.#options.now();
    if (predictedMs <= this.#overload.admissibleWaitMs(nowMs)) return true;
    this.#overload.begin(nowMs);
    return false;
  }

  add(task: Task): void {
    const { signal, isBackground } = task.behalf;
    const entry: Entry<Task> = {
      task,
      arrivedMs: this.#options.now(),
      takeOut: () => undefined,
      leave: () => {
        entry.takeOut();
        signal?.removeEventListener('abort', callerLeft);
        this.#left(entry);
      },
    };
    const callerLeft = (): void => {
      this.#drop(entry, signal?.reason);
      this.#options.onLeft();
    };
    entry.takeOut = (isBackground === true ? this.#background : this.#people).add(entry);
    if (isBackground !== true) {
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
    const following = (): Entry<Task> | undefined =>
      first.task.behalf.isBackground === true ? this.#background.oldest : this.#headOfPeople();
    first.leave();
    const taken = [first.task];
    for (let entry = following(); entry !== undefined; entry = following()) {
      if (taken.length >= most || !mayFollow(entry.task)) break;
      entry.leave();
      taken.push(entry.task);
    }
    return taken;
  }

  #choose(): Entry<Task> | undefined {
    const nowMs = this.#options.now();
    const isTurnOfBackground = nowMs - this.#lastBackgroundMs >= backgroundTurnMs;
    if (this.#background.length === 0 || (this.people.length > 0 && !isTurnOfBackground))
      return this.#headOfPeople();
    this.#lastBackgroundMs = nowMs;
    return this.#background.oldest;
  }

  #headOfPeople(): Entry<Task> | undefined {
    const nowMs = this.#options.now();
    const oldest = this.#oldestOfPeople;
    if (oldest === undefined) return undefined;
    if (this.#hasWaitedLong(oldest, nowMs)) this.#overload.begin(nowMs);
    if (!this.#overload.isOn(nowMs)) return oldest;
    for (let next = this.#people.oldest; next !== undefined; next = this.#people.oldest) {
      if (!this.#hasWaitedLong(next, nowMs)) return next;
      next.takeOut();
      next.takeOut = this.#overtaken.add(next);
    }
    return this.#overtaken.newest;
  }

  get #oldestOfPeople(): Entry<Task> | undefined {
    return this.#overtaken.oldest ?? this.#people.oldest;
  }

  #hasWaitedLong({ arrivedMs }: Entry<Task>, nowMs: number): boolean {
    return this.#overload.isLong(nowMs - arrivedMs);
  }

  /** It is in no line any more. */
  #left(entry: Entry<Task>): void {
    const { cost, behalf } = entry.task;
    if (this.#next === entry) this.#next = undefined;
    if (behalf.isBackground === true) return;
    // Sums of fractions drift: of nothing there is nothing left.
    this.#peopleMs = this.people.length === 0 ? 0 : this.#peopleMs - cost.ms;
    this.#peopleBytes -= cost.bytes;
  }

  #drop(entry: Entry<Task>, reason: unknown): void {
    entry.leave();
    entry.task.reject(reason);
  }

  #watch(): void {
    const { waitLimitMs, now } = this.#options;
    const oldest = this.#oldestOfPeople;
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
    for (let entry = this.#oldestOfPeople; isOverdue(entry); entry = this.#oldestOfPeople) {
      this.#overload.begin(nowMs);
      this.#drop(entry, new Refusal('OVERLOADED'));
    }
    this.#options.onLeft();
  }
}

interface Entry<Task> {
  readonly task: Task;
  readonly arrivedMs: number;
  /** Takes it out of the line where it stands. */
  takeOut: () => void;
  /** It waits no longer. */
  readonly leave: () => void;
}
