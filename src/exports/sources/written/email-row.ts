/** A row of another table that repeats the email of a user, as Supabase has an identity of the provider `email`. */

import type { WrittenAddress, WrittenEmailRow, WrittenUser } from '../../providers/database.ts';
import type { WritingEngine } from '../engines/engine.ts';
import { OwnRows, type OwnTable } from './own-rows.ts';

export interface EmailTable extends OwnTable {
  readonly writes: WrittenEmailRow;
}

export class EmailRow {
  readonly #rows: OwnRows;
  readonly #table: EmailTable;
  readonly #now: Date;

  constructor(engine: WritingEngine, table: EmailTable, now: Date) {
    this.#rows = new OwnRows(engine, table);
    this.#table = table;
    this.#now = now;
  }

  /** Of a new user. @throws RowRefused */
  async add(key: string, user: WrittenUser): Promise<void> {
    const { named, writes } = this.#table;
    if (!writes.isFor(user)) return;
    const userId = named(writes.userId);
    const own = { ...this.#only, ...(userId !== undefined && { [userId]: key }) };
    await this.#rows.insert(key, { ...writes.newRow(key, user, this.#now), ...own }, key);
  }

  /** Nothing if the user has no such row. */
  async set(key: string, address: WrittenAddress): Promise<void> {
    await this.#rows.update(key, this.#table.writes.cells(address, this.#now), this.#only);
  }

  async remove(key: string): Promise<void> {
    await this.#rows.remove(key, this.#only);
  }

  get #only(): Readonly<Record<string, string>> {
    const { column, value } = this.#table.writes.only;
    return { [column]: value };
  }
}
