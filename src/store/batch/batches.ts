import { Batcher, type again, type Gathering } from './batcher.ts';
import type { Database, Parameter, Planned, Query } from '../../database/database.ts';

/** Settings of all batches of a store. */
export interface BatchSettings {
  /** For statements that create users; see {@link BatchedStatement.access}. */
  readonly imports: Pick<Database, 'write'>;
  readonly live: Pick<Database, 'read' | 'write'>;
  /** Concurrent statements of a kind: those that create users, and all others. */
  readonly importLanes: number;
  /** Waiting items that open a further lane for statements that create users. */
  readonly importLaneAt: number;
  readonly liveLanes: number;
  /** Maximum number of items in a statement; 1 turns batching off, for comparison. */
  readonly maxBatch: number;
  /** Maximum number of waiting items of a kind. */
  readonly maxBacklog: number;
  /** Maximum wait, ms. Default: unlimited. */
  readonly waitLimitMs?: number;
  /** For statements that gather. Default: no gathering. */
  readonly gathering?: Gathering | undefined;
  readonly observe: (name: string, size: number, seconds: number) => void;
}

type Access = Record<'import' | 'read' | 'write', Query>;

/**
 * A fixed statement for any number of items. It takes array literals, numbers its input as `n` by `with ordinality`, and returns rows
 * with `n`, at least one for each item that has an outcome.
 */
export interface BatchedStatement<Item, Row extends { n: number }, Outcome> {
  readonly name: string;
  /**
   * The connections that it uses: `import` those for statements that create users and are planned once; `read` and `write` those of
   * live traffic.
   */
  readonly access: keyof Access;
  /** `once` for a statement that has the same plan for tables of any size; see connection/settings.ts. */
  readonly planned?: Planned;
  readonly text: string;
  /** Lets items wait for others while that is worth it; see Gathering. */
  readonly gathers?: boolean;
  readonly parameters: (items: readonly Item[]) => readonly Parameter[];
  /** Outcome from the item's rows, of which there may be none. */
  readonly outcomeOf: (rows: readonly Row[], item: Item) => Outcome | typeof again;
  /** See BatcherOptions. */
  readonly keyOf?: (item: Item) => string;
  readonly repeatAlone?: (error: unknown) => boolean;
}

export class Batches {
  readonly #settings: BatchSettings;
  readonly #access: Access;
  readonly #batchers: {
    readonly name: string;
    readonly batcher: Pick<Batcher<unknown, unknown>, 'backlog' | 'drain'>;
  }[] = [];

  constructor(settings: BatchSettings) {
    this.#settings = settings;
    this.#access = { import: settings.imports.write, read: settings.live.read, write: settings.live.write };
  }

  /** @returns a function that submits an item and resolves with its outcome after the commit */
  add<Item, Row extends { n: number }, Outcome>(
    statement: BatchedStatement<Item, Row, Outcome>,
  ): (item: Item) => Promise<Outcome> {
    const {
      observe,
      importLanes,
      importLaneAt,
      liveLanes,
      maxBatch,
      maxBacklog,
      waitLimitMs = Infinity,
      gathering,
    } = this.#settings;
    const { text, access, planned, parameters, outcomeOf, gathers = false, ...rest } = statement;
    const query = this.#access[access];
    const batcher = new Batcher<Item, Outcome>({
      maxBatch,
      maxBacklog,
      waitLimitMs,
      ...(access === 'import' ? { lanes: importLanes, furtherLaneAt: importLaneAt } : { lanes: liveLanes }),
      ...(gathers && gathering && { gathering }),
      ...rest,
      observe: (size, seconds) => {
        observe(statement.name, size, seconds);
      },
      execute: async (items) => {
        const rows = byItem(await query<Row>(text, parameters(items), planned), items.length);
        return items.map((item, i) => outcomeOf(rows[i] ?? [], item));
      },
    });
    this.#batchers.push({ name: statement.name, batcher });
    return (item) => batcher.submit(item);
  }

  /** Numbers of waiting items, by statement. */
  backlogs(): { name: string; backlog: number }[] {
    return this.#batchers.map(({ name, batcher }) => ({ name, backlog: batcher.backlog }));
  }

  /** Refuses new items and resolves when all accepted ones have outcomes. */
  async drain(): Promise<void> {
    await Promise.all(this.#batchers.map(({ batcher }) => batcher.drain()));
  }
}

function byItem<Row extends { n: number }>(rows: readonly Row[], count: number): Row[][] {
  const groups: Row[][] = Array.from({ length: count }, () => []);
  for (const row of rows) groups[row.n - 1]?.push(row);
  return groups;
}
