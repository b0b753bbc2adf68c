import type { Database } from '../database/database.ts';
import type { DiskSpace } from '../database/disk-space.ts';

/** `read-only` and `full`: sign-ins work, and every write is refused. */
export type DatabaseState = 'up' | 'down' | 'read-only' | 'full';

export interface ProbeOptions {
  /** Separate connections, so that neither waits for the other. */
  readonly database: Database;
  /** Connections of sign-ins: the core is ready only while they work. */
  readonly live: Pick<Database, 'serves'>;
  readonly diskSpace: DiskSpace;
  /** Whether the database was ever reached. */
  readonly isReached: () => boolean;
  /** Default 2000. */
  readonly timeoutMs?: number;
}

/** Answers are shared for this time: probes need no key, so they must be cheap. */
const validMs = 500;
const defaultTimeoutMs = 2000;

/**
 * Checks whether the database is usable, with one statement at a time. A late one is not repeated: callers meanwhile wait for it
 * too, and get "down".
 */
export class Probe {
  readonly #options: ProbeOptions;
  #statement: Promise<DatabaseState> | undefined;
  #answer: { readonly state: Promise<DatabaseState>; validUntil: number } | undefined;

  constructor(options: ProbeOptions) {
    this.#options = options;
  }

  /** Never rejects, and takes at most `timeoutMs`. */
  state(): Promise<DatabaseState> {
    if (!this.#options.isReached()) return Promise.resolve('down');
    if (this.#answer && performance.now() < this.#answer.validUntil) return this.#answer.state;
    const answer = { state: this.#ask(), validUntil: Infinity };
    this.#answer = answer;
    void answer.state.then(() => {
      answer.validUntil = performance.now() + validMs;
    });
    return answer.state;
  }

  #ask(): Promise<DatabaseState> {
    this.#statement ??= this.#look().finally(() => {
      this.#statement = undefined;
    });
    const { promise: late, resolve } = Promise.withResolvers<DatabaseState>();
    const timer = setTimeout(resolve, this.#options.timeoutMs ?? defaultTimeoutMs, 'down');
    return Promise.race([this.#statement, late]).finally(() => {
      clearTimeout(timer);
    });
  }

  async #look(): Promise<DatabaseState> {
    const { database, diskSpace, live } = this.#options;
    try {
      const isServing = live.serves();
      const [row] = await database.read<{ read_only: boolean }>(
        // Also on for a standby.
        `select current_setting('transaction_read_only')::boolean as read_only`,
      );
      if (!(await isServing)) return 'down';
      if (row?.read_only !== false) return 'read-only';
      return (await diskSpace.isFull(database)) ? 'full' : 'up';
    } catch {
      return 'down';
    }
  }
}
