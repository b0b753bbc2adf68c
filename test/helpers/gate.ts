/** In the environment data: the gate of late-worker.ts. */
export const lateGate = 'carryover-test-late-gate';

/**
 * Holds tasks of held-worker.ts in their threads until it is opened. Cell 0 counts arrivals, cell 1 is the latch, cell 2 counts
 * the threads of late-worker.ts that have passed.
 */
export class Gate {
  readonly #cells = new Int32Array(new SharedArrayBuffer(64));

  /** Shares the memory: a structured clone of a view on shared memory is a view on the same memory. */
  get asSignerKey(): Buffer {
    return Buffer.from(this.#cells.buffer);
  }

  get arrived(): number {
    return Atomics.load(this.#cells, 0);
  }

  get passed(): number {
    return Atomics.load(this.#cells, 2);
  }

  /** Resolves once `count` tasks are held, or were. */
  async arrivals(count: number): Promise<void> {
    for (let seen = this.arrived; seen < count; seen = this.arrived) {
      const wait = Atomics.waitAsync(this.#cells, 0, seen);
      if (wait.async) await wait.value;
    }
  }

  open(): void {
    Atomics.store(this.#cells, 1, 1);
    Atomics.notify(this.#cells, 1);
  }
}
