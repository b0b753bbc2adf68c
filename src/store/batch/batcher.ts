import { Refusal } from '../../domain/errors.ts';
import { BatchPace } from './batch-pace.ts';
import { databaseIsLate } from '../../database/late.ts';
import { failureOf } from '../../database/sqlstate.ts';

/**
 * Group commit. Items that arrive together are written by one statement and one commit, and each gets its outcome after the
 * commit.
 *
 * - The queue is bounded in number and time: `submit` refuses if `maxBacklog` items wait, or if the item would wait longer than
 *   `waitLimitMs`. An item that has waited that long anyway is refused unwritten.
 * - A lane is one statement under way. An idle lane flushes at the end of the event loop's turn; a busy one takes the gathered items
 *   when its commit returns. Without a timer, batches grow with the load. Only while `gathering.isWorthIt` an idle lane waits for
 *   `gathering.ms`: clients would wait elsewhere anyway, and one statement serves several.
 *   Next to a busy lane another one opens for `furtherLaneAt` items, because a commit costs the same for one item as for many.
 * - Items with the same key are never under way together: the later one waits for the outcome of the earlier one. So no statement has
 *   a key twice, and items of a key are written in order of arrival.
 * - An item that makes its statement fail is found by bisection: the others are written, and it alone fails.
 * - A connection that breaks in the middle of a statement leaves the outcome unknown. That is reported and never repeated silently.
 *
 * Modes: `open` accepts items; `draining` refuses new ones and finishes the others; `closed` has none. An item waits `behind` its key
 * or is `ready`, is `sent`, then `ready` again or `settled`; overdue items are settled unsent.
 */
export class Batcher<Item, Outcome> {
  readonly #options: Required<BatcherOptions<Item, Outcome>>;
  #mode: Mode = 'open';
  /** Items to write next; none shares a key with another one here or under way. */
  #ready: Entry<Item, Outcome>[] = [];
  /** For each key that is ready or under way, the items that wait for it, in order. */
  readonly #behind = new Map<string, Entry<Item, Outcome>[]>();
  #backlog = 0;
  #busyLanes = 0;
  #flushScheduled = false;
  readonly #closed = Promise.withResolvers<undefined>();
  readonly #pace: BatchPace;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: BatcherOptions<Item, Outcome>) {
    this.#options = {
      furtherLaneAt: 1,
      keyOf: () => undefined,
      repeatAlone: () => false,
      gathering: { ms: 0, isWorthIt: () => false },
      observe: () => undefined,
      waitLimitMs: Infinity,
      now: () => performance.now(),
      ...options,
    };
    this.#pace = new BatchPace(this.#options.now);
  }

  /** Number of waiting items, for metrics. */
  get backlog(): number {
    return this.#backlog;
  }

  /**
   * @returns the item's outcome, after its commit
   * @throws Refusal OVERLOADED, SHUTTING_DOWN, DATABASE_UNAVAILABLE or OUTCOME_UNKNOWN; else the item's own error
   */
  submit(item: Item): Promise<Outcome> {
    if (this.#mode !== 'open') return Promise.reject(new Refusal('SHUTTING_DOWN'));
    if (this.#isFull) return Promise.reject(new Refusal('OVERLOADED'));
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    const { keyOf, now } = this.#options;
    const key = keyOf(item);
    this.#enqueue({ item, key, arrivedMs: now(), state: 'new', attempts: 0, resolve, reject });
    this.#watch();
    return promise;
  }

  /** Refuses new items and resolves when all accepted ones have outcomes. */
  async drain(): Promise<void> {
    if (this.#mode === 'open') this.#setMode('open', 'draining');
    this.#closeWhenEmpty();
    await this.#closed.promise;
  }

  get #isFull(): boolean {
    const { maxBacklog, maxBatch, lanes, waitLimitMs } = this.#options;
    if (this.#backlog >= maxBacklog) return true;
    if (this.#busyLanes === 0 || waitLimitMs === Infinity) return false;
    return this.#pace.predictedWaitMs(Math.floor(this.#ready.length / maxBatch), lanes) > waitLimitMs;
  }

  #enqueue(entry: Entry<Item, Outcome>): void {
    this.#backlog++;
    const queue = entry.key === undefined ? undefined : this.#behind.get(entry.key);
    if (queue) {
      setState(entry, 'new', 'behind');
      queue.push(entry);
      return;
    }
    if (entry.key !== undefined) this.#behind.set(entry.key, []);
    this.#makeReady(entry, 'new');
    this.#scheduleFlush();
  }

  #makeReady(entry: Entry<Item, Outcome>, from: State): void {
    setState(entry, from, 'ready');
    this.#ready.push(entry);
  }

  #scheduleFlush(): void {
    if (this.#flushScheduled || !this.#mayOpenLane()) return;
    this.#flushScheduled = true;
    const flush = (): void => {
      this.#flushScheduled = false;
      this.#flush();
    };
    const { gathering } = this.#options;
    if (this.#mode === 'open' && this.#busyLanes === 0 && gathering.isWorthIt())
      setTimeout(flush, gathering.ms);
    else setImmediate(flush);
  }

  /** Further lanes need enough items, or they would split what one commit could write. */
  #mayOpenLane(): boolean {
    const { lanes, furtherLaneAt } = this.#options;
    if (this.#busyLanes === 0) return true;
    return this.#busyLanes < lanes && this.#ready.length >= furtherLaneAt;
  }

  #flush(): void {
    while (this.#ready.length > 0 && this.#mayOpenLane()) {
      const batch = this.#ready.splice(0, this.#options.maxBatch);
      for (const entry of batch) setState(entry, 'ready', 'sent');
      this.#backlog -= batch.length;
      this.#busyLanes++;
      void this.#write(batch).then(() => {
        this.#busyLanes--;
        this.#flush();
        this.#closeWhenEmpty();
      });
    }
  }

  #closeWhenEmpty(): void {
    if (this.#mode !== 'draining' || this.#backlog > 0 || this.#busyLanes > 0) return;
    this.#setMode('draining', 'closed');
    this.#closed.resolve(undefined);
  }

  #setMode(from: Mode, to: Mode): void {
    if (this.#mode !== from) throw new Error(`${this.#options.name}: ${this.#mode}, not ${from}`);
    this.#mode = to;
  }

  /** Writes a batch and settles its entries. Never rejects. */
  async #write(batch: Entry<Item, Outcome>[]): Promise<void> {
    const { execute, observe, now } = this.#options;
    const startedMs = now();
    try {
      const outcomes = await this.#pace.during(() => execute(batch.map((entry) => entry.item)));
      observe(batch.length, (now() - startedMs) / 1000);
      batch.forEach((entry, i) => {
        this.#settle(entry, outcomes[i]);
      });
    } catch (error) {
      await this.#recover(batch, error);
    }
  }

  async #recover(batch: Entry<Item, Outcome>[], error: unknown): Promise<void> {
    const failure = failureOf(error);
    if (failure === 'conflict') return this.#repeat(batch, error);
    if (failure === 'data' && batch.length > 1) {
      const middle = batch.length >> 1;
      await this.#write(batch.slice(0, middle));
      return this.#write(batch.slice(middle));
    }
    if (failure === 'data' && this.#options.repeatAlone(error)) return this.#repeat(batch, error);
    for (const entry of batch) this.#fail(entry, error);
  }

  #repeat(batch: Entry<Item, Outcome>[], error: unknown): Promise<void> {
    for (const entry of batch.filter(({ attempts }) => attempts >= maxAttempts)) this.#fail(entry, error);
    const left = batch.filter(({ attempts }) => attempts < maxAttempts);
    for (const entry of left) entry.attempts++;
    return left.length > 0 ? this.#write(left) : Promise.resolve();
  }

  #settle(entry: Entry<Item, Outcome>, outcome: Outcome | typeof again | undefined): void {
    if (outcome === undefined) {
      this.#fail(entry, new Error(`${this.#options.name}: the statement gave no outcome for an item`));
    } else if (outcome !== again) {
      setState(entry, 'sent', 'settled');
      entry.resolve(outcome);
      this.#release(entry);
    } else if (entry.attempts < maxAttempts) {
      entry.attempts++;
      this.#backlog++;
      this.#makeReady(entry, 'sent');
    } else {
      this.#fail(entry, new Error(`${this.#options.name}: an item lost every race for its key`));
    }
  }

  #fail(entry: Entry<Item, Outcome>, error: unknown): void {
    setState(entry, 'sent', 'settled');
    entry.reject(error);
    this.#release(entry);
  }

  /** Keeps one timer while items wait, which finds overdue ones. */
  #watch(): void {
    const { waitLimitMs } = this.#options;
    if (this.#timer !== undefined || waitLimitMs === Infinity) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#refuseOverdue();
      if (this.#backlog > 0) this.#watch();
    }, waitLimitMs).unref();
  }

  /** Overdue items were not sent, so the caller may repeat them. */
  #refuseOverdue(): void {
    const { now, waitLimitMs } = this.#options;
    const latestMs = now() - waitLimitMs;
    const isOverdue = ({ arrivedMs }: Entry<Item, Outcome>): boolean => arrivedMs <= latestMs;
    const refuse = (entry: Entry<Item, Outcome>, from: State): void => {
      setState(entry, from, 'settled');
      this.#backlog--;
      entry.reject(databaseIsLate());
    };
    for (const [key, entries] of this.#behind) {
      for (const entry of entries.filter(isOverdue)) refuse(entry, 'behind');
      this.#behind.set(
        key,
        entries.filter((entry) => !isOverdue(entry)),
      );
    }
    const overdue = this.#ready.filter(isOverdue);
    this.#ready = this.#ready.filter((entry) => !isOverdue(entry));
    for (const entry of overdue) {
      refuse(entry, 'ready');
      this.#release(entry);
    }
    this.#closeWhenEmpty();
  }

  /** Makes the next item of the key ready, if there is one. */
  #release(entry: Entry<Item, Outcome>): void {
    if (entry.key === undefined) return;
    const next = this.#behind.get(entry.key)?.shift();
    if (next) this.#makeReady(next, 'behind');
    else this.#behind.delete(entry.key);
  }
}

/**
 * Outcome of an item whose row was taken by a concurrent transaction. The statement does not see that row, so the next statement writes
 * the item again.
 */
export const again: unique symbol = Symbol('again');

/** More lost races of one item mean another fault. */
const maxAttempts = 10;

export interface Gathering {
  readonly ms: number;
  readonly isWorthIt: () => boolean;
}

export interface BatcherOptions<Item, Outcome> {
  /** Name of the items, for metrics and errors. */
  readonly name: string;
  /** Concurrent statements, each on its own connection. */
  readonly lanes: number;
  /** When and for how long, in ms, an idle lane waits for further items. Default: never. */
  readonly gathering?: Gathering;
  /** Ready items that open a further lane next to a busy one. Default 1. */
  readonly furtherLaneAt?: number;
  /** Maximum number of items in a statement. */
  readonly maxBatch: number;
  /** Maximum number of waiting items. */
  readonly maxBacklog: number;
  /** Maximum wait of an item, ms. Default: unlimited. */
  readonly waitLimitMs?: number;
  /** A monotonic clock, ms. */
  readonly now?: () => number;
  /** Writes all items with one statement and commit. @returns outcomes in the items' order */
  execute(items: readonly Item[]): Promise<readonly (Outcome | typeof again)[]>;
  /** The conflict key; undefined if items cannot conflict. */
  keyOf?(item: Item): string | undefined;
  /** @returns whether an item that failed alone with this error lost a race and may be repeated. Default: never */
  repeatAlone?(error: unknown): boolean;
  /** Receives size and duration in seconds of each successful statement. */
  observe?(size: number, seconds: number): void;
}

type Mode = 'open' | 'draining' | 'closed';
type State = 'new' | 'behind' | 'ready' | 'sent' | 'settled';

interface Entry<Item, Outcome> {
  readonly item: Item;
  readonly key: string | undefined;
  /** ms on the batcher's clock */
  readonly arrivedMs: number;
  state: State;
  attempts: number;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

function setState(entry: { state: State }, from: State, to: State): void {
  if (entry.state !== from) throw new Error(`an item of a batch was ${entry.state}, not ${from}`);
  entry.state = to;
}
