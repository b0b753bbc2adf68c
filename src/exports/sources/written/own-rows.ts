/** The rows of one user in a table besides the table of users. */

import type { Cell, ColumnName } from '../../providers/database.ts';
import type { Statement, WritingEngine } from '../engines/engine.ts';
import { SourceFault } from '../fault.ts';
import { assigned, parameterOf, textOf } from './cells.ts';

/** The name that a table has for a column; undefined: it has none. */
export type Named = (column: ColumnName) => string | undefined;

/** The key of a new row, by a seed. */
export type NewKey = (seed: string) => string;

export interface OwnTable {
  readonly schema: string;
  readonly table: string;
  /** The column with the key of the user's row. */
  readonly userKey: string;
  readonly hasIntegerKey: boolean;
  readonly named: Named;
  /** Left out: the table gives it. */
  readonly newKey?: { readonly column: string; readonly make: NewKey } | undefined;
}

type Cells = Readonly<Record<string, Cell>>;

/** The statements; nothing is written to columns that the table lacks. */
export class OwnRows {
  readonly #engine: WritingEngine;
  readonly #table: OwnTable;

  constructor(engine: WritingEngine, table: OwnTable) {
    this.#engine = engine;
    this.#table = table;
  }

  /**
   * A cell of the first row, which is locked until the transaction ends.
   * @returns empty for null; undefined: there is no row
   */
  async read(key: string, column: string, only: Cells): Promise<string | undefined> {
    const { quote, keyed } = this.#engine.dialect;
    const { userKey, named } = this.#table;
    const name = named(column) ?? column;
    const { where, parameters } = this.#where(key, only, []);
    const selected = `${quote(userKey)} as ${quote('_key')}, ${quote(name)}`;
    const text = keyed(`select ${selected} from ${this.#name} ${where} for update`);
    const [found] = await this.#engine.rows({ text, parameters });
    return found && textOf(found.row[name]);
  }

  /** @returns the user who has a row with these cells, which is locked until the transaction ends */
  async holderOf(cells: Readonly<Record<string, string>>): Promise<string | undefined> {
    const { quote, parameter, keyed } = this.#engine.dialect;
    const own = Object.entries(cells);
    const one = own.map(([column], at) => `${quote(column)} = ${parameter(at + 1)}`).join(' and ');
    const selected = `${quote(this.#table.userKey)} as ${quote('_key')}`;
    const text = keyed(`select ${selected} from ${this.#name} where ${one} for update`);
    const [found] = await this.#engine.rows({ text, parameters: own.map(([, value]) => value) });
    return found?.key;
  }

  /** @param seed of its key @throws RowRefused */
  async insert(key: string, cells: Cells, seed: string): Promise<void> {
    const { userKey, newKey } = this.#table;
    const values: [column: string, value: string | bigint][] = [
      [userKey, this.#key(key)],
      ...(newKey === undefined ? [] : [[newKey.column, newKey.make(seed)] as [string, string]]),
      ...this.#there(cells).flatMap(([column, cell]) =>
        cell === undefined ? [] : [[column, parameterOf(cell)] as [string, string]],
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

  async update(key: string, set: Readonly<Record<string, NonNullable<Cell>>>, only: Cells): Promise<void> {
    const { quote, parameter } = this.#engine.dialect;
    const cells = this.#there(set).flatMap(([column, cell]) =>
      cell === undefined ? [] : [{ column, cell }],
    );
    const { dialect } = this.#engine;
    const assignments = cells.map(
      ({ column, cell }, at) => `${quote(column)} = ${assigned(dialect, column, cell, parameter(at + 1))}`,
    );
    const before = cells.map(({ cell }) => parameterOf(cell));
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
    before: readonly string[],
  ): { readonly where: string; readonly parameters: Statement['parameters'] } {
    const { quote, parameter } = this.#engine.dialect;
    const parameters: (string | bigint)[] = [...before, this.#key(key)];
    const conditions = [`${quote(this.#table.userKey)} = ${parameter(parameters.length)}`];
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
