/** The accounts of a user at providers such as Google: in a table of their own, one a row, or in a column of the user's row. */

import { thirdPartyIdOf } from '../../providers/parts/third-party-ids.ts';
import type { WrittenLogin, WrittenLogins } from '../../providers/database.ts';
import type { WritingEngine } from '../engines/engine.ts';
import { textOf } from './cells.ts';
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

/** @returns the names of providers in the rows of a table, by ours */
export async function spellingsIn(
  engine: WritingEngine,
  { schema, table, columns: { provider } }: Pick<LoginTable, 'schema' | 'table' | 'columns'>,
): Promise<ReadonlyMap<string, string>> {
  const { quote, keyed } = engine.dialect;
  const text = `select distinct ${quote(provider)} as ${quote('_key')} from ${quote(schema)}.${quote(table)}`;
  const found = await engine.rows({ text: keyed(text), parameters: [] });
  return new Map(found.map(({ key }) => [thirdPartyIdOf(key), key]));
}

/** The statements for the accounts of one user. */
export class Logins {
  readonly #engine: WritingEngine;
  readonly #table: LoginTable;
  readonly #rows: OwnRows;
  readonly #now: Date;

  constructor(engine: WritingEngine, table: LoginTable, now: Date) {
    this.#engine = engine;
    this.#table = table;
    this.#rows = new OwnRows(engine, table);
    this.#now = now;
  }

  /** @returns false if the account is another user's there @throws RowRefused */
  async add(key: string, login: WrittenLogin): Promise<boolean> {
    const holder = await this.#holderOf(login);
    if (holder !== undefined) return holder === key;
    const { columns, writes } = this.#table;
    const own = this.#cellsOf(login);
    const email = columns.email === undefined ? {} : { [columns.email]: login.email };
    await this.#rows.insert(
      key,
      { ...writes.newRow(this.#now), ...own, ...email },
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

  async #holderOf(login: WrittenLogin): Promise<string | undefined> {
    const { quote, parameter, keyed } = this.#engine.dialect;
    const { schema, table, userKey } = this.#table;
    const own = Object.entries(this.#cellsOf(login));
    const one = own.map(([column], at) => `${quote(column)} = ${parameter(at + 1)}`).join(' and ');
    const from = `from ${quote(schema)}.${quote(table)} where ${one} for update`;
    const text = keyed(`select ${quote(userKey)} as ${quote('_key')} ${from}`);
    const [found] = await this.#engine.rows({ text, parameters: own.map(([, value]) => value) });
    return found === undefined ? undefined : textOf(found.key);
  }

  #cellsOf({ provider, userId }: WrittenLogin): Readonly<Record<string, string>> {
    const { columns, spellings } = this.#table;
    return { [columns.provider]: spellings.get(provider) ?? provider, [columns.userId]: userId };
  }
}
