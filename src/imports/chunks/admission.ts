import { Refusal } from '../../domain/errors.ts';

/**
 * Decides when a costly task may start: by the number of running tasks, and by the bytes that they allocate together.
 *
 * Modes, in this order and never back:
 * - `open`: tasks start or wait; a full queue refuses with OVERLOADED at once.
 * - `closing`: new tasks are refused with SHUTTING_DOWN; accepted ones still start, in order, and end.
 * - `drained`: no task runs or waits; `drained()` has resolved.
 *
 * Invariants:
 * - `running` ≤ slots, and `bytesInFlight` ≤ the budget unless exactly one task runs: a task that alone exceeds the budget runs
 *   alone, so that every hash under the ceilings can be verified.
 * - First in, first out. The first waits for room and no task overtakes it: small tasks cannot starve a large one.
 * - While a task waits, another runs; so every end of a task is enough to make progress.
 * - Each task is counted in once and counted out once, however it ends.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #queue: Waiting[] = [];
  readonly #end = Promise.withResolvers<undefined>();
  #mode: 'open' | 'closing' | 'drained' = 'open';
  #running = 0;
  #bytesInFlight = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  get bytesInFlight(): number {
    return this.#bytesInFlight;
  }

  /**
   * Runs `task` when there is room and settles as it does.
   * @param bytes the estimate of what the task will allocate
   * @throws Refusal OVERLOADED or SHUTTING_DOWN, before the task is queued
   */
  async run<T>(bytes: number, task: () => Promise<T>): Promise<T> {
    await this.#enter(bytes);
    try {
      return await task();
    } finally {
      this.#leave(bytes);
    }
  }

  /** Refuses new tasks from now on. A second call has no effect. */
  close(): void {
    if (this.#mode === 'open') this.#mode = 'closing';
    this.#settle();
  }

  /** Resolves after `close()`, once every accepted task has ended. */
  async drained(): Promise<void> {
    await this.#end.promise;
  }

  /** @throws Refusal SHUTTING_DOWN after `close()` */
  requireOpen(): void {
    if (this.#mode !== 'open') throw new Refusal('SHUTTING_DOWN');
  }

  #enter(bytes: number): Promise<void> | undefined {
    this.requireOpen();
    if (this.#queue.length === 0 && this.#hasRoom(bytes)) {
      this.#countIn(bytes);
      return undefined;
    }
    if (this.#queue.length >= this.#options.queueLimit) throw new Refusal('OVERLOADED');
    return new Promise((start) => this.#queue.push({ bytes, start }));
  }

  #leave(bytes: number): void {
    this.#running -= 1;
    this.#bytesInFlight -= bytes;
    this.#startWaiting();
    this.#settle();
  }

  #startWaiting(): void {
    for (let head = this.#queue[0]; head !== undefined && this.#hasRoom(head.bytes); head = this.#queue[0]) {
      this.#queue.shift();
      // Counted before it runs: its continuation comes a microtask later, and others may ask for room until then.
      this.#countIn(head.bytes);
      head.start();
    }
  }

  #hasRoom(bytes: number): boolean {
    if (this.#running === 0) return true;
    const { slots, budgetBytes } = this.#options;
    return this.#running < slots && this.#bytesInFlight + bytes <= budgetBytes;
  }

  #countIn(bytes: number): void {
    this.#running += 1;
    this.#bytesInFlight += bytes;
  }

  #settle(): void {
    if (this.#mode !== 'closing' || this.#running > 0) return;
    this.#mode = 'drained';
    this.#end.resolve(undefined);
  }
}

export interface AdmissionOptions {
  /** Tasks that may run at once, at least 1. */
  readonly slots: number;
  /** Bytes that running tasks may allocate together. */
  readonly budgetBytes: number;
  /** Tasks that may wait; 0 means that a task starts at once or is refused. */
  readonly queueLimit: number;
}

interface Waiting {
  readonly bytes: number;
  readonly start: () => void;
}
