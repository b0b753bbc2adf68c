/** The accounts of a user at providers such as Google: in a table of their own, one a row, or in a column of the user's row. */

import { thirdPartyIdOf } from '../../providers/parts/third-party-ids.ts';
import type { WrittenLogin, WrittenLogins } from '../../providers/database.ts';
import type { Statement, WritingEngine } from '../engines/engine.ts';
import { parameterOf, textOf } from './cells.ts';

export interface LoginTable {
  readonly writes: WrittenLogins;
  readonly schema: string;
  readonly table: string;
  /** The column with the key of the user's row. */
  readonly userKey: string;
  readonly hasIntegerKey: boolean;
  readonly columns: {
    readonly provider: string;
    readonly userId: string;
    readonly email: string | undefined;
    readonly all: ReadonlySet<string>;
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
  readonly #now: Date;

  constructor(engine: WritingEngine, table: LoginTable, now: Date) {
    this.#engine = engine;
    this.#table = table;
    this.#now = now;
  }

  /** @returns false if the account is another user's there @throws RowRefused */
  async add(key: string, login: WrittenLogin): Promise<boolean> {
    const { columns, userKey, writes } = this.#table;
    const holder = await this.#holderOf(login);
    if (holder !== undefined) return holder === key;
    const cells = Object.entries(writes.newRow(this.#now)).filter(([column]) => columns.all.has(column));
    const values: [column: string, value: string | bigint][] = [
      [userKey, this.#key(key)],
      [columns.provider, this.#spelled(login)],
      [columns.userId, login.userId],
      ...cells.flatMap(([column, cell]) =>
        cell === undefined ? [] : [[column, parameterOf(cell)] as [string, string]],
      ),
    ];
    if (columns.email !== undefined && login.email !== undefined) values.push([columns.email, login.email]);
    const { quote, parameter } = this.#engine.dialect;
    const names = values.map(([column]) => quote(column)).join(', ');
    const places = values.map((_, at) => parameter(at + 1)).join(', ');
    await this.#engine.change({
      text: `insert into ${this.#name} (${names}) values (${places})`,
      parameters: values.map(([, value]) => value),
    });
    return true;
  }

  async remove(key: string, login: WrittenLogin): Promise<void> {
    const { quote, parameter } = this.#engine.dialect;
    const { userKey, columns } = this.#table;
    const own = [userKey, columns.provider, columns.userId].map(
      (column, at) => `${quote(column)} = ${parameter(at + 1)}`,
    );
    const parameters = [this.#key(key), this.#spelled(login), login.userId];
    await this.#engine.change({ text: `delete from ${this.#name} where ${own.join(' and ')}`, parameters });
  }

  /** All of a user who is removed. */
  async removeAll(key: string): Promise<void> {
    const { quote, parameter } = this.#engine.dialect;
    const where = `where ${quote(this.#table.userKey)} = ${parameter(1)}`;
    await this.#engine.change({ text: `delete from ${this.#name} ${where}`, parameters: [this.#key(key)] });
  }

  async #holderOf(login: WrittenLogin): Promise<string | undefined> {
    const { quote, parameter, keyed } = this.#engine.dialect;
    const { userKey, columns } = this.#table;
    const parameters: Statement['parameters'] = [this.#spelled(login), login.userId];
    const one = `${quote(columns.provider)} = ${parameter(1)} and ${quote(columns.userId)} = ${parameter(2)}`;
    const text = `select ${quote(userKey)} as ${quote('_key')} from ${this.#name} where ${one} for update`;
    const [found] = await this.#engine.rows({ text: keyed(text), parameters });
    return found === undefined ? undefined : textOf(found.key);
  }

  #spelled({ provider }: WrittenLogin): string {
    return this.#table.spellings.get(provider) ?? provider;
  }

  #key(key: string): string | bigint {
    return this.#table.hasIntegerKey ? BigInt(key) : key;
  }

  get #name(): string {
    const { quote } = this.#engine.dialect;
    return `${quote(this.#table.schema)}.${quote(this.#table.table)}`;
  }
}
