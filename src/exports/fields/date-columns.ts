/** The order that the dates of each column show: the evidence by which a whole column is read. */

import { type Field, type Fields, folded, unwrapped } from './declare.ts';
import { ambiguous, isAbsent, unparsable } from './parsed.ts';
import type { SourceRow } from './source-row.ts';
import { orderShownBy } from './times.ts';

/** The number of dates in a column with one possible order, and with both. */
export interface DatesInColumn {
  dmy: number;
  mdy: number;
  either: number;
  /** Number of the first record with an ambiguous one; in the answer of one task its index. */
  firstEither: number;
}

/** By the column's name, for records within records by its path. Columns without such dates are left out. */
export interface DatesShown {
  readonly columns: Readonly<Record<string, DatesInColumn>>;
}

/** Whether a record of these fields may contain a date whose order matters. */
export function hasDates(fields: Fields): boolean {
  return Object.values(fields).some(
    (field) => isDate(field) || (field.inner !== undefined && hasDates(field.inner)),
  );
}

function isDate({ type }: Field): boolean {
  return type === 'time' || type === 'until';
}

/** Examines only the dates of records. Columns have the names that a RowReader gives them. */
export class DateColumns {
  readonly #path: string;
  readonly #usedElsewhere: readonly string[];
  readonly #byName = new Map<string, Declared>();
  /** By the name in the file; null for a column without dates. */
  readonly #declared = new Map<string, Declared | null>();
  readonly #columns = new Map<string, DatesInColumn>();

  /** @param usedElsewhere columns that are not read as fields @param path to these records, ending in a dot */
  constructor(fields: Fields, usedElsewhere: readonly string[] = [], path = '') {
    this.#path = path;
    this.#usedElsewhere = usedElsewhere;
    for (const field of Object.values(fields)) {
      const within = `${path}${field.names[0] ?? ''}.`;
      const inner =
        field.inner && hasDates(field.inner) ? new DateColumns(field.inner, [], within) : undefined;
      for (const name of field.names.map(folded))
        if (!this.#byName.has(name)) this.#byName.set(name, { field, inner });
    }
  }

  /** @param record the record's index */
  read(row: SourceRow, record: number): void {
    for (const name of Object.keys(row)) {
      const declared = this.#declaredOf(name);
      if (declared === null) continue;
      const value = unwrapped(row[name]);
      if (declared.inner === undefined) this.#note(name, value, record);
      else if (!isAbsent(value)) readWithin(declared.inner, declared.field.parse(value, {}), record);
    }
  }

  shown(): DatesShown {
    const columns = Object.fromEntries(this.#columns);
    for (const declared of this.#byName.values()) Object.assign(columns, declared.inner?.shown().columns);
    return { columns };
  }

  #declaredOf(name: string): Declared | null {
    const known = this.#declared.get(name);
    if (known !== undefined) return known;
    const found = this.#usedElsewhere.includes(name) ? undefined : this.#byName.get(folded(name));
    const declared = found !== undefined && (isDate(found.field) || found.inner !== undefined) ? found : null;
    if (this.#declared.size < namesLimit) this.#declared.set(name, declared);
    return declared;
  }

  #note(name: string, value: unknown, record: number): void {
    const order = orderShownBy(value);
    if (order === undefined) return;
    const column = this.#path + name;
    const dates = this.#columns.get(column) ?? { dmy: 0, mdy: 0, either: 0, firstEither: record };
    if (order === 'either' && dates.either === 0) dates.firstEither = record;
    dates[order] += 1;
    this.#columns.set(column, dates);
  }
}

/** Names that are remembered: records may have any keys. */
const namesLimit = 1000;

interface Declared {
  readonly field: Field;
  /** For records within records that have dates. */
  readonly inner: DateColumns | undefined;
}

function readWithin(inner: DateColumns, parsed: unknown, record: number): void {
  if (parsed === undefined || parsed === unparsable || parsed === ambiguous) return;
  const rows = Array.isArray(parsed) ? (parsed as readonly SourceRow[]) : [parsed as SourceRow];
  for (const row of rows) inner.read(row, record);
}
