import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../process/log.ts';
import type { Postmaster } from './postmaster.ts';

/** Starts a server on the cluster; `onExit` is called when it ends without being stopped. */
export type Launch = (onExit: (reason: string) => void) => Promise<Postmaster>;

const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 5000;

/**
 * Restarts a server that ends unexpectedly (killed, out of memory) at the same address, so that connections recover.
 * `idle` until start; then `running`, or `reviving` without a server; `stopping` after stop, which ends restarts.
 */
export class Keeper {
  readonly #launch: Launch;
  readonly #log: Logger;
  readonly #stopped = new AbortController();
  #mode: 'idle' | 'running' | 'reviving' | 'stopping' = 'idle';
  #postmaster: Postmaster | undefined;
  #revival = Promise.resolve();

  constructor(launch: Launch, log: Logger) {
    this.#launch = launch;
    this.#log = log;
  }

  /** Of the current server's first process. */
  get pid(): number {
    return this.#postmaster?.pid ?? 0;
  }

  /** @throws StartupError when the first start fails; only later ones are repeated */
  async start(): Promise<void> {
    await this.#begin();
  }

  async stop(): Promise<void> {
    this.#mode = 'stopping';
    this.#stopped.abort();
    await this.#revival;
    await this.#postmaster?.stop();
  }

  async #begin(): Promise<void> {
    this.#postmaster = await this.#launch((reason) => {
      this.#lost(reason);
    });
    if (this.#mode !== 'stopping') this.#mode = 'running';
  }

  #lost(reason: string): void {
    if (this.#mode !== 'running') return;
    this.#mode = 'reviving';
    this.#log.error({ reason }, 'PostgreSQL ended unexpectedly: starting it again');
    this.#revival = this.#revive();
  }

  /** The dead server's children hold its shared memory for a moment, so first attempts may fail. */
  async #revive(): Promise<void> {
    for (
      let waitMs = FIRST_RETRY_MS;
      this.#mode === 'reviving';
      waitMs = Math.min(waitMs * 2, MAX_RETRY_MS)
    ) {
      await delay(waitMs, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
      if (this.#stopped.signal.aborted) return;
      try {
        await this.#begin();
        this.#log.info('PostgreSQL runs again');
      } catch (error) {
        this.#log.error({ err: error }, 'PostgreSQL could not be started again yet');
      }
    }
  }
}
