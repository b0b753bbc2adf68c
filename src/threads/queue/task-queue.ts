import type { Outcome } from '../../hashes/tasks.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Party } from './lanes.ts';
import { Backlog, type Behalf, type TaskCost, type Waiting } from './backlog.ts';

export type { Behalf, TaskCost };

export interface TaskQueueOptions<Task, Result> {
  /** Tasks that may run at once, at least 1. */
  readonly slots: number;
  /** Bytes that running tasks may allocate together. */
  readonly budgetBytes: number;
  /** Tasks that may wait; 0 means that a task starts at once or is refused. */
  readonly queueLimit: number;
  /** Milliseconds that a task of a request may wait. Default: without limit. */
  readonly waitLimitMs?: number | undefined;
  /** Runs tasks one after the other in one thread. Returns an outcome for each, in their order. */
  readonly run: (tasks: readonly Task[]) => Promise<readonly Outcome<Result>[]>;
  /** A monotonic clock, ms. */
  readonly now?: () => number;
}

/**
 * Estimated milliseconds that are handed over together: two Argon2id hashes of the usual policy, no two of bcrypt 10.
 * The first of a batch waits for the others no longer than it has waited in the queue.
 */
const batchMs = 50;
/** Tasks that are handed over together, however brief. */
const batchTasks = 16;
/** A task that is expected to take longer holds its slot for long. */
const longMs = 1000;
/** No client is asked to come back later than that: the queue is short by then. */
const longestRetrySeconds = 10;

/**
 * Decides which costly task starts when: by how many run, by the bytes that they allocate together, and by how long
 * a request can be expected to wait. Brief tasks are handed to their thread a few at a time while there is a queue: a
 * hand-over takes the event loop up to 0.35 ms of a core where hashes leave its caches cold, and the thread idles meanwhile.
 *
 *   mode      ends by
 *   open      close → closing, or drained when nothing is there
 *   closing   what was accepted has ended → drained; new tasks are refused with SHUTTING_DOWN
 *   drained   -
 *
 * Invariants:
 * - `running` ≤ slots, and `bytesInFlight` ≤ the budget unless exactly one batch runs: a task that alone exceeds the
 *   budget runs alone, so that no hash under the ceilings is impossible to verify.
 * - The task whose turn it is waits for room, and no task overtakes it: small ones cannot starve a large one.
 * - Parties take turns by the time that they are given. One holds no slot that another waits for, but for the last one, and a
 *   full queue refuses the newest task of the party with most for one of a party with less.
 * - A task is refused on arrival when its wait would be too long, and in the queue when it has waited for too long. One
 *   for each slot may always wait, or a hash that takes as long as the limit could never be waited for.
 * - A batch counts once for the slots and once for the budget: its tasks run one after the other, and none of them takes
 *   more bytes than the first. It leaves the other slots their share of what waits.
 * - A batch that is lost with its thread is run again task by task: only the one that ends threads fails.
 * - While something waits, something runs; so every end of a batch is enough to make progress.
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

  /** Batches that run, and so threads at work. */
  get running(): number {
    return this.#batches.size;
  }

  /** Tasks that wait. */
  get waiting(): number {
    return this.#backlog.length;
  }

  get bytesInFlight(): number {
    return this.#bytesInFlight;
  }

  /**
   * Runs `task` when its turn has come and there is room.
   * @throws Refusal SHUTTING_DOWN or OVERLOADED before anything is queued, OVERLOADED after it has waited for too long,
   *   and the reason of the signal, when the caller leaves before the task begins
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

  /**
   * Whether a task that came now would be let in.
   * @throws Refusal SHUTTING_DOWN or OVERLOADED when not
   */
  requireRoom({ isBackground = false, party }: Behalf = {}, bytes = 0): void {
    const { slots, queueLimit } = this.#options;
    if (this.#mode !== 'open') throw new Refusal('SHUTTING_DOWN');
    if (this.waiting === 0 && this.running < slots && this.#hasRoom(bytes)) return;
    const isFull = this.waiting >= queueLimit;
    if (isFull && (isBackground || !this.#backlog.mayDisplace(party))) throw this.#refusal(party);
    if (isBackground || this.#backlog.fairShareOf(party).length < slots) return;
    if (!this.#backlog.admits(party, this.#predictedWaitMs(party))) throw this.#refusal(party);
  }

  /** Refuses new tasks from now on; those accepted before still run. Repeating it changes nothing. */
  close(): void {
    if (this.#mode === 'open') this.#mode = 'closing';
    this.#drainWhenEmpty();
  }

  /** Resolves after `close()`, once everything that was accepted has ended. */
  async drained(): Promise<void> {
    await this.#end.promise;
  }

  /** Says when what waits now will have begun. */
  #refusal(party: Party): Refusal {
    const seconds = Math.ceil(this.#predictedWaitMs(party) / 1000);
    if (seconds <= 1) return new Refusal('OVERLOADED');
    const retryAfterSeconds = Math.min(seconds, longestRetrySeconds);
    return new Refusal('OVERLOADED', undefined, { retryAfterSeconds });
  }

  /** Until all tasks of the party's requests have begun, by what such work has taken recently. */
  #predictedWaitMs(party: Party): number {
    const nowMs = this.#now();
    const batches = [...this.#batches];
    const left = batches.map(({ endsAtMs }) => Math.max(0, endsAtMs - nowMs));
    if (this.#backlog.othersWait(party) || batches.some((batch) => batch.party !== party))
      return levelOf(left, this.#parallel, this.#backlog.fairShareOf(party).ms * this.#pace.slowness);
    const leftMs = left.reduce((sum, each) => sum + each, this.#backlog.people.ms * this.#pace.slowness);
    return leftMs / this.#parallel;
  }

  /** As many as there are slots, unless what waits takes so much memory that fewer fit. */
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
   * A party leaves a slot to others: while one of them waits, and for tasks that take long while another app is about, since
   * what has begun is not stopped.
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

  /** Sees a batch to its end; never rejects. */
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
    // The thread has its next batch before callers go on with the results of this one.
    this.#startWaiting();
    for (const [index, { resolve }] of entries.entries()) resolve(outcomes[index] ?? missing());
    this.#drainWhenEmpty();
  }

  /** One outcome for each task, whatever happens. */
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

/** What is under way in one thread. */
interface Batch {
  /** As far as can be predicted, ms on the queue's clock. */
  readonly endsAtMs: number;
  readonly party: Party;
  readonly isLong: boolean;
}

/**
 * When work will have been done that fills up slots evenly.
 * @param left of what runs, ms
 * @param slots that may be filled, at least 1
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

/** What the first measurements are weighed against: an estimate is believed until 200 ms of work say otherwise. */
const believedMs = 200;
/** How much of what was learned is kept by each measurement: the last ten or so count. */
const memory = 0.9;

/**
 * How long work takes here, as a multiple of what was estimated: the estimates are of one core at rest, of one machine.
 * A decaying mean, weighed by the work, so that a hash of a microsecond says as little as it takes.
 */
class Pace {
  #estimatedMs = believedMs;
  #measuredMs = believedMs;

  /** Milliseconds that work takes for each one that was estimated. */
  get slowness(): number {
    return this.#measuredMs / this.#estimatedMs;
  }

  learn(estimatedMs: number, measuredMs: number): void {
    if (!(estimatedMs > 0)) return;
    this.#estimatedMs = this.#estimatedMs * memory + estimatedMs;
    this.#measuredMs = this.#measuredMs * memory + measuredMs;
  }
}
