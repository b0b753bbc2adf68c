import { Batcher, type again, type Gathering } from './batcher.ts';
import type { Database, Parameter, Planned, Query } from '../../database/database.ts';

/** What every batch of a store shares. */
export interface BatchSettings {
  /** For statements that create users; see {@link BatchedStatement.access}. */
  readonly imports: Pick<Database, 'write'>;
  readonly live: Pick<Database, 'read' | 'write'>;
  /** Statements of one kind under way at the same time: those that create users, and all others. */
  readonly importLanes: number;
  /** Items that create users and must wait before a lane opens next to a busy one. */
  readonly importLaneAt: number;
  readonly liveLanes: number;
  /** The most items in one statement; 1 turns batching off, for comparison. */
  readonly maxBatch: number;
  /** Items of one kind that may wait, */
  readonly maxBacklog: number;
  /** and for how long, ms. Default: as long as it takes. */
  readonly waitLimitMs?: number;
  /** For statements that gather. Default: they do not. */
  readonly gathering?: Gathering | undefined;
  readonly observe: (name: string, size: number, seconds: number) => void;
}

type Access = Record<'import' | 'read' | 'write', Query>;

/**
 * One fixed statement for any number of items: it takes array literals, numbers its input with `with ordinality`
 * as `n`, and returns rows that carry that `n`, at least one for each item that has an outcome.
 */
export interface BatchedStatement<Item, Row extends { n: number }, Outcome> {
  readonly name: string;
  /**
   * Which connections it uses: `import` those of their own for statements that create users and are planned once;
   * `read` and `write` the ones of live traffic.
   */
  readonly access: keyof Access;
  /** `once` for a statement that leaves the planner no choice, whatever the size of the tables: see connection-settings.ts. */
  readonly planned?: Planned;
  readonly text: string;
  /** Whether its items wait for others while that is worth it: see Gathering. */
  readonly gathers?: boolean;
  readonly parameters: (items: readonly Item[]) => readonly Parameter[];
  /** From this item's rows. Called with none only when the statement has nothing to say of it. */
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

  /** @returns what submits one item and resolves with its outcome after the commit */
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

  /** Items that wait, by the statement's name. */
  backlogs(): { name: string; backlog: number }[] {
    return this.#batchers.map(({ name, batcher }) => ({ name, backlog: batcher.backlog }));
  }

  /** Refuses new items and resolves when every accepted one has its outcome. */
  async drain(): Promise<void> {
    await Promise.all(this.#batchers.map(({ batcher }) => batcher.drain()));
  }
}

function byItem<Row extends { n: number }>(rows: readonly Row[], count: number): Row[][] {
  const groups: Row[][] = Array.from({ length: count }, () => []);
  for (const row of rows) groups[row.n - 1]?.push(row);
  return groups;
}
