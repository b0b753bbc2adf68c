/** A row for the email of a user in a table of accounts at providers, as Supabase has an identity of the provider `email`. */

import type { WrittenAddress, WrittenEmailAccount, WrittenUser } from '../../providers/database.ts';
import type { WritingEngine } from '../engines/engine.ts';
import { OwnRows, type OwnTable } from './own-rows.ts';

export interface EmailAccountTable extends OwnTable {
  readonly writes: WrittenEmailAccount;
}

export class EmailAccount {
  readonly #rows: OwnRows;
  readonly #table: EmailAccountTable;
  readonly #now: Date;

  constructor(engine: WritingEngine, table: EmailAccountTable, now: Date) {
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
