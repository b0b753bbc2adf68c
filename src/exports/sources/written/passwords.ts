/** The password of a user in a table besides the table of users, as better-auth has it. */

import type { WrittenPasswords } from '../../providers/database.ts';
import type { WritingEngine } from '../engines/engine.ts';
import { OwnRows, type OwnTable } from './own-rows.ts';

export interface PasswordTable extends OwnTable {
  readonly writes: WrittenPasswords;
  /** The column with the hash. */
  readonly password: string;
}

export class Passwords {
  readonly #rows: OwnRows;
  readonly #table: PasswordTable;
  readonly #now: Date;

  constructor(engine: WritingEngine, table: PasswordTable, now: Date) {
    this.#rows = new OwnRows(engine, table);
    this.#table = table;
    this.#now = now;
  }

  /** @returns the hash; empty for a user without a password */
  async of(key: string): Promise<string> {
    return (await this.#rows.read(key, this.#table.password, this.#only)) ?? '';
  }

  /** @param hash empty: the user has no password, and so no row */
  async set(key: string, hash: string): Promise<void> {
    const { writes, password } = this.#table;
    const only = this.#only;
    if (hash === '') return this.#rows.remove(key, only);
    const set = { [password]: hash, [writes.updatedAt]: this.#now };
    if ((await this.#rows.read(key, password, only)) !== undefined) return this.#rows.update(key, set, only);
    const cells = { ...writes.newRow(key, this.#now), ...only, ...set };
    return this.#rows.insert(key, cells, `${key} ${writes.only.value}`);
  }

  get #only(): Readonly<Record<string, string>> {
    const { column, value } = this.#table.writes.only;
    return { [column]: value };
  }
}
