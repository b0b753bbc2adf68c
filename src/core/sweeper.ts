import { Refusal } from '../domain/errors.ts';
import type { Logger } from '../process/log.ts';

export interface SweeperOptions {
  /** Does the work once. @returns how many things it removed */
  readonly sweep: () => Promise<number>;
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly intervalMs: number;
}

/**
 * Sweeps at the start and then regularly, one sweep at a time. `idle` until start, `running`, `stopped` for ever.
 * A sweep that fails is logged and the next one tries again; a database that is away is no news.
 */
export class Sweeper {
  readonly #options: SweeperOptions;
  #mode: 'idle' | 'running' | 'stopped' = 'idle';
  #timer: NodeJS.Timeout | undefined;
  #current: Promise<void> = Promise.resolve();

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#mode !== 'idle') return;
    this.#mode = 'running';
    this.#begin();
  }

  /** Waits for the sweep under way. */
  async stop(): Promise<void> {
    this.#mode = 'stopped';
    clearTimeout(this.#timer);
    await this.#current;
  }

  #begin(): void {
    this.#current = this.#sweep().then(() => {
      if (this.#mode !== 'running') return;
      this.#timer = setTimeout(() => {
        this.#begin();
      }, this.#options.intervalMs);
      this.#timer.unref();
    });
  }

  async #sweep(): Promise<void> {
    const { sweep, log } = this.#options;
    try {
      const removed = await sweep();
      if (removed > 0) log.info({ removed }, 'what had expired was removed');
    } catch (error) {
      if (!(error instanceof Refusal)) log.error({ err: error }, 'what has expired could not be removed');
    }
  }
}
