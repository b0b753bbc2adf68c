/** Reads records by the declaration of their fields, and counts the outcome of every column. */

import type { SourceRow } from './source-row.ts';
import { type Column, type Columns, columnsLimit } from './account.ts';
import {
  type Field,
  type Fields,
  type FieldType,
  folded,
  type ParseContext,
  unwrapped,
  type Values,
} from './declare.ts';
import type { CountryCode } from './national-phones.ts';
import { ambiguous, isAbsent, type Parsed, unparsable } from './parsed.ts';
import type { ColumnOrder, DateOrder } from './times.ts';
import { addExample, isPython, noteCountries, noteOrder, noteUnknown } from './notes.ts';

/** A record's values by the declared fields. */
export interface Reading<F extends Fields = Fields> {
  readonly values: Values<F>;
  /** Columns with unreadable values, of fields that identify the user, guard the account or belong to the password. */
  readonly unreadable: readonly Unreadable[];
}

export interface Unreadable {
  /** The name in the file. */
  readonly column: string;
  readonly purpose: 'identifies' | 'guards' | 'hash';
  readonly type: Field['type'];
  /** For a phone number: countries in which it is valid without naming one. */
  readonly countries?: readonly string[] | undefined;
}

/** Names that are remembered: for further ones the field is looked up each time, and they are not counted. */
const slotsLimit = columnsLimit;
/** A field with its index among the reader's. */
interface Declared {
  readonly place: number;
  readonly name: string;
  readonly field: Field;
  /** For records within records. */
  readonly inner: RowReader<Fields> | undefined;
}

/** A column of the file, with everything that reading a value needs in one place. */
interface Slot {
  /** In the file. */
  readonly name: string;
  readonly column: Column;
  readonly how: 'unknown' | 'leave' | 'gather' | 'read';
  /** The index of the field; those of an unknown column come first. */
  readonly place: number;
  /** The key among the values. */
  readonly field: string;
  readonly purpose: Field['purpose'];
  readonly type: FieldType;
  readonly parse: Field['parse'];
  readonly whenAbsent: unknown;
  readonly inner: RowReader<Fields> | undefined;
  readonly isPartial: boolean;
  /** Lists and objects, which Python writes with single quotes. */
  readonly isNested: boolean;
  /** The order of its dates was stated for all, or determined from all of its values: dates with another order are noted. */
  readonly noted: ColumnOrder | 'unknown' | undefined;
  readonly context: ParseContext;
}

/** How records with the same columns in the same order are read. */
interface Plan {
  readonly names: readonly string[];
  /** Without columns that are read by other means; those of one field are adjacent. */
  readonly slots: readonly Slot[];
}

/** Plans that are compared with a record: most sources have few different ones. */
const plansLimit = 12;

/** The order of the dates of columns, by the columns' names, for records within records by their path. */
export type ColumnOrders = Readonly<Record<string, ColumnOrder | 'unknown'>>;

const none: readonly Unreadable[] = [];

export interface ReaderOptions {
  /** For ambiguous dates, in each column. */
  readonly order?: DateOrder | undefined;
  /** For phone numbers without one. */
  readonly country?: CountryCode | undefined;
  /** The order by column. Left out: not determined yet. */
  readonly orders?: ColumnOrders | undefined;
  /** Columns that are read by other means than fields, and not counted. */
  readonly usedElsewhere?: readonly string[];
  /** The path to these records within a record, ending in a dot. */
  readonly path?: string;
}

/**
 * Not thread-safe; one instance for each batch of records, whose account it keeps.
 *
 * Invariant: each cell of each record that was read is counted once, as used, absent or unparsable.
 */
export class RowReader<F extends Fields> {
  readonly #declared: readonly Declared[];
  /** By folded name. */
  readonly #byName = new Map<string, Declared>();
  /** By the name in the file. */
  readonly #slots = new Map<string, Slot>();
  /** Fields that collect columns by the beginning of their names, the longest first. */
  readonly #gathering: readonly Declared[];
  readonly #order: DateOrder | undefined;
  readonly #orders: ColumnOrders | undefined;
  readonly #country: CountryCode | undefined;
  readonly #usedElsewhere: readonly string[];
  readonly #path: string;
  #isCut = false;
  #isUndecided = false;
  /** The most recently used is first. */
  readonly #plans: Plan[] = [];
  /** Of the record that is being read. */
  #unreadable: Unreadable[] = [];

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
    this.#gathering = this.#declared
      .filter(({ field }) => field.prefix !== undefined)
      .sort((a, b) => (b.field.prefix?.length ?? 0) - (a.field.prefix?.length ?? 0));
    for (const declared of this.#declared)
      for (const name of declared.field.names.map(folded))
        if (!this.#byName.has(name)) this.#byName.set(name, declared);
  }

  /** @param record the record's index, for examples */
  read(row: SourceRow, record: number): Reading<F> {
    const values = this.#valuesOf(row, record, this.#unreadable) as Values<F>;
    if (this.#unreadable.length === 0) return { values, unreadable: none };
    const unreadable = this.#unreadable;
    this.#unreadable = [];
    return { values, unreadable };
  }

  /** Whether there was a date with an undetermined order of day and month. */
  get isUndecided(): boolean {
    return this.#isUndecided || this.#declared.some(({ inner }) => inner?.isUndecided === true);
  }

  /** By the columns' names, for records within records by their path. */
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

  /** Absent fields have no value: most records of most sources have few of them. */
  #valuesOf(row: SourceRow, record: number, unreadable: Unreadable[]): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    /** The last field with a value. */
    let said = -1;
    for (const slot of this.#planFor(Object.keys(row)).slots) {
      const { column, how } = slot;
      const value = unwrapped(row[slot.name]);
      if (how === 'unknown') noteUnknown(column, slot.name, value);
      else if (isAbsent(value)) {
        column.absent += 1;
        if (slot.whenAbsent !== undefined && slot.place !== said) values[slot.field] = slot.whenAbsent;
      }
      // Of two columns of one field the first with a value counts; the others repeat it.
      else if (how === 'leave' || slot.place === said) column.used += 1;
      else if (how === 'gather') {
        column.used += 1;
        gather(values, slot, value);
      } else {
        said = slot.place;
        const read = this.#read(slot, value, record, unreadable);
        if (read !== undefined || slot.field in values) values[slot.field] = read;
      }
    }
    return values;
  }

  #read(slot: Slot, value: unknown, record: number, unreadable: Unreadable[]): unknown {
    const { column, inner } = slot;
    const parsed = this.#parsed(slot, value);
    if (parsed === unparsable) {
      this.#noteUnparsable(slot, value, record, unreadable);
      return undefined;
    }
    column.used += 1;
    if (slot.isPartial && parsed === undefined) {
      column.unclear = (column.unclear ?? 0) + 1;
      addExample(column, record, value);
    }
    if (slot.isNested && typeof value === 'string' && isPython(value))
      column.python = (column.python ?? 0) + 1;
    if (inner === undefined || parsed === undefined) return parsed;
    if (!Array.isArray(parsed)) return inner.#valuesOf(parsed as SourceRow, record, unreadable);
    return (parsed as readonly SourceRow[]).map((each) => inner.#valuesOf(each, record, unreadable));
  }

  #parsed({ parse, column, noted, context }: Slot, value: unknown): Parsed<unknown> {
    const parsed = parse(value, context);
    if (noted !== undefined) noteOrder(column, value, noted);
    if (parsed !== ambiguous) return parsed;
    this.#isUndecided = true;
    column.order = 'unknown';
    return unparsable;
  }

  #noteUnparsable(
    { name, column, purpose, type }: Slot,
    value: unknown,
    record: number,
    unreadable: Unreadable[],
  ): void {
    column.unparsable += 1;
    addExample(column, record, value);
    // One is enough for advice: it takes as long as reading hundreds of records.
    if (type === 'phone' && this.#country === undefined && column.unparsable === 1)
      noteCountries(column, value);
    if (purpose === 'identifies' || purpose === 'guards' || purpose === 'hash')
      unreadable.push({ column: this.#path + name, purpose, type, countries: column.countries });
  }

  #planFor(names: readonly string[]): Plan {
    const plans = this.#plans;
    for (const [at, plan] of plans.entries()) {
      if (!isSame(plan.names, names)) continue;
      if (at > 0) {
        plans.splice(at, 1);
        plans.unshift(plan);
      }
      return plan;
    }
    const plan = this.#newPlan(names);
    plans.unshift(plan);
    if (plans.length > plansLimit) plans.pop();
    return plan;
  }

  #newPlan(names: readonly string[]): Plan {
    const slots = names
      .map((name) => this.#slots.get(name) ?? this.#newSlot(name))
      .filter((slot) => slot !== undefined)
      .sort((a, b) => a.place - b.place);
    return { names, slots };
  }

  #newSlot(name: string): Slot | undefined {
    if (this.#usedElsewhere.includes(name)) return undefined;
    const declared =
      this.#byName.get(folded(name)) ?? this.#gathering.find((each) => isGatheredBy(each, name));
    const order = this.#orders?.[this.#path + name] ?? this.#order;
    const slot = declared === undefined ? unknownSlot(name) : slotOf(name, declared, order, this.#country);
    if (this.#slots.size < slotsLimit) this.#slots.set(name, slot);
    else this.#isCut = true;
    return slot;
  }
}

function slotOf(
  name: string,
  { place, name: fieldName, field, inner }: Declared,
  order: ColumnOrder | 'unknown' | undefined,
  country: CountryCode | undefined,
): Slot {
  const { purpose, type, parse, whenAbsent, prefix, isPartial = false } = field;
  return {
    name,
    column: { used: 0, absent: 0, unparsable: 0, examples: [], field: fieldName, purpose },
    how: purpose === 'left out' ? 'leave' : prefix === undefined ? 'read' : 'gather',
    place,
    field: fieldName,
    purpose,
    type,
    parse,
    whenAbsent,
    inner,
    isPartial,
    isNested: type === 'list' || type === 'object' || type === 'objects',
    noted: type === 'time' || type === 'until' ? order : undefined,
    context: { order: order === 'unknown' ? 'mixed' : order, country },
  };
}

function unknownSlot(name: string): Slot {
  return {
    name,
    column: { used: 0, absent: 0, unparsable: 0, examples: [] },
    how: 'unknown',
    place: -1,
    field: '',
    purpose: 'left out',
    type: 'any',
    parse: () => undefined,
    whenAbsent: undefined,
    inner: undefined,
    isPartial: false,
    isNested: false,
    noted: undefined,
    context: {},
  };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}

/** Columns of a field that collects them, by their names. */
function gather(values: Record<string, unknown>, { field, name }: Slot, value: unknown): void {
  const gathered = (values[field] ??= {}) as Record<string, unknown>;
  // A column may be called __proto__.
  Object.defineProperty(gathered, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Safe as a key of an object. */
function nameOf(column: string): string {
  return column === '__proto__' ? '(__proto__)' : column;
}

function isGatheredBy({ field: { prefix } }: Declared, name: string): boolean {
  return prefix !== undefined && name.toLowerCase().startsWith(prefix);
}
