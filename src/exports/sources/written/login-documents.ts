/** The accounts of a user at providers such as Google in a document of the user, as Kratos has them. */

import { objectOf, objectsOf, textOf } from '../../providers/parts/fields.ts';
import { thirdPartyIdOf } from '../../providers/parts/third-party-ids.ts';
import type { WrittenLogin, WrittenLoginDocuments } from '../../providers/database.ts';
import type { SourceRow } from '../../providers/provider.ts';
import type { WritingEngine } from '../engines/engine.ts';
import { OwnRows, type OwnTable } from './own-rows.ts';

export interface LoginDocumentTable extends OwnTable {
  readonly writes: WrittenLoginDocuments;
  readonly identifiers: OwnTable;
  /** Names of providers as the rows have them, by ours. */
  readonly spellings: ReadonlyMap<string, string>;
}

/** @param names for providers that no row has yet @returns the names of providers in the identifiers, by ours */
export async function spellingsBefore(
  engine: WritingEngine,
  { writes, identifiers: { schema, table } }: Omit<LoginDocumentTable, 'spellings'>,
  names: Readonly<Record<string, string>> = {},
): Promise<LoginDocumentTable['spellings']> {
  const { quote, parameter, keyed } = engine.dialect;
  const column = quote(writes.identifiers.column);
  const name = `substring(${column} from 1 for position(':' in ${column}) - 1)`;
  const where = `where ${quote(writes.only.column)} = ${parameter(1)} and ${column} like '%:%'`;
  const text = `select distinct ${name} as ${quote('_key')} from ${quote(schema)}.${quote(table)} ${where}`;
  const found = await engine.rows({ text: keyed(text), parameters: [writes.only.value] });
  return new Map([...Object.entries(names), ...found.map(({ key }) => [thirdPartyIdOf(key), key] as const)]);
}

/** The row of a user. */
interface Own {
  readonly key: string;
  readonly items: readonly SourceRow[];
}

/** The statements for the accounts of one user. */
export class LoginDocuments {
  readonly #engine: WritingEngine;
  readonly #table: LoginDocumentTable;
  readonly #rows: OwnRows;
  readonly #identifiers: OwnRows;
  readonly #now: Date;

  constructor(engine: WritingEngine, table: LoginDocumentTable, now: Date) {
    this.#engine = engine;
    this.#table = table;
    this.#rows = new OwnRows(engine, table);
    this.#identifiers = new OwnRows(engine, table.identifiers);
    this.#now = now;
  }

  /** @returns false if the account is another user's there @throws RowRefused */
  async add(key: string, login: WrittenLogin): Promise<boolean> {
    const holder = await this.#holderOf(login);
    if (holder !== undefined) return holder === key;
    const { newItem, newRow, document, provider, userId, only, identifiers } = this.#table.writes;
    const item = { ...newItem, [provider]: this.#providerOf(login), [userId]: login.userId };
    const empty = { ...newRow(this.#now), ...this.#only, [document]: { json: {} } };
    if ((await this.#find(key)) === undefined) await this.#rows.insert(key, empty, `${key} ${only.value}`);
    const own = await this.#find(key);
    if (own === undefined) throw new Error('a row that was made is not there');
    await this.#write(key, [...own.items, item]);
    const identifier = this.#identifierOf(login);
    const cells = { ...identifiers.newRow(key, this.#now), ...this.#only, [identifiers.column]: identifier };
    await this.#identifiers.insert(own.key, cells, `${key} ${identifier}`);
    return true;
  }

  async remove(key: string, login: WrittenLogin): Promise<void> {
    const own = await this.#find(key);
    if (own === undefined) return;
    const { provider, userId, identifiers } = this.#table.writes;
    const left = own.items.filter(
      (item) => item[provider] !== this.#providerOf(login) || item[userId] !== login.userId,
    );
    if (left.length === 0) return this.removeAll(key);
    await this.#write(key, left);
    await this.#identifiers.remove(own.key, { [identifiers.column]: this.#identifierOf(login) });
  }

  /** All of a user who is removed. */
  async removeAll(key: string): Promise<void> {
    const own = await this.#find(key);
    if (own === undefined) return;
    await this.#identifiers.remove(own.key);
    await this.#rows.remove(key, this.#only);
  }

  async #find(key: string): Promise<Own | undefined> {
    const { rowKey, document: column, list } = this.#table.writes;
    const row = await this.#rows.find(key, [rowKey, column], this.#only);
    if (row === undefined) return undefined;
    return { key: textOf(row[rowKey]) ?? '', items: objectsOf(objectOf(row[column])?.[list]) };
  }

  #write(key: string, items: readonly SourceRow[]): Promise<void> {
    const { document, list } = this.#table.writes;
    return this.#rows.update(key, { [document]: { json: { [list]: items } } }, this.#only);
  }

  async #holderOf(login: WrittenLogin): Promise<string | undefined> {
    const { quote, parameter, keyed } = this.#engine.dialect;
    const { schema, table, userKey, identifiers, realm, writes } = this.#table;
    const own = [writes.only, ...(realm === undefined ? [] : [realm])];
    const named = `${quote(writes.identifiers.column)} = ${parameter(1)}`;
    const from = `${quote(identifiers.schema)}.${quote(identifiers.table)}`;
    const conditions = [
      `${quote(writes.rowKey)} in (select ${quote(identifiers.userKey)} from ${from} where ${named})`,
      ...own.map(({ column }, at) => `${quote(column)} = ${parameter(at + 2)}`),
    ].join(' and ');
    const selected = `select ${quote(userKey)} as ${quote('_key')} from ${quote(schema)}.${quote(table)}`;
    const parameters = [this.#identifierOf(login), ...own.map(({ value }) => value)];
    const text = keyed(`${selected} where ${conditions} for update`);
    return (await this.#engine.rows({ text, parameters }))[0]?.key;
  }

  #providerOf({ provider }: WrittenLogin): string {
    return this.#table.spellings.get(provider) ?? provider;
  }

  #identifierOf(login: WrittenLogin): string {
    return `${this.#providerOf(login)}:${login.userId}`;
  }

  get #only(): Readonly<Record<string, string>> {
    const { column, value } = this.#table.writes.only;
    return { [column]: value };
  }
}
