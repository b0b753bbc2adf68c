/** The password of a user in a table besides the table of users, as better-auth has it. */

import type { WrittenHashParts, WrittenPasswords } from '../../providers/database.ts';
import type { WritingEngine } from '../engines/engine.ts';
import { textOf } from './cells.ts';
import type { PasswordRow } from './email-rows.ts';
import { OwnRows, type OwnTable } from './own-rows.ts';

export interface PasswordTable extends OwnTable {
  readonly writes: WrittenPasswords;
  /** The column with the hash. */
  readonly password: string;
}

export class Passwords {
  readonly #rows: OwnRows;
  readonly #table: PasswordTable;
  readonly #parts: WrittenHashParts;
  readonly #now: Date;

  constructor(engine: WritingEngine, table: PasswordTable, now: Date) {
    this.#rows = new OwnRows(engine, table);
    this.#table = table;
    this.#parts = table.writes.parts ?? wholeIn(table.password);
    this.#now = now;
  }

  /** @returns the hash; empty for a user without a password */
  async of(key: string): Promise<string> {
    const row = await this.#row(key);
    return row === undefined ? '' : this.#parts.hashOf(row);
  }

  /** @param hash empty: the user has no password, and so no row */
  async set(key: string, hash: string): Promise<void> {
    const { writes } = this.#table;
    const only = this.#only;
    if (hash === '') return this.#rows.remove(key, only);
    const changedAt = writes.updatedAt === undefined ? {} : { [writes.updatedAt]: this.#now };
    const set = { ...this.#parts.cellsOf(hash, this.#now), ...changedAt };
    if ((await this.#row(key)) !== undefined) return this.#rows.update(key, set, only);
    const cells = { ...writes.newRow(key, this.#now), ...only, ...set };
    return this.#rows.insert(key, cells, `${key} ${writes.only.value}`);
  }

  /** @returns undefined for a user without a password */
  async rowOf(key: string): Promise<PasswordRow | undefined> {
    const { rowKey } = this.#table.writes;
    const row = await this.#rows.find(key, [rowKey], this.#only);
    return row && { key: textOf(row[rowKey]), only: this.#only };
  }

  #row(key: string) {
    return this.#rows.find(key, this.#parts.columns, this.#only);
  }

  get #only(): Readonly<Record<string, string>> {
    const { column, value } = this.#table.writes.only;
    return { [column]: value };
  }
}

/** A column that has the hash as a text. */
function wholeIn(column: string): WrittenHashParts {
  return {
    columns: [column],
    hashOf: (row) => textOf(row[column]),
    cellsOf: (hash) => ({ [column]: hash }),
  };
}
