/** Further rows of a user, which end with the user. */

import type { Cell, WrittenDefaults, WrittenRows, WrittenUser } from '../../providers/database.ts';
import type { WritingEngine } from '../engines/engine.ts';
import { textOf } from './cells.ts';
import { OwnRows, type OwnTable } from './own-rows.ts';

export interface FurtherTable extends OwnTable {
  /** Of a new user. */
  readonly rowsOf: (user: WrittenUser) => ReturnType<NonNullable<WrittenRows['newRows']>>;
  readonly defaults: readonly DefaultTable[];
}

/** Its `userKey` is the realm's id. */
export interface DefaultTable extends OwnTable {
  readonly writes: WrittenDefaults;
  readonly realmId: string;
}

export class FurtherRows {
  readonly #engine: WritingEngine;
  readonly #table: FurtherTable;
  readonly #rows: OwnRows;

  constructor(engine: WritingEngine, table: FurtherTable) {
    this.#engine = engine;
    this.#table = table;
    this.#rows = new OwnRows(engine, table);
  }

  /** @throws RowRefused */
  async addNew(key: string, user: WrittenUser): Promise<void> {
    const rows = [...this.#table.rowsOf(user), ...(await this.#defaults())];
    for (const cells of rows) await this.#rows.insert(key, cells, key);
  }

  async #defaults(): Promise<readonly Readonly<Record<string, Cell>>[]> {
    const found: Readonly<Record<string, Cell>>[] = [];
    for (const table of this.#table.defaults) {
      const { takes, cells } = table.writes;
      const rows = await new OwnRows(this.#engine, table).all(table.realmId, Object.values(takes));
      for (const row of rows) {
        const taken = Object.entries(takes).map(([own, column]) => [own, textOf(row[column])] as const);
        if (taken.every(([, value]) => value !== '')) found.push({ ...cells, ...Object.fromEntries(taken) });
      }
    }
    return found;
  }

  remove(key: string): Promise<void> {
    return this.#rows.remove(key);
  }
}
