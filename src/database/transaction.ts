import type { Readable, Writable } from 'node:stream';
import { AnswerDeadline, type Lost, type Suspicion } from './answer-deadline.ts';
import { cancel, type Connection, copyCancelled, type Transaction, unlessLost } from './driver.ts';
import type { Copy, CopyOut, Parameter, Planned, Query, Savepoint, SavepointWork } from './query.ts';
import { failureOf } from './sqlstate.ts';
import { type Pause, sendInPieces } from './transfer/copy-in.ts';
import { takeAll, type TakePiece } from './transfer/copy-out.ts';

export interface Statement {
  readonly text: string;
  readonly parameters: readonly Parameter[];
  readonly planned: Planned;
}

/** One statement on a connection at a time: the driver would queue the next behind a slow one. */
const alone = { onexecute: () => false } as const;

/** In the driver, prepared statements are named; others are parsed and planned each time. */
export const sending = {
  once: { ...alone, prepare: true },
  'each-time': { ...alone, prepare: false },
} as const;

const maxAttempts = 5;

export interface Habits {
  readonly usually: Planned;
  readonly newPause: () => Pause;
  readonly timeoutMs: number;
  /** @param underWay statements without an answer */
  readonly suspicionOf: (connection: Connection, underWay: () => Iterable<object>) => Suspicion | undefined;
}

type Work<Result> = (query: Query, savepoint: Savepoint) => Promise<Result>;

/** Begins, works and commits; repeats all of it after a deadlock, or if a lost connection had begun nothing. */
export async function repeatedTransaction<Result>(
  connection: Connection,
  habits: Habits,
  work: Work<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const span = new Span(connection, habits);
    try {
      return await span.run(work);
    } catch (error) {
      span.end();
      const failure = failureOf(error);
      const repeatable = failure === 'conflict' || (failure === 'unknown' && !span.isBegun);
      if (!repeatable || attempt === maxAttempts) throw error;
    }
  }
}

/**
 * One attempt at a transaction: until begin → `isBegun`; until the driver rejects, or a statement is not answered → over.
 *
 * When the connection is lost, the driver rejects `begin` while `work` may still run. A later statement, or the ROLLBACK after a
 * rejection, would be written to the closed connection and end the process (postgres.js 3.4.9), so nothing settles from then on.
 */
class Span {
  isBegun = false;
  #isOver = false;
  readonly #connection: Connection;
  readonly #habits: Habits;
  readonly #deadline: AnswerDeadline;
  readonly #underWay = new Set<object>();

  constructor(connection: Connection, habits: Habits) {
    this.#connection = connection;
    this.#habits = habits;
    this.#deadline = new AnswerDeadline(
      habits.timeoutMs,
      () => this.#abandon(),
      habits.suspicionOf(connection, () => this.#underWay),
    );
  }

  async run<Result>(work: Work<Result>): Promise<Result> {
    try {
      return await this.#deadline.during(this.#beginAndCommit(work));
    } finally {
      this.#deadline.stop();
    }
  }

  end(): void {
    this.#isOver = true;
  }

  async #beginAndCommit<Result>(work: Work<Result>): Promise<Result> {
    this.#deadline.begin();
    const sql = await this.#whileOn(() => this.#connection.open());
    const result = await sql.begin((tx) => {
      this.isBegun = true;
      const savepoint: Savepoint = (part) => this.#savepoint(tx, part);
      return this.#betweenStatements(() => work(this.#queryOf(tx), savepoint));
    });
    return result as Result;
  }

  async #savepoint<Result>(tx: Transaction, part: SavepointWork<Result>) {
    const result = await this.#whileOn(() =>
      this.#answered(
        tx.savepoint((sp) =>
          this.#betweenStatements(() => part(this.#queryOf(sp), this.#copyOf(sp), this.#copyOutOf(sp))),
        ),
      ),
    );
    return result as Awaited<Result>;
  }

  /** The driver's own statements (BEGIN, COMMIT, SAVEPOINT, ROLLBACK) are outside of this. */
  async #betweenStatements<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#deadline.end();
    try {
      return await this.#whileOn(work);
    } finally {
      this.#deadline.begin();
    }
  }

  #queryOf(tx: Transaction): Query {
    return <Row extends object>(
      text: string,
      parameters: readonly Parameter[] = [],
      planned = this.#habits.usually,
    ) => this.#whileOn(() => this.#inTransaction<Row>(tx, { text, parameters, planned }));
  }

  #copyOf(tx: Transaction): Copy {
    return (text, input) =>
      this.#whileOn(() =>
        this.#copyInTransaction(tx, text, (into) => sendInPieces(into, input, this.#habits.newPause())),
      );
  }

  #copyOutOf(tx: Transaction): CopyOut {
    return (text, take) => this.#whileOn(() => this.#copyOutOfTransaction(tx, text, take));
  }

  #copyOutOfTransaction(tx: Transaction, text: string, take: TakePiece): Promise<void> {
    const statement = tx.unsafe(text);
    const copy = async (): Promise<void> => {
      const source: Readable = await statement.readable();
      await takeAll(source, take, () => copyCancelled(statement));
    };
    return unlessLost(() => this.#answered(copy()));
  }

  /**
   * postgres.js 3.4.9 does not report a COPY that fails after its last byte, as most do. The transaction has failed then, and the
   * next statement is refused.
   */
  async #copyInTransaction(tx: Transaction, text: string, send: (into: Writable) => Promise<void>) {
    const copy = async (): Promise<void> => {
      await send(await tx.unsafe(text).writable());
    };
    await unlessLost(() => this.#answered(copy()));
    await this.#inTransaction(tx, { text: 'select 1', parameters: [], planned: 'once' });
  }

  #inTransaction<Row extends object>(tx: Transaction, { text, parameters, planned }: Statement) {
    const query = tx.unsafe<Row[]>(text, [...parameters], sending[planned]);
    return unlessLost(async () => {
      this.#underWay.add(query);
      try {
        const rows = await this.#answered(query);
        this.#connection.noteServer(query);
        return rows;
      } finally {
        this.#underWay.delete(query);
      }
    });
  }

  async #answered<Result>(statement: PromiseLike<Result>): Promise<Result> {
    this.#deadline.begin();
    try {
      return await statement;
    } finally {
      this.#deadline.end();
    }
  }

  #abandon(): Lost {
    this.end();
    for (const query of this.#underWay) cancel(query);
    this.#connection.abandon();
    return this.isBegun ? 'unknown' : 'unavailable';
  }

  async #whileOn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isOver) return new Promise(() => undefined);
    return work().catch((error: unknown) => {
      if (this.#isOver) return new Promise<never>(() => undefined);
      throw error;
    });
  }
}
