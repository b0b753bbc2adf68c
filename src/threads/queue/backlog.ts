import { Refusal } from '../../domain/errors.ts';
import { type Arrived } from './lane.ts';
import { Lanes, type Party } from './lanes.ts';
import { Line } from './line.ts';

export interface TaskCost {
  readonly bytes: number;
  /** Milliseconds of one core. */
  readonly ms: number;
  /** Not batched with others, and its duration does not change the estimates. */
  readonly isAlone?: boolean;
}

export interface Behalf {
  /** Aborted when the caller has disconnected: a waiting task is dropped and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The app that it is for, for fair sharing. */
  readonly party?: Party;
  /** No request waits for it: it begins when no request's task waits, or after a second, and has no time limit. */
  readonly isBackground?: boolean;
}

export interface Waiting {
  readonly cost: TaskCost;
  readonly behalf: Behalf;
  /** Called with the reason if it will not run. */
  readonly reject: (reason: unknown) => void;
}

export interface BacklogOptions {
  /** Maximum wait of a request's task, ms. */
  readonly waitLimitMs: number;
  /** A monotonic clock, ms. */
  readonly now: () => number;
  /** Called when a task left without being run: another one may be next. */
  readonly onLeft: () => void;
  /** Whether a task of the party may begin now. If not, other parties' tasks go first. */
  readonly mayBegin?: (party: Party, cost: TaskCost) => boolean;
}

/** Interval in which one background task begins despite waiting requests. */
const backgroundTurnMs = 1000;

/**
 * Waiting tasks: decides which is next and drops those that waited too long.
 * - Each party has a Lane, and Lanes chooses among them. The chosen task stays next until it begins or leaves.
 * - A background task is next when no other waits, and once a second.
 * - One timer, for the task that has waited longest.
 */
export class Backlog<Task extends Waiting> {
  readonly #options: BacklogOptions;
  readonly #lanes: Lanes<Entry<Task>>;
  readonly #background = new Line<Entry<Task>>();
  #peopleCount = 0;
  #peopleMs = 0;
  #peopleBytes = 0;
  #next: Entry<Task> | undefined;
  #lastBackgroundMs = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: BacklogOptions) {
    this.#options = options;
    this.#lanes = new Lanes(options.waitLimitMs);
  }

  get length(): number {
    return this.#peopleCount + this.#background.length;
  }

  get people(): { readonly length: number; readonly ms: number; readonly bytes: number } {
    return { length: this.#peopleCount, ms: this.#peopleMs, bytes: this.#peopleBytes };
  }

  /** The party's tasks, and those of others that go before its next one: of each at most the number that it has itself. */
  fairShareOf(party: Party): { readonly length: number; readonly ms: number } {
    const { length, waitingMs } = this.#lanes.of(party);
    let ms = waitingMs;
    for (const [other, lane] of this.#lanes.active)
      if (other !== party) ms += Math.min(lane.waitingMs, waitingMs);
    return { length, ms };
  }

  othersWait(party: Party): boolean {
    return this.#lanes.othersWait(party);
  }

  othersCame(party: Party): boolean {
    return this.#lanes.othersCame(party, this.#options.now());
  }

  /** Whether to accept a task with this predicted wait. If not, overload of its party begins. */
  admits(party: Party, predictedMs: number): boolean {
    const nowMs = this.#options.now();
    const { overload } = this.#lanes.of(party);
    if (predictedMs <= overload.admissibleWaitMs(nowMs)) return true;
    overload.begin(nowMs);
    return false;
  }

  /** Whether another party has so many more tasks that one of them is dropped for one of this party. */
  mayDisplace(party: Party): boolean {
    return this.#lanes.longerThan(party) !== undefined;
  }

  /** Refuses the newest task of the party with most tasks. */
  displace(party: Party): void {
    const entry = this.#lanes.longerThan(party)?.newest;
    if (entry !== undefined) this.#drop(entry, new Refusal('OVERLOADED'));
  }

  add(task: Task): void {
    const { signal, isBackground, party } = task.behalf;
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
    if (isBackground === true) entry.takeOut = this.#background.add(entry);
    else {
      entry.takeOut = this.#lanes.add(party, entry, entry.arrivedMs);
      this.#count(entry, 1);
    }
    signal?.addEventListener('abort', callerLeft, { once: true });
    this.#watch();
  }

  /** The next task; it stays until it is taken. */
  next(): Task | undefined {
    this.#next ??= this.#choose();
    return this.#next?.task;
  }

  /**
   * Takes the next task, and those after it while `mayFollow` agrees.
   * @param most tasks together
   */
  take(most: number, mayFollow: (task: Task) => boolean): Task[] {
    const first = (this.#next ??= this.#choose());
    if (first === undefined) return [];
    const { party } = first.task.behalf;
    const lane = this.#lanes.of(party);
    const following = (): Entry<Task> | undefined =>
      first.task.behalf.isBackground === true ? this.#background.oldest : lane.head(this.#options.now());
    first.leave();
    const taken = [first.task];
    for (let entry = following(); entry !== undefined; entry = following()) {
      if (taken.length >= most || !mayFollow(entry.task)) break;
      entry.leave();
      taken.push(entry.task);
    }
    const ms = taken.reduce((sum, { cost }) => sum + cost.ms, 0);
    if (first.task.behalf.isBackground !== true) this.#lanes.served(party, ms);
    return taken;
  }

  #choose(): Entry<Task> | undefined {
    const nowMs = this.#options.now();
    const isTurnOfBackground = nowMs - this.#lastBackgroundMs >= backgroundTurnMs;
    if (this.#background.length === 0 || (this.#peopleCount > 0 && !isTurnOfBackground))
      return this.#headOfPeople(nowMs);
    this.#lastBackgroundMs = nowMs;
    return this.#background.oldest;
  }

  #headOfPeople(nowMs: number): Entry<Task> | undefined {
    const { mayBegin = () => true } = this.#options;
    for (const [party, lane] of this.#lanes.inTurn()) {
      const head = lane.head(nowMs);
      if (head !== undefined && mayBegin(party, head.task.cost)) return head;
    }
    return undefined;
  }

  get #oldestOfPeople(): Entry<Task> | undefined {
    let oldest: Entry<Task> | undefined;
    for (const lane of this.#lanes.active.values())
      if (lane.oldest !== undefined && (oldest === undefined || lane.oldest.arrivedMs < oldest.arrivedMs))
        ({ oldest } = lane);
    return oldest;
  }

  #left(entry: Entry<Task>): void {
    const { isBackground, party } = entry.task.behalf;
    if (this.#next === entry) this.#next = undefined;
    if (isBackground === true) return;
    this.#count(entry, -1);
    this.#lanes.left(party);
  }

  /** Resets sums at zero, since sums of fractions drift. */
  #count({ task: { cost, behalf } }: Entry<Task>, by: 1 | -1): void {
    const lane = this.#lanes.of(behalf.party);
    this.#peopleCount += by;
    this.#peopleBytes += by * cost.bytes;
    this.#peopleMs = this.#peopleCount === 0 ? 0 : this.#peopleMs + by * cost.ms;
    lane.waitingMs = lane.length === 0 ? 0 : lane.waitingMs + by * cost.ms;
  }

  #drop(entry: Entry<Task>, reason: unknown): void {
    entry.leave();
    entry.task.reject(reason);
  }

  #watch(): void {
    const { waitLimitMs, now } = this.#options;
    if (this.#timer !== undefined || waitLimitMs === Infinity) return;
    const oldest = this.#oldestOfPeople;
    if (oldest === undefined) return;
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
      this.#lanes.of(entry.task.behalf.party).overload.begin(nowMs);
      this.#drop(entry, new Refusal('OVERLOADED'));
    }
    this.#options.onLeft();
  }
}

interface Entry<Task> extends Arrived {
  readonly task: Task;
  readonly leave: () => void;
}
