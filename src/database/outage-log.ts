import { type Logger, reasonOf } from '../process/log.ts';
import { adviceOn } from './connection/advice.ts';
import { codeOf } from './sqlstate.ts';
import type { Watcher } from './gate.ts';

export interface OutageLogOptions {
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** ms since the epoch */
  readonly now: () => number;
  /** Whether the database was ever reached: until then the start reports failures. */
  readonly hasBegun: () => boolean;
}

/** Minimum time between two reports, for an unstable database. */
const quietMs = 10_000;

/**
 * Logs that statements fail for another reason than their own, why, and that they succeed again: each once.
 *
 *   state     a statement fails                            one of the kind that failed first succeeds
 *   usable    → unusable, logged; if logged lately: nothing -
 *   unusable  logged, if its code was not logged yet       → usable, logged
 *
 * Reading and writing are two kinds: a full disk fails only writes. Several codes may follow: first connections are lost, then
 * new ones fail, and the latter state the reason.
 */
export class OutageLog implements Watcher {
  readonly #options: OutageLogOptions;
  #outage: { readonly writes: boolean; readonly since: number; readonly codes: Set<string> } | undefined;
  #lastReported = -Infinity;

  constructor(options: OutageLogOptions) {
    this.#options = options;
  }

  failed(error: unknown, writes: boolean): void {
    const { log, now, hasBegun } = this.#options;
    if (!hasBegun()) return;
    const since = now();
    if (!this.#outage && since - this.#lastReported < quietMs) return;
    this.#outage ??= { writes, since, codes: new Set() };
    const { codes } = this.#outage;
    const code = codeOf(error);
    if (codes.has(code)) return;
    codes.add(code);
    this.#lastReported = since;
    log.warn({ reason: reasonOf(error), advice: adviceOn(error) }, 'the database cannot be used');
  }

  succeeded(writes: boolean): void {
    if (this.#outage?.writes !== writes) return;
    const { log, now } = this.#options;
    log.info({ afterMs: now() - this.#outage.since }, 'the database can be used again');
    this.#outage = undefined;
  }
}
