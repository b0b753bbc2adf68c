/** Columns described as data, from which array parameters, statement texts and row types are derived. */

import { plainArray, textArray } from './pg-array.ts';

/** A column as an array literal; `{}` when every cell is NULL. */
export type Column = string;

interface CellOf {
  readonly uuid: string;
  readonly smallint: number;
  readonly int: number;
  /** A number holds 53 bits. */
  readonly bigint: number;
  readonly bool: boolean;
  readonly text: string;
  readonly jsonb: unknown;
  /** Hexadecimal digits. */
  readonly bytea: string;
}

export type ColumnType = keyof CellOf;

export interface ColumnForm {
  readonly name: string;
  readonly type: ColumnType;
  readonly isNullable: boolean;
}

/** Keyed by their names in the code; all lists of columns follow this order. */
export type Columns = Readonly<Record<string, ColumnForm>>;

type Cell<Form extends ColumnForm, Absent> =
  CellOf[Form['type']] | (Form['isNullable'] extends true ? Absent : never);

/** @typeParam Absent the type of NULL */
export type RowOf<All extends Columns, Absent> = {
  readonly [Key in keyof All]: Cell<All[Key], Absent>;
};

/** Nullable columns may be left out. */
export type RowIn<All extends Columns> = RowOf<Without<All, { isNullable: true }>, never> &
  Partial<RowOf<With<All, { isNullable: true }>, null | undefined>>;

export type ArraysOf<All extends Columns> = { readonly [Key in keyof All]: Column };

/** With the number of rows, since a column may be `{}`. */
export type CountedArraysOf<All extends Columns> = ArraysOf<All> & { readonly count: number };

type Encode = (cells: readonly unknown[]) => Column;

const plain: Encode = (cells) => plainArray(cells as readonly (string | number)[], (cell) => cell);

const encoders: Readonly<Record<ColumnType, Encode>> = {
  uuid: plain,
  smallint: plain,
  int: plain,
  bigint: plain,
  bytea: plain,
  bool: (cells) => plainArray(cells as readonly boolean[], flag),
  text: (cells) => textArray(cells as readonly string[], (cell) => cell),
  jsonb: (cells) => textArray(cells, jsonText),
};

function flag(cell: boolean | undefined): string | undefined {
  if (cell === undefined) return undefined;
  return cell ? 't' : 'f';
}

/** Undefined stays undefined. */
export function jsonText(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

/** @param cells undefined for NULL; the result is `{}` if all are, as most records leave most columns empty */
export function arrayOf({ type, isNullable }: ColumnForm, cells: readonly unknown[]): Column {
  if (isNullable && cells.every((cell) => cell === undefined)) return '{}';
  return encoders[type](cells);
}

/** Null and undefined become NULL, except in JSON, where null is a value. */
export function arraysOf<All extends Columns>(columns: All, rows: readonly RowIn<All>[]): ArraysOf<All> {
  return mapColumns(columns, (form, key) => {
    const cells = rows.map((row) => (row as Partial<RowOf<All, null>>)[key]);
    return arrayOf(form, form.type === 'jsonb' ? cells : cells.map((cell) => cell ?? undefined));
  });
}

export function mapColumns<All extends Columns, Made>(
  columns: All,
  make: (form: ColumnForm, key: keyof All & string) => Made,
): { readonly [Key in keyof All]: Made } {
  const made = Object.entries(columns).map(([key, form]) => [key, make(form, key)]);
  return Object.fromEntries(made) as { readonly [Key in keyof All]: Made };
}

export function pickColumns<All extends Columns, Key extends keyof All>(
  columns: All,
  keys: readonly Key[],
): Pick<All, Key> {
  return Object.fromEntries(keys.map((key) => [key, columns[key]])) as Pick<All, Key>;
}

export type With<All extends Columns, Shape> = {
  readonly [Key in keyof All as All[Key] extends Shape ? Key : never]: All[Key];
};

export type Without<All extends Columns, Shape> = {
  readonly [Key in keyof All as All[Key] extends Shape ? never : Key]: All[Key];
};

export function columnsWith<All extends Columns, const Shape extends object>(
  columns: All,
  shape: Shape,
): With<All, Shape> {
  return filtered(columns, (form) => hasShape(form, shape)) as With<All, Shape>;
}

export function columnsWithout<All extends Columns, const Shape extends object>(
  columns: All,
  shape: Shape,
): Without<All, Shape> {
  return filtered(columns, (form) => !hasShape(form, shape)) as Without<All, Shape>;
}

function filtered(columns: Columns, isWanted: (form: ColumnForm) => boolean): Columns {
  return Object.fromEntries(Object.entries(columns).filter(([, form]) => isWanted(form)));
}

function hasShape(form: object, shape: object): boolean {
  const own = new Map<string, unknown>(Object.entries(form));
  return Object.entries(shape).every(([key, value]) => own.get(key) === value);
}

export function pickCells<All extends Columns, Row extends Readonly<Record<keyof All, unknown>>>(
  columns: All,
  row: Row,
): Pick<Row, keyof All> {
  return mapColumns(columns, (_, key) => row[key]) as Pick<Row, keyof All>;
}
