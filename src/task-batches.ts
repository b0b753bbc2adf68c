import type { Outcome } from '../workers/protocol.ts';
import { Admission, type AdmissionOptions } from './admission.ts';
import { Refusal } from './errors.ts';

/** What a task will take, as far as can be told beforehand. */
export interface TaskCost {
  readonly bytes: number;
  /** Estimated milliseconds of one core; Infinity for a task that must go alone. */
  readonly ms: number;
}

export interface TaskBatchesOptions<Task, Result> extends AdmissionOptions {
  /** Runs tasks one after the other in one thread. Returns an outcome for each, in their order. */
  readonly run: (tasks: readonly Task[]) => Promise<readonly Outcome<Result>[]>;
}

/**
 * Estimated milliseconds that are handed over together: two Argon2id hashes of the usual policy, no two of bcrypt 10.
 * The first of a batch waits for the others no longer than it has waited in the queue.
 */
const batchMs = 50;
/** Tasks that are handed over together, however brief. */
const batchTasks = 16;

/**
 * Lets tasks start as Admission does, and hands brief ones to their thread a few at a time while there is a queue. A
 * hand-over takes the event loop up to 0.35 ms of a core where hashes leave its caches cold, and the thread idles
 * meanwhile: too much beside a hash of 9 ms.
 *
 * Invariants:
 * - A task joins a batch only while that is the last in the queue and each slot has a batch waiting: no thread idles for it.
 * - A batch counts once for the slots, and once for the budget: its tasks run one after the other, and none of them
 *   takes more bytes than the first.
 * - First in, first out, and the queue's limit counts tasks, as if there were no batches.
 * - A batch that is lost with its thread is run again task by task: only the one that ends threads fails.
 */
export class TaskBatches<Task, Result> {
  readonly #options: TaskBatchesOptions<Task, Result>;
  readonly #admission: Admission;
  /** The last in the queue: what may be joined. */
  #last: Batch<Task, Result> | undefined;
  /** Tasks in the queue. */
  #waiting = 0;

  constructor(options: TaskBatchesOptions<Task, Result>) {
    this.#options = options;
    this.#admission = new Admission(options);
  }

  /** Batches that run, and so threads at work. */
  get running(): number {
    return this.#admission.running;
  }

  /** Tasks that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  get bytesInFlight(): number {
    return this.#admission.bytesInFlight;
  }

  /**
   * Runs `task` when there is room.
   * @throws Refusal OVERLOADED or SHUTTING_DOWN, before anything is queued
   */
  async submit(task: Task, { bytes, ms }: TaskCost): Promise<Outcome<Result>> {
    this.#admission.requireOpen();
    if (this.#isFull) throw new Refusal('OVERLOADED');
    const entry: Entry<Task, Result> = { task, ...Promise.withResolvers<Outcome<Result>>() };
    const last = this.#admission.waiting < this.#options.slots ? undefined : this.#last;
    if (last !== undefined && fits(last, { bytes, ms })) {
      last.entries.push(entry);
      last.msLeft -= ms;
      this.#waiting += 1;
    } else void this.#begin({ entries: [entry], bytes, msLeft: batchMs - ms });
    return entry.promise;
  }

  /** Refuses new tasks from now on; those accepted before still run. */
  close(): void {
    this.#admission.close();
  }

  /** Resolves after `close()`, once everything that was accepted has ended. */
  drained(): Promise<void> {
    return this.#admission.drained();
  }

  /** Of tasks. While no batch waits there may be room to start at once: Admission knows. */
  get #isFull(): boolean {
    return this.#admission.waiting > 0 && this.#waiting >= this.#options.queueLimit;
  }

  /** Sees a batch to its end; never rejects. */
  async #begin(batch: Batch<Task, Result>): Promise<void> {
    const { entries } = batch;
    try {
      // Room is given back by then: the thread has its next batch before anybody goes on with what this one found.
      const outcomes = await this.#admit(batch);
      for (const [index, { resolve }] of entries.entries()) resolve(outcomes[index] ?? missing());
    } catch (refusal) {
      for (const { reject } of entries) reject(refusal);
    }
  }

  async #admit(batch: Batch<Task, Result>): Promise<readonly Outcome<Result>[]> {
    const before = this.#admission.waiting;
    let isQueued = false;
    const outcomes = this.#admission.run(batch.bytes, () => {
      if (isQueued) this.#waiting -= batch.entries.length;
      if (this.#last === batch) this.#last = undefined;
      return this.#run(batch.entries.map(({ task }) => task));
    });
    // It starts a microtask later at the earliest, so this is in time.
    isQueued = this.#admission.waiting > before;
    if (isQueued) {
      this.#last = batch;
      this.#waiting += 1;
    }
    return outcomes;
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
}

interface Entry<Task, Result> {
  readonly task: Task;
  readonly resolve: (outcome: Outcome<Result>) => void;
  readonly reject: (refusal: unknown) => void;
  readonly promise: Promise<Outcome<Result>>;
}

interface Batch<Task, Result> {
  readonly entries: Entry<Task, Result>[];
  /** Of its first task: no other takes more. */
  readonly bytes: number;
  /** Estimated milliseconds that others may add. */
  msLeft: number;
}

function fits<Task, Result>({ entries, bytes, msLeft }: Batch<Task, Result>, cost: TaskCost): boolean {
  return cost.bytes <= bytes && cost.ms <= msLeft && entries.length < batchTasks;
}

function missing(): Outcome<never> {
  return { error: new Error('a thread returned fewer outcomes than it got tasks') };
}
