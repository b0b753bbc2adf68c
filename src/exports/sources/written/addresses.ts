/** The addresses of a user in a table of their own, one a row, as django-allauth has them. */

import type { Cell, WrittenAddress, WrittenAddresses } from '../../providers/database.ts';
import type { WritingEngine } from '../engines/engine.ts';
import { folded, isTrue, textOf } from './cells.ts';
import { OwnRows, type OwnTable } from './own-rows.ts';

export interface AddressTable extends OwnTable {
  readonly writes: WrittenAddresses;
}

export interface AddressRow {
  readonly email: string;
  readonly isVerified: boolean;
  readonly isPrimary: boolean;
}

interface NewAddress {
  readonly email: string;
  readonly isVerified: boolean;
  /** The user's emails before, which are no longer theirs. */
  readonly former: readonly string[];
}

/** The statements for the addresses of one user. */
export class Addresses {
  readonly #writes: WrittenAddresses;
  readonly #rows: OwnRows;
  readonly #now: Date;

  constructor(engine: WritingEngine, table: AddressTable, now: Date) {
    this.#writes = table.writes;
    this.#rows = new OwnRows(engine, table);
    this.#now = now;
  }

  /** Locked until the transaction ends. */
  async of(key: string): Promise<readonly AddressRow[]> {
    const { email, isVerified, isPrimary } = this.#writes;
    const columns = [email, isVerified, ...(isPrimary === undefined ? [] : [isPrimary])];
    const found = await this.#rows.locked(key, columns, this.#only);
    return found.map((row) => ({
      email: textOf(row[email]),
      isVerified: isTrue(row[isVerified]),
      isPrimary: isPrimary !== undefined && isTrue(row[isPrimary]),
    }));
  }

  /** Makes it the primary one; the former ones are removed, so that they open the account no longer. */
  async set(key: string, { email, isVerified, former }: NewAddress): Promise<void> {
    const { isPrimary } = this.#writes;
    const gone = new Set(former.map(folded));
    const all = await this.of(key);
    const own = all.filter((each) => folded(each.email) === folded(email));
    for (const each of all) {
      if (own.includes(each)) continue;
      if (gone.has(folded(each.email))) await this.#rows.remove(key, this.#one(each));
      else if (isPrimary !== undefined) await this.#rows.update(key, { [isPrimary]: false }, this.#one(each));
    }
    const set = this.#state(isVerified, true);
    for (const each of own) await this.#rows.update(key, set, this.#one(each));
    if (own.length === 0) await this.#insert(key, email, set);
  }

  /** One that is not the primary one; nothing if it is there. @returns false if there is no room @throws RowRefused */
  async add(key: string, { email, isVerified }: WrittenAddress): Promise<boolean> {
    if (this.#writes.isPrimary === undefined) return false;
    if ((await this.of(key)).some((each) => folded(each.email) === folded(email))) return true;
    await this.#insert(key, email, this.#state(isVerified, false));
    return true;
  }

  #insert(key: string, email: string, state: Readonly<Record<string, Cell>>): Promise<void> {
    const { newRow } = this.#writes;
    const cells = { ...newRow?.(this.#now), ...this.#one({ email }), ...state };
    return this.#rows.insert(key, cells, `${key} ${email}`);
  }

  #state(verified: boolean, primary: boolean): Readonly<Record<string, Cell>> {
    const { isVerified, isPrimary, state } = this.#writes;
    return {
      [isVerified]: verified,
      ...(isPrimary !== undefined && { [isPrimary]: primary }),
      ...state?.(verified, this.#now),
    };
  }

  /** All of a user who is removed. */
  remove(key: string): Promise<void> {
    return this.#rows.remove(key, this.#only);
  }

  #one({ email }: Pick<AddressRow, 'email'>): Readonly<Record<string, string>> {
    return { ...this.#only, [this.#writes.email]: email };
  }

  get #only(): Readonly<Record<string, string>> {
    const { only } = this.#writes;
    return only === undefined ? {} : { [only.column]: only.value };
  }
}
