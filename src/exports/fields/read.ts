/** Reads records by the declaration of their fields, and keeps the account of every column. */

import type { SourceRow } from './source-row.ts';
import { type Column, type Columns, columnsLimit, examplesLimit } from './account.ts';
import {
  type Field,
  type Fields,
  type FieldType,
  folded,
  type ParseContext,
  unwrapped,
  type Values,
} from './declare.ts';
import { countriesOf, type CountryCode } from './national-phones.ts';
import { ambiguous, isAbsent, type Parsed, unparsable } from './parsed.ts';
import { holdsHash, isTokenName, looksLikeHash, suspicionOf } from './suspect.ts';
import { type ColumnOrder, type DateOrder, orderShownBy } from './times.ts';

/** A record as its fields say. */
export interface Reading<F extends Fields = Fields> {
  readonly values: Values<F>;
  /** Columns whose values could not be read, of fields that identify the user, guard the account or are of the password. */
  readonly unreadable: readonly Unreadable[];
}

export interface Unreadable {
  /** As the file calls it. */
  readonly column: string;
  readonly purpose: 'identifies' | 'guards' | 'hash';
  readonly type: Field['type'];
  /** Of a phone number: in which countries it is valid without naming one. */
  readonly countries?: readonly string[] | undefined;
}

/** Names that are remembered: of any more the field is looked up each time, and they are not counted. */
const slotsLimit = columnsLimit;
/** Values of an unknown column that are looked at for what they may be. */
const valuesLookedAt = 20;

/** A field with its place among the reader's. */
interface Declared {
  readonly place: number;
  readonly name: string;
  readonly field: Field;
  /** Of records within records. */
  readonly inner: RowReader<Fields> | undefined;
}

/** A column of the file. */
interface Slot {
  /** undefined: no field declares it. */
  readonly declared: Declared | undefined;
  readonly column: Column;
  /** Of its dates: what was stated for all, or decided by all of its values. */
  readonly order: ColumnOrder | 'unknown' | undefined;
  readonly context: ParseContext;
}

/** What the dates of columns are read by, by the columns' names, of records within records with the way to them. */
export type ColumnOrders = Readonly<Record<string, ColumnOrder | 'unknown'>>;

const none: readonly Unreadable[] = [];

export interface ReaderOptions {
  /** Of dates that can be read in two ways, in each column. */
  readonly order?: DateOrder | undefined;
  /** Of phone numbers without one. */
  readonly country?: CountryCode | undefined;
  /** The order by column. Left out: it is not decided yet. */
  readonly orders?: ColumnOrders | undefined;
  /** Columns that are read by other means than fields, and not counted. */
  readonly usedElsewhere?: readonly string[];
  /** The way to these records within a record, ending in a dot. */
  readonly path?: string;
}

/**
 * Not for several threads; made for each batch of records, whose account it keeps.
 *
 * Invariant: each cell of each record that was read is counted once, as used, absent or unparsable.
 */
export class RowReader<F extends Fields> {
  readonly #declared: readonly Declared[];
  /** By folded name. */
  readonly #byName = new Map<string, Declared>();
  /** By the name in the file. */
  readonly #slots = new Map<string, Slot>();
  /** Fields that gather columns by the beginning of their names, the longest first. */
  readonly #gathering: readonly Declared[];
  readonly #order: DateOrder | undefined;
  readonly #orders: ColumnOrders | undefined;
  readonly #country: CountryCode | undefined;
  readonly #usedElsewhere: readonly string[];
  readonly #path: string;
  #isCut = false;
  #isUndecided = false;
  /**
   * The cells of the record that is read, by the places of their fields. Made once for all records, each of which empties them:
   * a record within a record has its own reader.
   */
  readonly #cells: (Cell | typeof silent | undefined)[];

  constructor(fields: F, options: ReaderOptions = {}) {
    const { order, orders, country, usedElsewhere = [], path = '' } = options;
    this.#order = order;
    this.#orders = orders;
    this.#country = country;
    this.#usedElsewhere = usedElsewhere;
    this.#path = path;
    this.#declared = Object.entries(fields).map(([name, field], place) => {
      const within = `${path}${field.names[0] ?? ''}.`;
      return {
        place,
        name,
        field,
        inner: field.inner && new RowReader(field.inner, { order, orders, country, path: within }),
      };
    });
    this.#cells = this.#declared.map(() => undefined);
    this.#gathering = this.#declared
      .filter(({ field }) => field.prefix !== undefined)
      .sort((a, b) => (b.field.prefix?.length ?? 0) - (a.field.prefix?.length ?? 0));
    for (const declared of this.#declared)
      for (const name of declared.field.names.map(folded))
        if (!this.#byName.has(name)) this.#byName.set(name, declared);
  }

  /** @param record the record's place, for examples */
  read(row: SourceRow, record: number): Reading<F> {
    const cells = this.#cells;
    let gathered: Gathered | undefined;
    for (const name of Object.keys(row)) {
      const slot = this.#slots.get(name) ?? this.#newSlot(name);
      if (slot === undefined) continue;
      const value = unwrapped(row[name]);
      const { declared, column } = slot;
      if (declared === undefined) noteUnknown(column, name, value);
      else if (isAbsent(value)) {
        column.absent += 1;
        cells[declared.place] ??= silent;
      } else if (declared.field.prefix !== undefined) {
        column.used += 1;
        gathered ??= [];
        (gathered[declared.place] ??= []).push([name, value]);
      }
      // Of two columns that are one field the first that says something counts; the others say the same again.
      else if ((cells[declared.place] ?? silent) === silent) cells[declared.place] = { name, value, slot };
      else column.used += 1;
    }
    const reading = this.#valuesOf(record);
    return gathered === undefined ? reading : this.#withGathered(reading, gathered);
  }

  #withGathered({ values, unreadable }: Reading<F>, gathered: Gathered): Reading<F> {
    const found = gathered.map((entries, place) => [
      this.#declared[place]?.name ?? '',
      Object.fromEntries(entries),
    ]);
    // Where nothing was gathered the array has holes, which flat leaves out.
    return { values: { ...values, ...Object.fromEntries(found.flat(0)) } as Values<F>, unreadable };
  }

  /** Whether there was a date that may have the day or the month first, and nothing that decides it. */
  get isUndecided(): boolean {
    return this.#isUndecided || this.#declared.some(({ inner }) => inner?.isUndecided === true);
  }

  /** By the columns' names, of records within records with the way to them. */
  account(): { readonly columns: Columns; readonly isCut: boolean } {
    const columns: Columns = {};
    let isCut = this.#isCut;
    for (const [name, { column }] of this.#slots) columns[this.#path + nameOf(name)] = column;
    for (const { inner } of this.#declared) {
      if (inner === undefined) continue;
      const found = inner.account();
      Object.assign(columns, found.columns);
      isCut ||= found.isCut;
    }
    return { columns, isCut };
  }

  /** Of fields without a cell there is no value: most records of most sources have few of them. */
  #valuesOf(record: number): Reading<F> {
    const cells = this.#cells;
    const values: Record<string, unknown> = {};
    const unreadable: Unreadable[] = [];
    for (const declared of this.#declared) {
      const cell = cells[declared.place];
      if (cell === undefined) continue;
      cells[declared.place] = undefined;
      values[declared.name] =
        cell === silent ? declared.field.whenAbsent : this.#valueOf(declared, cell, record, unreadable);
    }
    return { values: values as Values<F>, unreadable: unreadable.length === 0 ? none : unreadable };
  }

  #valueOf({ field, inner }: Declared, cell: Cell, record: number, unreadable: Unreadable[]): unknown {
    const { name, value } = cell;
    const { column } = cell.slot;
    const { purpose, type } = field;
    const parsed = this.#parsed(field, cell);
    if (parsed === unparsable) {
      const { countries } = this.#noteUnparsable(type, cell, record);
      if (purpose === 'identifies' || purpose === 'guards' || purpose === 'hash')
        unreadable.push({ column: this.#path + name, purpose, type, countries });
      return undefined;
    }
    column.used += 1;
    if (parsed === undefined && field.isPartial === true) {
      column.unclear = (column.unclear ?? 0) + 1;
      addExample(column, record, value);
    }
    if (typeof value === 'string' && isPython(value, type)) column.python = (column.python ?? 0) + 1;
    if (inner === undefined || parsed === undefined) return parsed;
    const valuesOf = (row: SourceRow): unknown => {
      const reading = inner.read(row, record);
      if (reading.unreadable.length > 0) unreadable.push(...reading.unreadable);
      return reading.values;
    };
    return Array.isArray(parsed)
      ? (parsed as readonly SourceRow[]).map(valuesOf)
      : valuesOf(parsed as SourceRow);
  }

  #noteUnparsable(type: FieldType, { value, slot: { column } }: Cell, record: number): Column {
    column.unparsable += 1;
    addExample(column, record, value);
    // One is enough for advice: it takes as long as reading hundreds of records.
    if (type === 'phone' && this.#country === undefined && column.unparsable === 1)
      noteCountries(column, value);
    return column;
  }

  #parsed({ parse, type }: Field, { value, slot: { column, order, context } }: Cell): Parsed<unknown> {
    const parsed = parse(value, context);
    if (order !== undefined && (type === 'time' || type === 'until')) noteOrder(column, value, order);
    if (parsed !== ambiguous) return parsed;
    this.#isUndecided = true;
    column.order = 'unknown';
    return unparsable;
  }

  #newSlot(name: string): Slot | undefined {
    if (this.#usedElsewhere.includes(name)) return undefined;
    const declared =
      this.#byName.get(folded(name)) ?? this.#gathering.find((each) => isGatheredBy(each, name));
    const about = declared && { field: declared.name, purpose: declared.field.purpose };
    const column = { used: 0, absent: 0, unparsable: 0, examples: [], ...about };
    const order = this.#orders?.[this.#path + name] ?? this.#order;
    const context = { order: order === 'unknown' ? ('mixed' as const) : order, country: this.#country };
    const slot = { declared, column, order, context };
    if (this.#slots.size < slotsLimit) this.#slots.set(name, slot);
    else this.#isCut = true;
    return slot;
  }
}

/** Whether a text that was read as a list or an object is one of Python's: JSON has no single quotes around its texts. */
function isPython(text: string, type: Field['type']): boolean {
  if (type !== 'list' && type !== 'object' && type !== 'objects') return false;
  return /^\s*[[{][\s[{]*u?'/.test(text);
}

/** Safe as a key of an object. */
function nameOf(column: string): string {
  return column === '__proto__' ? '(__proto__)' : column;
}

/** Counted as used where there is a value: that it is not used says the column, which has no field. */
function noteUnknown(column: Column, name: string, value: unknown): void {
  if (isAbsent(value)) {
    column.absent += 1;
    return;
  }
  column.used += 1;
  if (column.used > valuesLookedAt) return;
  if (column.used === 1) {
    const suspicion = suspicionOf(name, value);
    if (suspicion !== undefined) column.looksLike = suspicion;
  }
  if (column.looksLike === 'hash') return;
  if (looksLikeHash(value, isTokenName(name))) column.looksLike = 'hash';
  else if (holdsHash(value)) {
    column.looksLike = 'hash';
    column.isWithin = true;
  }
}

/** Columns and their values by the places of the fields that gather them; sparse. */
type Gathered = (readonly [string, unknown])[][];

function isGatheredBy({ field: { prefix } }: Declared, name: string): boolean {
  return prefix !== undefined && name.toLowerCase().startsWith(prefix);
}

interface Cell {
  readonly name: string;
  readonly value: unknown;
  readonly slot: Slot;
}

/** In place of a cell: the column is there and says nothing. */
const silent = Symbol('silent');

/** Notes by what a date was read, where it could be read otherwise, and one that cannot have the order of the others. */
function noteOrder(column: Column, value: unknown, order: ColumnOrder | 'unknown'): void {
  const shown = orderShownBy(value);
  if (shown === 'either') column.order = order;
  else if (shown !== undefined && shown !== order && (order === 'dmy' || order === 'mdy'))
    column.otherOrder = (column.otherOrder ?? 0) + 1;
}

function noteCountries(column: Column, value: unknown): void {
  const countries = countriesOf(value);
  if (countries.length > 0) column.countries = countries;
}

function addExample(column: Column, record: number, value: unknown): void {
  if (column.examples.length < examplesLimit)
    column.examples.push({ record, text: column.purpose === 'hash' ? '(masked)' : shapeOf(value) });
}

const shownCharacters = 32;

/** What a value looks like without what it says: `05.01.2023` is 99.99.9999. A single short word is the word of a flag. */
export function shapeOf(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number')
    return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
  const text = String(value).trim();
  if (/^\p{L}{1,10}$/u.test(text)) return text;
  const shape = Array.from(text.slice(0, shownCharacters), (each) =>
    each.replace(/\p{L}/u, 'x').replace(/\p{N}/u, '9'),
  );
  return `${shape.join('')}${text.length > shownCharacters ? '…' : ''}`;
}
