/** Rows of the table of users of an old system, read and changed. */

import type { WrittenUsers } from '../../providers/database.ts';
import type { SourceRow } from '../../providers/provider.ts';
import type { Statement, WritingEngine } from '../engines/engine.ts';

/** The table of users of an old system, opened to be written. */
export interface UserTable {
  readonly engine: WritingEngine;
  readonly writes: WrittenUsers;
  readonly schema: string;
  readonly table: string;
  readonly key: string;
  readonly hasIntegerKey: boolean;
  /** That it has, of those that are written. */
  readonly columns: ReadonlySet<string>;
}

/** A user as one row has it. */
export interface UserNow {
  readonly email: string;
  readonly isVerified: boolean;
  readonly passwordHash: string | undefined;
  readonly name: string | undefined;
  /** ms since the epoch */
  readonly timeJoined: number;
}

/** A column and its text; undefined: null; `now` for a time: the moment of writing. */
export type Assignment = readonly [column: string, text: string | undefined];

export interface FoundRow {
  readonly key: string;
  readonly email: string;
  readonly password: string;
  readonly isVerified: boolean;
  readonly isDeleted: boolean;
}

export const folded = (email: string | null): string => (email ?? '').trim().toLowerCase();

/** The statements for one row. */
export class Rows {
  readonly writes: WrittenUsers;
  readonly #table: UserTable;
  readonly #now: number;

  constructor(table: UserTable, now: number) {
    this.#table = table;
    this.writes = table.writes;
    this.#now = now;
  }

  /** Locked until the transaction ends. */
  async find(by: 'key' | 'email', value: string): Promise<FoundRow | undefined> {
    const { engine, key, hasIntegerKey, columns } = this.#table;
    const { quote, parameter, keyed } = engine.dialect;
    const { email, password, verifiedAt, deletedAt } = this.writes;
    if (by === 'key' && hasIntegerKey && !/^\d{1,18}$/.test(value)) return undefined;
    const wanted = [email, password, verifiedAt, deletedAt].filter((column) => columns.has(column));
    const selected = [`${quote(key)} as ${quote('_key')}`, ...wanted.map(quote)].join(', ');
    const condition =
      by === 'key' ? `${quote(key)} = ${parameter(1)}` : `lower(${quote(email)}) = ${parameter(1)}`;
    const text = keyed(`select ${selected} from ${this.#name} where ${condition} for update`);
    const isNumber = by === 'key' && hasIntegerKey;
    const parameters = [isNumber ? BigInt(value) : by === 'email' ? folded(value) : value];
    const [found] = await engine.rows({ text, parameters });
    return found && this.#asRow(found.key, found.row);
  }

  #asRow(key: string, row: SourceRow): FoundRow {
    const { email, password, verifiedAt, deletedAt } = this.writes;
    const textOf = (column: string): string => {
      const value = row[column];
      return typeof value === 'string' ? value : '';
    };
    const isSet = (column: string): boolean => textOf(column) !== '';
    return {
      key,
      email: textOf(email),
      password: textOf(password),
      isVerified: isSet(verifiedAt),
      isDeleted: isSet(deletedAt),
    };
  }

  insert({ email, isVerified, name, timeJoined }: UserNow, hash: string): Promise<void> {
    const { writes } = this;
    const [local = ''] = email.split('@');
    const values: readonly Assignment[] = this.#there([
      [writes.name, name ?? local],
      [writes.email, email],
      [writes.password, hash],
      [writes.verifiedAt, isVerified ? 'now' : undefined],
      [writes.createdAt, this.#time(timeJoined)],
      [writes.updatedAt, 'now'],
    ]);
    const { quote } = this.#table.engine.dialect;
    const [texts, parameters] = this.#values(values);
    const names = values.map(([column]) => quote(column)).join(', ');
    return this.#change(`insert into ${this.#name} (${names}) values (${texts.join(', ')})`, parameters);
  }

  async update(key: string, set: readonly Assignment[]): Promise<void> {
    const { quote } = this.#table.engine.dialect;
    const all = this.#there([...set, [this.writes.updatedAt, 'now']]);
    if (set.length === 0) return;
    const [texts, parameters] = this.#values(all);
    const assigned = all.map(([column], at) => `${quote(column)} = ${texts[at] ?? 'null'}`).join(', ');
    await this.#change(`update ${this.#name} set ${assigned}`, parameters, key);
  }

  remove(key: string): Promise<void> {
    const { deletedAt } = this.writes;
    if (this.#table.columns.has(deletedAt)) return this.update(key, [[deletedAt, 'now']]);
    return this.#change(`delete from ${this.#name}`, [], key);
  }

  #there(values: readonly Assignment[]): readonly Assignment[] {
    return values.filter(([column]) => this.#table.columns.has(column));
  }

  /** In the order of their positions: MySQL's parameters have no numbers. */
  #values(all: readonly Assignment[]): readonly [string[], string[]] {
    const parameters: string[] = [];
    const texts = all.map(([column, text]) => {
      if (text === undefined) return 'null';
      const isTime = [this.writes.verifiedAt, this.writes.updatedAt, this.writes.deletedAt].includes(column);
      parameters.push(isTime && text === 'now' ? this.#time(this.#now) : text);
      return this.#table.engine.dialect.parameter(parameters.length);
    });
    return [texts, parameters];
  }

  /** Without a zone, in UTC, as Laravel writes it. */
  #time(ms: number): string {
    return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
  }

  /** @param key of the only row that is changed; left out: none is there yet */
  #change(text: string, parameters: readonly string[], key?: string): Promise<void> {
    const { engine, hasIntegerKey, key: column } = this.#table;
    const { quote, parameter } = engine.dialect;
    if (key === undefined) return engine.change({ text, parameters });
    const all: Statement['parameters'] = [...parameters, hasIntegerKey ? BigInt(key) : key];
    const where = `where ${quote(column)} = ${parameter(all.length)}`;
    return engine.change({ text: `${text} ${where}`, parameters: all });
  }

  get #name(): string {
    const { engine, schema, table } = this.#table;
    return `${engine.dialect.quote(schema)}.${engine.dialect.quote(table)}`;
  }
}
