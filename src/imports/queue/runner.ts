import { Refusal } from '../../domain/errors.ts';
import { type BatchOptions, runEntries } from './batch.ts';
import type { Lease, QueueStore } from './ports.ts';

export interface QueueRunnerOptions extends BatchOptions {
  readonly store: Pick<QueueStore, 'claim' | 'renew' | 'settle'>;
  /** ms since the epoch */
  readonly now: () => number;
  /** A UUIDv7 of this time. */
  readonly newId: (ms: number) => string;
  /** ms between checks for entries that other cores left. Default 10,000. */
  readonly intervalMs?: number;
  /** ms until a dead core's entries are taken over; more than the difference between clocks of cores. Default 60,000. */
  readonly leaseMs?: number;
}

/** About a chunk: what the engine imports in one transaction. */
const most = { entries: 500, bytes: 1024 * 1024 };

/**
 * Imports the entries of the queue, batch by batch; one runner for each core, and cores share the queue by leases of whole apps:
 * of two records of one user in two requests, the later one wins, whichever cores received them.
 *
 *   idle      not started                                     start → working
 *   working   batches, until the queue is empty or refuses    → waiting; stop → stopped
 *   waiting   a timer                                         nudge, timer → working; stop → stopped
 *   stopped   for ever; the batch under way is finished first
 *
 * A nudge while working makes it look again: a new entry never waits for the timer. The import and the end of the entries are two
 * commits. A crash between them imports the entries again, which changes nothing.
 */
export class QueueRunner {
  readonly #options: QueueRunnerOptions;
  #mode: 'idle' | 'working' | 'waiting' | 'stopped' = 'idle';
  #nudged = false;
  #timer: NodeJS.Timeout | undefined;
  #current: Promise<void> = Promise.resolve();

  constructor(options: QueueRunnerOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#mode === 'idle') this.#work();
  }

  /** Called when entries were added. */
  nudge(): void {
    this.#nudged = true;
    if (this.#mode === 'waiting') this.#work();
  }

  /** Waits for the batch under way. */
  async stop(): Promise<void> {
    this.#mode = 'stopped';
    clearTimeout(this.#timer);
    await this.#current;
  }

  #work(): void {
    clearTimeout(this.#timer);
    this.#mode = 'working';
    this.#current = this.#runBatches().then(() => {
      if (this.#mode === 'working') this.#wait();
    });
  }

  #wait(): void {
    this.#mode = 'waiting';
    this.#timer = setTimeout(() => {
      this.#work();
    }, this.#options.intervalMs ?? 10_000);
    this.#timer.unref();
  }

  async #runBatches(): Promise<void> {
    try {
      while (this.#mode === 'working' && ((await this.#runBatch()) || this.#takeNudge()));
    } catch (error) {
      // A database that is away is reported elsewhere; the entries are taken up again when the lease has expired.
      if (!(error instanceof Refusal)) {
        this.#options.log.error({ err: error }, 'the import queue could not be worked off');
      }
    }
  }

  #takeNudge(): boolean {
    const nudged = this.#nudged;
    this.#nudged = false;
    return nudged;
  }

  /** @returns whether there may be more @throws Refusal when it is better to wait */
  async #runBatch(): Promise<boolean> {
    const { store, now, newId, leaseMs = 60_000 } = this.#options;
    const leaseAt = (id: string): Lease => ({ id, now: now(), until: now() + leaseMs });
    const lease = leaseAt(newId(now()));
    const entries = await store.claim(lease, most);
    if (entries.length === 0) return false;
    const heartbeat = setInterval(() => {
      // If this fails, another core may take the app over: nothing more is committed here then.
      store.renew(leaseAt(lease.id), entries).catch(() => undefined);
    }, leaseMs / 3);
    heartbeat.unref();
    try {
      const { settlements, refusal } = await runEntries({ ...this.#options, leaseId: lease.id }, entries);
      await store.settle({ id: lease.id, now: now() }, settlements);
      if (refusal) throw refusal;
      return true;
    } finally {
      clearInterval(heartbeat);
    }
  }
}
