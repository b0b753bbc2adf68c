/** Rows of further tables that have the email of a user, as Kratos has what its users sign in by. */

import type { WrittenEmailRows } from '../../providers/database.ts';
import type { WritingEngine } from '../engines/engine.ts';
import { folded, textOf } from './cells.ts';
import { OwnRows, type OwnTable } from './own-rows.ts';

export interface EmailTable extends OwnTable {
  readonly writes: WrittenEmailRows;
}

/** The key of the user's row with the password, and the column that says which row that is. */
export interface PasswordRow {
  readonly key: string;
  readonly only: Readonly<Record<string, string>>;
}

interface Change {
  /** Emails that the user had before. */
  readonly former: readonly string[];
  /** Undefined: the user has no password. */
  readonly password: PasswordRow | undefined;
  readonly isNew: boolean;
}

export class EmailRows {
  readonly #writes: WrittenEmailRows;
  /** All of a user. */
  readonly #rows: OwnRows;
  /** To make one: its `userKey` is that of the user, or of the row with the password. */
  readonly #made: OwnRows;
  readonly #now: Date;

  constructor(engine: WritingEngine, table: EmailTable, now: Date) {
    this.#writes = table.writes;
    this.#rows = new OwnRows(engine, table);
    this.#made = new OwnRows(engine, { ...table, through: undefined });
    this.#now = now;
  }

  /** @throws RowRefused if another user has the email */
  async set(key: string, email: string, { former, password, isNew }: Change): Promise<void> {
    const { email: column, isOfPassword = false, newRow } = this.#writes;
    const gone = new Set(former.map(folded));
    for (const row of await this.#rows.locked(key, [column], {})) {
      const there = textOf(row[column]);
      if (gone.has(folded(there)) && folded(there) !== folded(email))
        await this.#rows.update(key, { [column]: email }, { [column]: there });
    }
    const ofUser = isNew ? { key, only: {} } : undefined;
    const owner = isOfPassword ? password : ofUser;
    // Of the rows that it has, such as a name to sign in by, it is not known whether the email should be one.
    if (owner === undefined || (await this.#made.locked(owner.key, [column], {})).length > 0) return;
    const cells = { ...newRow(key, this.#now), ...owner.only, [column]: email };
    await this.#made.insert(owner.key, cells, `${key} ${column}`);
  }
}
