import { Refusal } from '../errors.ts';

/**
 * Lends each connection to one borrower at a time, in the order of asking. How many may wait is the gate's concern. While
 * somebody waits and nothing has come back for as long as one may wait, nobody else begins to.
 */
export class ConnectionPool<Connection> {
  readonly #idle: Connection[];
  readonly #waiting = new Set<(connection: Connection) => void>();
  #givenBackMs = performance.now();

  constructor(connections: readonly Connection[]) {
    this.#idle = [...connections];
  }

  /** @throws Refusal OVERLOADED after `waitMs` without a free connection: nothing was sent */
  async lend<Result>(waitMs: number, work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = this.#idle.pop() ?? (await this.#free(waitMs));
    try {
      return await work(connection);
    } finally {
      this.#giveBack(connection);
    }
  }

  #free(waitMs: number): Promise<Connection> {
    const isStuck = this.#waiting.size > 0 && performance.now() - this.#givenBackMs >= waitMs;
    if (isStuck) return Promise.reject(new Refusal('OVERLOADED'));
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    const timer = setTimeout(() => {
      this.#waiting.delete(take);
      reject(new Refusal('OVERLOADED'));
    }, waitMs);
    const take = (connection: Connection): void => {
      clearTimeout(timer);
      resolve(connection);
    };
    this.#waiting.add(take);
    return promise;
  }

  #giveBack(connection: Connection): void {
    this.#givenBackMs = performance.now();
    const [first] = this.#waiting;
    if (!first) {
      this.#idle.push(connection);
      return;
    }
    this.#waiting.delete(first);
    first(connection);
  }
}
