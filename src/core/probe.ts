import type { Database } from '../database/database.ts';
import type { DiskSpace } from '../database/disk-space.ts';

/** `read-only` and `full`: sign-ins work, and every write is refused. */
export type DatabaseState = 'up' | 'down' | 'read-only' | 'full';

export interface ProbeOptions {
  /** Separate connections, so that neither waits for the other. */
  readonly database: Database;
  /** Those that serve sign-ins: ready is a core only while they do. */
  readonly live: Pick<Database, 'serves'>;
  readonly diskSpace: DiskSpace;
  /** Whether the database was reached at all. */
  readonly isReached: () => boolean;
  /** Default 2000. */
  readonly timeoutMs?: number;
}

/** For so long an answer is good for all who ask: probes need no key, so they must not cost what work does. */
const validMs = 500;
const defaultTimeoutMs = 2000;

/**
 * Looks whether the database can be used: one statement at a time, however many ask. One that is late is not repeated: who
 * asks meanwhile waits for it too, and hears that the database is down.
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
