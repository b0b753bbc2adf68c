/** The statements for a table, page by page: pure functions of its description. */

import type { Dialect, Key, Statement } from './engines/engine.ts';
import type { Join } from '../providers/database.ts';

/** A found table, and the columns to read. */
export interface FoundTable {
  readonly name: string;
  readonly schema: string;
  readonly table: string;
  /** The user's id. */
  readonly key: string;
  /** Whether ids are whole numbers: MySQL would compare a text with them as a float. */
  readonly hasIntegerKey: boolean;
  /** The name in the row, and the column's own. */
  readonly takes: Readonly<Record<string, string>>;
  readonly joins: readonly Join[];
  /** Rows of one realm only. */
  readonly realm?: { readonly column: string; readonly value: string } | undefined;
  readonly only?: { readonly column: string; readonly values: readonly string[] } | undefined;
  readonly same?: readonly [string, string] | undefined;
  /** The column with the time of a row's last change, if it has one. */
  readonly changed?: TimeColumn | undefined;
}

export interface TimeColumn {
  readonly column: string;
  readonly type: string;
}

/** One page of users: those after a key, in the order of their keys. */
export function pageOf(
  table: FoundTable,
  dialect: Dialect,
  after: Key | undefined,
  limit: number,
): Statement {
  const parameters = new Parameters(table, dialect);
  const key = `t.${dialect.quote(table.key)}`;
  const conditions = [
    ...ownOf(table, dialect, parameters),
    ...(after === undefined ? [] : [`${key} > ${parameters.key(after)}`]),
  ];
  const rows = `${selected(table, dialect)}${where(conditions)} order by ${key} limit ${limit}`;
  return { text: dialect.keyed(rows), parameters: parameters.all };
}

/** The rows of another table that belong to these users. */
export function rowsOf(table: FoundTable, dialect: Dialect, keys: readonly Key[]): Statement {
  const parameters = new Parameters(table, dialect);
  const key = `t.${dialect.quote(table.key)}`;
  const conditions = [
    ...ownOf(table, dialect, parameters),
    `${key} in (${keys.map((each) => parameters.key(each)).join(', ')})`,
  ];
  return {
    text: dialect.keyed(`${selected(table, dialect)}${where(conditions)}`),
    parameters: parameters.all,
  };
}

/**
 * Rows may become visible after others with a later time, because a transaction takes a while: each look begins this much earlier. A
 * transaction that takes longer is found when all users are read.
 */
const overlapSeconds = 300;
/** Times without a zone may be ahead of the server's by as much as zones differ. Later ones are mistakes, and would hide changes. */
const aheadSeconds = 14 * 3600;

/**
 * The users whose rows were changed after a moment.
 * @param overlaps also those that were changed at it, or shortly before
 */
export function changedOf(
  table: FoundTable,
  { column, type }: TimeColumn,
  dialect: Dialect,
  { since, overlaps }: { readonly since: string; readonly overlaps: boolean },
): Statement {
  const parameters = new Parameters(table, dialect);
  const { quote } = dialect;
  const [key, changed] = [`t.${quote(table.key)}`, `t.${quote(column)}`];
  const own = ownOf(table, dialect, parameters);
  const moment = dialect.before(parameters.text(since), type, overlaps ? overlapSeconds : 0);
  // Rows of users who are gone may have none.
  const conditions = [...own, `${key} is not null`, `${changed} ${overlaps ? '>=' : '>'} ${moment}`];
  const rows = `select distinct ${key} as ${quote('_key')} from ${nameOf(table.schema, table.table, dialect)} t`;
  return { text: dialect.keyed(`${rows}${where(conditions)}`), parameters: parameters.all };
}

/**
 * The keys of users whose rows have one of these values where a join compares them: also if the joined row is gone.
 * @param place of the join in the table
 */
export function keysThrough(
  table: FoundTable,
  place: number,
  values: readonly string[],
  dialect: Dialect,
): Statement {
  const { schema, joins, key: column } = table;
  const join = joins[place];
  if (join === undefined) throw new Error(`${table.table} has no such join`);
  const parameters = new Parameters(table, dialect);
  const key = `t.${dialect.quote(column)}`;
  const own = ownOf(table, dialect, parameters);
  const listed = values.map((value) => parameters.text(value)).join(', ');
  const conditions = [...own, `${key} is not null`, `${comparedIn(join, dialect)} in (${listed})`];
  const from = `from ${nameOf(schema, table.table, dialect)} t`;
  const before = joins.slice(0, place).map((each, at) => joinOf(each, at, schema, dialect));
  const keys = [`select distinct ${key} as ${dialect.quote('_key')} ${from}`, ...before].join(' ');
  return { text: dialect.keyed(`${keys}${where(conditions)}`), parameters: parameters.all };
}

/** The moment of the last change, as the column `newest`. */
export function newestOf(table: FoundTable, { column, type }: TimeColumn, dialect: Dialect): Statement {
  const { quote } = dialect;
  const newest = `max(t.${quote(column)})`;
  const from = `from ${nameOf(table.schema, table.table, dialect)} t`;
  const text = `select 0 as ${quote('_key')}, ${newest} as ${quote('newest')} ${from}`;
  const sane = `t.${quote(column)} <= ${dialect.ahead(type, aheadSeconds)}`;
  return { text: dialect.keyed(`${text}${where([sane])}`), parameters: [] };
}

/** How many users there are. */
export function countOf(table: FoundTable, dialect: Dialect): Statement {
  const parameters = new Parameters(table, dialect);
  const conditions = ownOf(table, dialect, parameters);
  const from = `from ${nameOf(table.schema, table.table, dialect)} t`;
  const count = `select 0 as ${dialect.quote('_key')}, count(*) as ${dialect.quote('count')} ${from}`;
  return { text: dialect.keyed(`${count}${where(conditions)}`), parameters: parameters.all };
}

/** Which transactions the engine's own one shows, as the column `snapshot`: PostgreSQL alone. */
export function snapshotOf(dialect: Dialect): Statement {
  const text = `select 0 as ${dialect.quote('_key')}, txid_current_snapshot()::text as ${dialect.quote('snapshot')}`;
  return { text: dialect.keyed(text), parameters: [] };
}

/** All rows: of small tables, such as that of the realms. */
export function allOf(table: FoundTable, dialect: Dialect): Statement {
  const key = `t.${dialect.quote(table.key)}`;
  return { text: dialect.keyed(`${selected(table, dialect)} order by ${key}`), parameters: [] };
}

class Parameters {
  readonly all: (string | bigint)[] = [];
  readonly #dialect: Dialect;
  readonly #isInteger: boolean;

  constructor({ hasIntegerKey }: FoundTable, dialect: Dialect) {
    this.#dialect = dialect;
    this.#isInteger = hasIntegerKey;
  }

  key(key: Key): string {
    return this.#add(this.#isInteger ? BigInt(key) : key);
  }

  text(text: string): string {
    return this.#add(text);
  }

  #add(value: string | bigint): string {
    this.all.push(value);
    return this.#dialect.parameter(this.all.length);
  }
}

/** The conditions for every row that is read. */
function ownOf({ realm, only, same }: FoundTable, { quote }: Dialect, parameters: Parameters): string[] {
  const named = (column: string): string => `t.${quote(column)}`;
  const listed = (values: readonly string[]): string =>
    values.map((value) => parameters.text(value)).join(', ');
  // In the order of their positions: MySQL's parameters have no numbers.
  return [
    ...(realm === undefined ? [] : [`${named(realm.column)} = ${parameters.text(realm.value)}`]),
    ...(only === undefined ? [] : [`${named(only.column)} in (${listed(only.values)})`]),
    ...(same === undefined ? [] : [`${named(same[0])} = ${named(same[1])}`]),
  ];
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
}

function selected({ schema, table, key, takes, joins }: FoundTable, dialect: Dialect): string {
  const { quote } = dialect;
  const own = Object.entries(takes).map(([as, column]) => `t.${quote(column)} as ${quote(as)}`);
  const theirs = joins.flatMap((join, place) =>
    Object.entries(join.takes).map(([as, column]) => `j${place}.${quote(column)} as ${quote(as)}`),
  );
  const columns = [`t.${quote(key)} as ${quote('_key')}`, ...own, ...theirs];
  const joined = joins.map((join, place) => joinOf(join, place, schema, dialect));
  return [`select ${columns.join(', ')} from ${nameOf(schema, table, dialect)} t`, ...joined].join(' ');
}

function joinOf(join: Join, place: number, schema: string, dialect: Dialect): string {
  const { quote } = dialect;
  const left = comparedIn(join, dialect);
  const compared = join.asText === true ? `cast(${left} as text)` : left;
  const both = join.both === undefined ? '' : ` and j${place}.${quote(join.both)} = t.${quote(join.both)}`;
  const table = nameOf(schema, join.table, dialect);
  return `left join ${table} j${place} on j${place}.${quote(join.column)} = ${compared}${both}`;
}

/** The column that a join's own is compared with. */
function comparedIn(join: Join, { quote }: Dialect): string {
  return `${join.of === undefined ? 't' : `j${join.of}`}.${quote(join.with)}`;
}

function nameOf(schema: string, table: string, { quote }: Dialect): string {
  return `${quote(schema)}.${quote(table)}`;
}
