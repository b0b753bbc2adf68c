/** No connection came free in time: nothing was sent. */
function noneFree(waitMs: number): Error {
  const error = new Error(`no connection to the database was free within ${waitMs} ms`);
  return Object.assign(error, { code: 'CONNECT_TIMEOUT' });
}

/** Lends each connection to one borrower at a time, in the order of asking. How many may wait is the gate's concern. */
export class ConnectionPool<Connection> {
  readonly #idle: Connection[];
  readonly #waiting = new Set<(connection: Connection) => void>();

  constructor(connections: readonly Connection[]) {
    this.#idle = [...connections];
  }

  /** @throws an error with the code CONNECT_TIMEOUT after `waitMs` without a free connection */
  async lend<Result>(waitMs: number, work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = this.#idle.pop() ?? (await this.#free(waitMs));
    try {
      return await work(connection);
    } finally {
      this.#giveBack(connection);
    }
  }

  #free(waitMs: number): Promise<Connection> {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    const timer = setTimeout(() => {
      this.#waiting.delete(take);
      reject(noneFree(waitMs));
    }, waitMs);
    const take = (connection: Connection): void => {
      clearTimeout(timer);
      resolve(connection);
    };
    this.#waiting.add(take);
    return promise;
  }

  #giveBack(connection: Connection): void {
    const [first] = this.#waiting;
    if (!first) {
      this.#idle.push(connection);
      return;
    }
    this.#waiting.delete(first);
    first(connection);
  }
}
