import { databaseIsLate } from '../late.ts';

/**
 * Lends each connection to one borrower at a time, in the order of requests; the gate bounds the number that wait. If a borrower
 * waits and no connection was lent or returned for the wait limit, no other borrower may wait.
 */
export class ConnectionPool<Connection> {
  readonly #idle: Connection[];
  readonly #now: () => number;
  readonly #waiting = new Set<(connection: Connection) => void>();
  /** When a connection was last lent or returned; unchanged without requests. */
  #movedMs = 0;

  /** @param now a monotonic clock, ms */
  constructor(connections: readonly Connection[], now: () => number = () => performance.now()) {
    this.#idle = [...connections];
    this.#now = now;
  }

  /** @throws Refusal OVERLOADED after `waitMs` without a free connection: nothing was sent */
  async lend<Result>(waitMs: number, work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = this.#takeIdle() ?? (await this.#free(waitMs));
    try {
      return await work(connection);
    } finally {
      this.#giveBack(connection);
    }
  }

  get idle(): readonly Connection[] {
    return this.#idle;
  }

  #takeIdle(): Connection | undefined {
    const connection = this.#idle.pop();
    if (connection !== undefined) this.#movedMs = this.#now();
    return connection;
  }

  #free(waitMs: number): Promise<Connection> {
    const isStuck = this.#waiting.size > 0 && this.#now() - this.#movedMs >= waitMs;
    if (isStuck) return Promise.reject(databaseIsLate());
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    const timer = setTimeout(() => {
      this.#waiting.delete(take);
      reject(databaseIsLate());
    }, waitMs);
    const take = (connection: Connection): void => {
      clearTimeout(timer);
      resolve(connection);
    };
    this.#waiting.add(take);
    return promise;
  }

  #giveBack(connection: Connection): void {
    this.#movedMs = this.#now();
    const [first] = this.#waiting;
    if (!first) {
      this.#idle.push(connection);
      return;
    }
    this.#waiting.delete(first);
    first(connection);
  }
}
