import type { Query } from '../database/query.ts';
import { type Failover, failoverInWords, failoversToMend, readFailover } from '../database/failover.ts';
import type { Logger } from '../process/log.ts';

/** Standbys come and go within minutes, and `/health` needs no key. */
const validMs = 60_000;

/** What a failover of the database would lose: logged at the start and when it gets worse, and shown by `/health`. */
export class FailoverWatch {
  readonly #read: Query;
  readonly #log: Pick<Logger, 'info' | 'warn'>;
  #known: Failover | undefined;
  #readAt = -Infinity;

  constructor(read: Query, log: Pick<Logger, 'info' | 'warn'>) {
    this.#read = read;
    this.#log = log;
  }

  /** As last read; a state older than a minute is read again for the next call. Undefined before the first read. */
  latest(): Failover | undefined {
    if (performance.now() - this.#readAt > validMs) void this.read();
    return this.#known;
  }

  /** Never rejects: an unreachable database is reported elsewhere. */
  async read(): Promise<void> {
    this.#readAt = performance.now();
    const before = this.#known?.state;
    const now = await readFailover(this.#read).catch(() => undefined);
    if (now === undefined) return;
    this.#known = now;
    if (now.state === before) return;
    if (failoversToMend.has(now.state))
      this.#log.warn({ failover: now.state, standbys: now.standbys }, failoverInWords(now));
    else if (before !== undefined) this.#log.info({ failover: now.state }, failoverInWords(now));
  }
}
