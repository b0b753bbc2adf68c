import type { Outcome } from '../../hashes/tasks.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Party } from './lanes.ts';
import { Backlog, type Behalf, type TaskCost, type Waiting } from './backlog.ts';

export type { Behalf, TaskCost };

export interface TaskQueueOptions<Task, Result> {
  /** Concurrent tasks, at least 1. */
  readonly slots: number;
  /** Bytes that running tasks may allocate together. */
  readonly budgetBytes: number;
  /** Waiting tasks; 0: a task starts at once or is refused. */
  readonly queueLimit: number;
  /** Maximum wait of a request's task, ms. Default: unlimited. */
  readonly waitLimitMs?: number | undefined;
  /** Runs tasks sequentially in one thread. Returns an outcome for each, in order. */
  readonly run: (tasks: readonly Task[]) => Promise<readonly Outcome<Result>[]>;
  /** A monotonic clock, ms. */
  readonly now?: () => number;
}

/**
 * Estimated ms of a batch: two Argon2id hashes of the usual policy, no two of bcrypt 10. The first task of a batch waits for the
 * others no longer than it waited in the queue.
 */
const batchMs = 50;
/** Tasks of a batch, however short. */
const batchTasks = 16;
/** Tasks with a longer estimate are treated as long. */
const longMs = 1000;
/** Maximum Retry-After: the queue is short by then. */
const longestRetrySeconds = 10;

/**
 * Starts costly tasks by slots, by the bytes that they allocate together, and by the expected wait of requests. Short tasks are
 * batched while there is a queue: a hand-over takes the event loop up to 0.35 ms, because hashes leave its caches cold, and the
 * thread idles meanwhile.
 *
 *   mode      ends by
 *   open      close → closing, or drained if empty
 *   closing   accepted tasks have ended → drained; new tasks are refused with SHUTTING_DOWN
 *   drained   -
 *
 * Invariants:
 * - `running` ≤ slots, and `bytesInFlight` ≤ the budget unless one batch runs alone: a task that exceeds the budget runs alone,
 *   so every hash under the ceilings can be verified.
 * - The next task waits for room and is not overtaken, so small ones cannot starve a large one.
 * - Parties share by time. A party holds no slot that another waits for, except the last, and a full queue drops the newest task
 *   of the party with most for one with less.
 * - A task is refused on arrival if its predicted wait is too long, and in the queue after too long a wait. One for each slot may
 *   always wait, or a hash as slow as the limit could never be awaited.
 * - A batch counts once for slots and budget: its tasks run sequentially, none takes more bytes than the first, and the other
 *   slots are left their share.
 * - A batch lost with its thread is repeated task by task: only the task that ends threads fails.
 * - While something waits, something runs, so every end of a batch makes progress.
 */
export class TaskQueue<Task, Result> {
  readonly #options: TaskQueueOptions<Task, Result>;
  readonly #now: () => number;
  readonly #backlog: Backlog<Entry<Task, Result>>;
  readonly #batches = new Set<Batch>();
  readonly #pace = new Pace();
  readonly #end = Promise.withResolvers<undefined>();
  #mode: 'open' | 'closing' | 'drained' = 'open';
  #bytesInFlight = 0;

  constructor(options: TaskQueueOptions<Task, Result>) {
    const { waitLimitMs = Infinity, now = () => performance.now() } = options;
    this.#options = options;
    this.#now = now;
    this.#backlog = new Backlog({
      waitLimitMs,
      now,
      mayBegin: (party, cost) => this.#mayBegin(party, cost),
      onLeft: () => {
        this.#startWaiting();
        this.#drainWhenEmpty();
      },
    });
  }

  /** Running batches, and so busy threads. */
  get running(): number {
    return this.#batches.size;
  }

  get waiting(): number {
    return this.#backlog.length;
  }

  get bytesInFlight(): number {
    return this.#bytesInFlight;
  }

  /**
   * Runs `task` when it is next and there is room.
   * @throws Refusal SHUTTING_DOWN or OVERLOADED before it is queued, OVERLOADED after too long a wait, and the signal's reason if
   * the caller leaves before it begins
   */
  async submit(task: Task, cost: TaskCost, behalf: Behalf = {}): Promise<Outcome<Result>> {
    behalf.signal?.throwIfAborted();
    this.requireRoom(behalf, cost.bytes);
    if (this.waiting >= this.#options.queueLimit && this.waiting > 0) this.#backlog.displace(behalf.party);
    const { promise, resolve, reject } = Promise.withResolvers<Outcome<Result>>();
    this.#backlog.add({ task, cost, behalf, resolve, reject });
    this.#startWaiting();
    return promise;
  }

  /** @throws Refusal SHUTTING_DOWN or OVERLOADED if a new task would be refused */
  requireRoom({ isBackground = false, party }: Behalf = {}, bytes = 0): void {
    const { slots, queueLimit } = this.#options;
    if (this.#mode !== 'open') throw new Refusal('SHUTTING_DOWN');
    if (this.waiting === 0 && this.running < slots && this.#hasRoom(bytes)) return;
    const isFull = this.waiting >= queueLimit;
    if (isFull && (isBackground || !this.#backlog.mayDisplace(party))) throw this.#refusal(party);
    if (isBackground || this.#backlog.fairShareOf(party).length < slots) return;
    if (!this.#backlog.admits(party, this.#predictedWaitMs(party))) throw this.#refusal(party);
  }

  /** Refuses new tasks; accepted ones still run. Idempotent. */
  close(): void {
    if (this.#mode === 'open') this.#mode = 'closing';
    this.#drainWhenEmpty();
  }

  /** Resolves after `close()`, once all accepted tasks have ended. */
  async drained(): Promise<void> {
    await this.#end.promise;
  }

  /** With the time until the waiting tasks will have begun. */
  #refusal(party: Party): Refusal {
    const seconds = Math.ceil(this.#predictedWaitMs(party) / 1000);
    if (seconds <= 1) return new Refusal('OVERLOADED');
    const retryAfterSeconds = Math.min(seconds, longestRetrySeconds);
    return new Refusal('OVERLOADED', undefined, { retryAfterSeconds });
  }

  /** Until all tasks of the party's requests have begun, by the recent pace. */
  #predictedWaitMs(party: Party): number {
    const nowMs = this.#now();
    const batches = [...this.#batches];
    const left = batches.map(({ endsAtMs }) => Math.max(0, endsAtMs - nowMs));
    if (this.#backlog.othersWait(party) || batches.some((batch) => batch.party !== party))
      return levelOf(left, this.#parallel, this.#backlog.fairShareOf(party).ms * this.#pace.slowness);
    const leftMs = left.reduce((sum, each) => sum + each, this.#backlog.people.ms * this.#pace.slowness);
    return leftMs / this.#parallel;
  }

  /** The number of slots, or fewer if the waiting tasks need too much memory. */
  get #parallel(): number {
    const { slots, budgetBytes } = this.#options;
    const { length, bytes } = this.#backlog.people;
    return bytes === 0 ? slots : Math.max(1, Math.min(slots, Math.floor((budgetBytes * length) / bytes)));
  }

  #startWaiting(): void {
    while (this.running < this.#options.slots) {
      const next = this.#backlog.next();
      if (next === undefined || !this.#hasRoom(next.cost.bytes)) return;
      void this.#work(this.#takeBatch(next.cost));
    }
  }

  /**
   * A party leaves a slot to others that wait; its long tasks also leave one if another app was active recently, because a
   * running task cannot be stopped.
   */
  #mayBegin(party: Party, { ms }: TaskCost): boolean {
    const own = [...this.#batches].filter((batch) => batch.party === party);
    const most = Math.max(1, this.#options.slots - 1);
    if (own.length >= most && this.#backlog.othersWait(party)) return false;
    if (ms * this.#pace.slowness <= longMs || !this.#backlog.othersCame(party)) return true;
    return own.filter(({ isLong }) => isLong).length < most;
  }

  #hasRoom(bytes: number): boolean {
    return this.running === 0 || this.#bytesInFlight + bytes <= this.#options.budgetBytes;
  }

  #takeBatch(first: TaskCost): Entry<Task, Result>[] {
    const share = Math.ceil(this.waiting / this.#options.slots);
    let leftMs = batchMs - first.ms;
    return this.#backlog.take(Math.min(share, batchTasks), ({ cost }) => {
      if (first.isAlone === true || cost.isAlone === true) return false;
      if (cost.ms > leftMs || cost.bytes > first.bytes) return false;
      leftMs -= cost.ms;
      return true;
    });
  }

  /** Runs a batch to its end; never rejects. */
  async #work(entries: readonly Entry<Task, Result>[]): Promise<void> {
    const bytes = entries[0]?.cost.bytes ?? 0;
    const startedMs = this.#now();
    const estimatedMs = entries.reduce((sum, { cost }) => sum + cost.ms, 0);
    const expectedMs = estimatedMs * this.#pace.slowness;
    const party = entries[0]?.behalf.party;
    const batch: Batch = { endsAtMs: startedMs + expectedMs, party, isLong: expectedMs > longMs };
    this.#batches.add(batch);
    this.#bytesInFlight += bytes;
    const outcomes = await this.#run(entries.map(({ task }) => task));
    this.#batches.delete(batch);
    this.#bytesInFlight -= bytes;
    if (entries[0]?.cost.isAlone !== true) this.#pace.learn(estimatedMs, this.#now() - startedMs);
    // The thread gets its next batch before callers process the results of this one.
    this.#startWaiting();
    for (const [index, { resolve }] of entries.entries()) resolve(outcomes[index] ?? missing());
    this.#drainWhenEmpty();
  }

  /** Always returns one outcome for each task. */
  async #run(tasks: readonly Task[]): Promise<readonly Outcome<Result>[]> {
    try {
      return await this.#options.run(tasks);
    } catch (error) {
      if (tasks.length === 1) return [{ error }];
    }
    const outcomes: Outcome<Result>[] = [];
    for (const task of tasks) outcomes.push(...(await this.#run([task])));
    return outcomes;
  }

  #drainWhenEmpty(): void {
    if (this.#mode !== 'closing' || this.running > 0 || this.waiting > 0) return;
    this.#mode = 'drained';
    this.#end.resolve(undefined);
  }
}

interface Entry<Task, Result> extends Waiting {
  readonly task: Task;
  readonly resolve: (outcome: Outcome<Result>) => void;
}

/** A running batch. */
interface Batch {
  /** Predicted, ms on the queue's clock. */
  readonly endsAtMs: number;
  readonly party: Party;
  readonly isLong: boolean;
}

/**
 * When `workMs`, spread evenly over the slots, will be done.
 * @param left ms of running work
 * @param slots that may be used, at least 1
 */
function levelOf(left: readonly number[], slots: number, workMs: number): number {
  const ends = [...left, ...Array<number>(Math.max(0, slots - left.length)).fill(0)].sort((a, b) => a - b);
  let [sum, count] = [workMs, 0];
  for (const end of ends.slice(0, slots)) {
    if (count > 0 && sum / count <= end) break;
    sum += end;
    count += 1;
  }
  return sum / count;
}

function missing(): Outcome<never> {
  return { error: new Error('a thread returned fewer outcomes than it got tasks') };
}

/** Weight of the initial estimate: 200 ms of work outweigh it. */
const believedMs = 200;
/** Decay for each measurement: about the last ten count. */
const memory = 0.9;

/**
 * The ratio of measured to estimated time; estimates are for one idle core of one machine. A decaying mean weighted by work, so
 * that tiny tasks hardly count.
 */
class Pace {
  #estimatedMs = believedMs;
  #measuredMs = believedMs;

  /** Measured ms for each estimated one. */
  get slowness(): number {
    return this.#measuredMs / this.#estimatedMs;
  }

  learn(estimatedMs: number, measuredMs: number): void {
    if (!(estimatedMs > 0)) return;
    this.#estimatedMs = this.#estimatedMs * memory + estimatedMs;
    this.#measuredMs = this.#measuredMs * memory + measuredMs;
  }
}
