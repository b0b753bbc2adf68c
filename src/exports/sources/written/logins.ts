/** The accounts of a user at providers such as Google: in a table of their own, one a row, or in a column of the user's row. */

import { thirdPartyIdOf } from '../../providers/parts/third-party-ids.ts';
import type { WrittenLogin, WrittenLogins } from '../../providers/database.ts';
import type { WritingEngine } from '../engines/engine.ts';
import { OwnRows, type OwnTable } from './own-rows.ts';

export interface LoginTable extends OwnTable {
  readonly writes: WrittenLogins;
  readonly columns: {
    readonly provider: string;
    readonly userId: string;
    readonly email: string | undefined;
  };
  /** Names of providers as the rows have them, by ours. */
  readonly spellings: ReadonlyMap<string, string>;
}

/** @param names for providers that no row has yet @returns the names of providers in the rows of a table, by ours */
export async function spellingsIn(
  engine: WritingEngine,
  { schema, table, realm, provider }: OwnTable & { readonly provider: string },
  names: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, string>> {
  const { quote, parameter, keyed } = engine.dialect;
  const within = realm === undefined ? '' : ` and ${quote(realm.column)} = ${parameter(1)}`;
  const from = `from ${quote(schema)}.${quote(table)} where ${quote(provider)} is not null${within}`;
  const text = keyed(`select distinct ${quote(provider)} as ${quote('_key')} ${from}`);
  const found = await engine.rows({ text, parameters: realm === undefined ? [] : [realm.value] });
  return new Map([...Object.entries(names), ...found.map(({ key }) => [thirdPartyIdOf(key), key] as const)]);
}

/** The statements for the accounts of one user. */
export class Logins {
  readonly #table: LoginTable;
  readonly #rows: OwnRows;
  readonly #now: Date;

  constructor(engine: WritingEngine, table: LoginTable, now: Date) {
    this.#table = table;
    this.#rows = new OwnRows(engine, table);
    this.#now = now;
  }

  /** @returns false if the account is another user's there @throws RowRefused */
  async add(key: string, login: WrittenLogin): Promise<boolean> {
    const own = this.#cellsOf(login);
    const holder = await this.#rows.holderOf(own);
    if (holder !== undefined) return holder === key;
    const { columns, writes } = this.#table;
    const email = columns.email === undefined ? {} : { [columns.email]: login.email };
    await this.#rows.insert(
      key,
      { ...writes.newRow(this.#now, login), ...own, ...email },
      Object.values(own).join(' '),
    );
    return true;
  }

  async remove(key: string, login: WrittenLogin): Promise<void> {
    await this.#rows.remove(key, this.#cellsOf(login));
  }

  /** All of a user who is removed. */
  async removeAll(key: string): Promise<void> {
    await this.#rows.remove(key);
  }

  #cellsOf({ provider, userId }: WrittenLogin): Readonly<Record<string, string>> {
    const { columns, spellings } = this.#table;
    return { [columns.provider]: spellings.get(provider) ?? provider, [columns.userId]: userId };
  }
}
