import { Refusal } from './errors.ts';

/**
 * Decides when a costly task may start: by how many run, and by the bytes that they allocate together.
 *
 * Modes, in this order and never back:
 * - `open`: tasks start or wait; a full queue refuses with OVERLOADED at once.
 * - `closing`: new tasks are refused with SHUTTING_DOWN; those accepted before still start, in order, and end.
 * - `drained`: nothing runs, nothing waits; `drained()` has resolved.
 *
 * Invariants:
 * - At most `slots` tasks are started, and `bytesInFlight` ≤ the budget unless exactly one is: a task that alone exceeds
 *   the budget runs by itself, so that no hash under the ceilings is impossible to verify.
 * - Only while all that are started are brief, up to `ahead` more are, brief ones too: whoever runs them has the next at
 *   hand when one ends. So nobody waits behind a long task for a slot that another one frees.
 * - First in, first out. The head waits for room and nobody overtakes it: small tasks cannot starve a large one.
 * - While something waits, something runs; so every end of a task is enough to make progress.
 * - What was counted in is counted out once, however the task ends.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #queue: Waiting[] = [];
  readonly #end = Promise.withResolvers<undefined>();
  #mode: 'open' | 'closing' | 'drained' = 'open';
  #started = 0;
  #brief = 0;
  #bytesInFlight = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  get running(): number {
    return Math.min(this.#started, this.#options.slots);
  }

  /** Those started ahead included. */
  get waiting(): number {
    return this.#queue.length + this.#started - this.running;
  }

  /** Whether no task is started that another must not wait for. */
  get areAllBrief(): boolean {
    return this.#brief === this.#started;
  }

  get bytesInFlight(): number {
    return this.#bytesInFlight;
  }

  /**
   * Runs `task` when there is room and settles as it does.
   * @param demand what the task will allocate in bytes, as far as can be told beforehand, or that and whether it is brief
   * @param task is told whether it is started ahead: others hold every slot
   * @throws Refusal OVERLOADED or SHUTTING_DOWN, before anything is queued
   */
  async run<T>(demand: number | Demand, task: (isAhead: boolean) => Promise<T>): Promise<T> {
    const asked = typeof demand === 'number' ? { bytes: demand, isBrief: false } : demand;
    const isAhead = await this.#enter(asked);
    try {
      return await task(isAhead);
    } finally {
      this.#leave(asked);
    }
  }

  /** Refuses new tasks from now on. Repeating it changes nothing. */
  close(): void {
    if (this.#mode === 'open') this.#mode = 'closing';
    this.#settle();
  }

  /** Resolves after `close()`, once everything that was accepted has ended. */
  async drained(): Promise<void> {
    await this.#end.promise;
  }

  #enter(demand: Demand): boolean | Promise<boolean> {
    if (this.#mode !== 'open') throw new Refusal('SHUTTING_DOWN');
    if (this.#queue.length === 0 && this.#hasRoom(demand)) return this.#countIn(demand);
    if (this.#queue.length >= this.#options.queueLimit) throw new Refusal('OVERLOADED');
    return new Promise((start) => this.#queue.push({ demand, start }));
  }

  #leave({ bytes, isBrief }: Demand): void {
    this.#started -= 1;
    if (isBrief) this.#brief -= 1;
    this.#bytesInFlight -= bytes;
    this.#startWaiting();
    this.#settle();
  }

  #startWaiting(): void {
    for (let head = this.#queue[0]; head !== undefined && this.#hasRoom(head.demand); head = this.#queue[0]) {
      this.#queue.shift();
      // Counted before it runs: its continuation comes a microtask later, and others may ask for room until then.
      head.start(this.#countIn(head.demand));
    }
  }

  #hasRoom({ bytes, isBrief }: Demand): boolean {
    if (this.#started === 0) return true;
    const { slots, ahead = 0, budgetBytes } = this.#options;
    const areAllBrief = isBrief && this.#brief === this.#started;
    return (
      this.#started < (areAllBrief ? slots + ahead : slots) && this.#bytesInFlight + bytes <= budgetBytes
    );
  }

  /** @returns whether it is started ahead */
  #countIn({ bytes, isBrief }: Demand): boolean {
    this.#started += 1;
    if (isBrief) this.#brief += 1;
    this.#bytesInFlight += bytes;
    return this.#started > this.#options.slots;
  }

  #settle(): void {
    if (this.#mode !== 'closing' || this.#started > 0) return;
    this.#mode = 'drained';
    this.#end.resolve(undefined);
  }
}

export interface Demand {
  /** That the task will allocate. */
  readonly bytes: number;
  /** Whether it takes so little time that another may wait for its end though somebody else is free sooner. */
  readonly isBrief: boolean;
}

export interface AdmissionOptions {
  /** Tasks that may run at once, at least 1. */
  readonly slots: number;
  /** Brief tasks that may be started beside them. Default 0. */
  readonly ahead?: number;
  /** Bytes that running tasks may allocate together. */
  readonly budgetBytes: number;
  /** Tasks that may wait; 0 means that a task starts at once or is refused. */
  readonly queueLimit: number;
}

interface Waiting {
  readonly demand: Demand;
  readonly start: (isAhead: boolean) => void;
}
