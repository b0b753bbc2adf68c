/** The rows of one user in a table: those that belong to the user, or the row in the table of users itself. */

import type { Cell, ColumnName } from '../../providers/database.ts';
import type { SourceRow } from '../../providers/provider.ts';
import type { Statement, WritingEngine } from '../engines/engine.ts';
import { SourceFault } from '../fault.ts';
import { assigned, parameterOf } from './cells.ts';

/** The name that a table has for a column; undefined: it has none. */
export type Named = (column: ColumnName) => string | undefined;

/** The key of a new row, by a seed. */
export type NewKey = (seed: string) => string;

/** The column with the realm of a row, and the one whose users are written. */
export interface RealmCell {
  readonly column: string;
  readonly value: string;
}

export interface OwnTable {
  readonly schema: string;
  readonly table: string;
  /** The column with the key of the user's row. */
  readonly userKey: string;
  readonly hasIntegerKey: boolean;
  /** Undefined: its rows do not state theirs. */
  readonly realm: RealmCell | undefined;
  readonly named: Named;
  /** `userKey` is not the user's key, but that of a row of this table. */
  readonly through?: { readonly table: OwnTable; readonly rowKey: string } | undefined;
  /** Left out: the table gives it. */
  readonly newKey?: { readonly column: string; readonly make: NewKey } | undefined;
}

type Cells = Readonly<Record<string, Cell>>;
type Parameter = Statement['parameters'][number];

/** The statements; nothing is written to columns that the table lacks. */
export class OwnRows {
  readonly #engine: WritingEngine;
  readonly #table: OwnTable;

  constructor(engine: WritingEngine, table: OwnTable) {
    this.#engine = engine;
    this.#table = table;
  }

  /** The first row, which is locked until the transaction ends. @returns undefined if there is no such row */
  async find(key: string, columns: readonly string[], only: Cells): Promise<SourceRow | undefined> {
    return (await this.locked(key, columns, only))[0];
  }

  /** All, which are locked until the transaction ends. @returns the columns that the table has */
  locked(key: string, columns: readonly string[], only: Cells): Promise<readonly SourceRow[]> {
    return this.#select(key, columns, only, ' for update');
  }

  /** Not locked. @returns the columns that the table has */
  all(key: string, columns: readonly string[]): Promise<readonly SourceRow[]> {
    return this.#select(key, columns, {}, '');
  }

  async #select(
    key: string,
    columns: readonly string[],
    only: Cells,
    lock: '' | ' for update',
  ): Promise<readonly SourceRow[]> {
    const { quote, keyed } = this.#engine.dialect;
    const { userKey, named } = this.#table;
    const there = columns.flatMap((column) => {
      const name = named(column);
      return name === undefined ? [] : [[column, name] as const];
    });
    const { where, parameters } = this.#where(key, only, []);
    const selected = [`${quote(userKey)} as ${quote('_key')}`, ...there.map(([, name]) => quote(name))];
    const text = keyed(`select ${selected.join(', ')} from ${this.#name} ${where}${lock}`);
    const found = await this.#engine.rows({ text, parameters });
    return found.map(({ row }) => Object.fromEntries(there.map(([column, name]) => [column, row[name]])));
  }

  /** @returns the user who has a row with these cells, which is locked until the transaction ends */
  async holderOf(cells: Readonly<Record<string, string>>): Promise<string | undefined> {
    const { quote, parameter, keyed } = this.#engine.dialect;
    const { userKey, realm } = this.#table;
    const own = [
      ...Object.entries(cells),
      ...(realm === undefined ? [] : [[realm.column, realm.value] as const]),
    ];
    const one = own.map(([column], at) => `${quote(column)} = ${parameter(at + 1)}`).join(' and ');
    const selected = `${quote(userKey)} as ${quote('_key')}`;
    const text = keyed(`select ${selected} from ${this.#name} where ${one} for update`);
    const [found] = await this.#engine.rows({ text, parameters: own.map(([, value]) => value) });
    return found?.key;
  }

  /** @param seed of its key @throws RowRefused */
  async insert(key: string, cells: Cells, seed: string): Promise<void> {
    const { userKey, newKey, realm } = this.#table;
    const values: (readonly [column: string, value: Parameter])[] = [
      [userKey, this.#key(key)],
      ...(newKey === undefined ? [] : [[newKey.column, newKey.make(seed)] as const]),
      ...(realm === undefined ? [] : [[realm.column, realm.value] as const]),
      ...this.#there(cells).flatMap(([column, cell]) =>
        cell === undefined ? [] : [[column, parameterOf(cell)] as const],
      ),
    ];
    const { quote, parameter } = this.#engine.dialect;
    const names = values.map(([column]) => quote(column)).join(', ');
    const places = values.map((_, at) => parameter(at + 1)).join(', ');
    const parameters = values.map(([, value]) => value);
    await this.#engine.change({
      text: `insert into ${this.#name} (${names}) values (${places})`,
      parameters,
    });
  }

  async update(key: string, set: Cells, only: Cells): Promise<void> {
    const { quote, parameter } = this.#engine.dialect;
    const before: Parameter[] = [];
    const assignments = this.#there(set).map(([column, cell]) => {
      if (cell === undefined) return `${quote(column)} = null`;
      const text = parameter(before.push(parameterOf(cell)));
      return `${quote(column)} = ${assigned(this.#engine.dialect, column, cell, text)}`;
    });
    const { where, parameters } = this.#where(key, only, before);
    const text = `update ${this.#name} set ${assignments.join(', ')} ${where}`;
    await this.#engine.change({ text, parameters });
  }

  async remove(key: string, only: Cells = {}): Promise<void> {
    const { where, parameters } = this.#where(key, only, []);
    await this.#engine.change({ text: `delete from ${this.#name} ${where}`, parameters });
  }

  /**
   * @param before parameters of the statement before the condition
   * @throws SourceFault for a column that the table lacks: without its condition the statement would mean other rows, too
   */
  #where(
    key: string,
    only: Cells,
    before: readonly Parameter[],
  ): { readonly where: string; readonly parameters: Statement['parameters'] } {
    const { quote, parameter } = this.#engine.dialect;
    const parameters: Parameter[] = [...before, this.#key(key)];
    const conditions = [this.#isOf(parameter(parameters.length))];
    for (const [column, cell = ''] of Object.entries(only)) {
      const name = this.#table.named(column);
      if (name === undefined)
        throw new SourceFault(
          `The table ${this.#table.table} has no column ${column}, which names a user's row`,
        );
      conditions.push(`${quote(name)} = ${parameter(parameters.push(parameterOf(cell)))}`);
    }
    return { where: `where ${conditions.join(' and ')}`, parameters };
  }

  #isOf(user: string): string {
    const { quote } = this.#engine.dialect;
    const { userKey, through } = this.#table;
    if (through === undefined) return `${quote(userKey)} = ${user}`;
    const { table, rowKey } = through;
    const from = `${quote(table.schema)}.${quote(table.table)} where ${quote(table.userKey)} = ${user}`;
    return `${quote(userKey)} in (select ${quote(rowKey)} from ${from})`;
  }

  #there(cells: Cells): readonly (readonly [column: string, cell: Cell])[] {
    return Object.entries(cells).flatMap(([column, cell]) => {
      const name = this.#table.named(column);
      return name === undefined ? [] : [[name, cell] as const];
    });
  }

  #key(key: string): string | bigint {
    return this.#table.hasIntegerKey ? BigInt(key) : key;
  }

  get #name(): string {
    const { quote } = this.#engine.dialect;
    return `${quote(this.#table.schema)}.${quote(this.#table.table)}`;
  }
}
