/** Builds parts of statements from descriptions of columns: see domain/columns.ts. All are made once, at load. */

import {
  arraysOf,
  type Column,
  type ColumnForm,
  type Columns,
  mapColumns,
  type RowIn,
} from '../domain/columns.ts';

/** Passed as text, because arrays of these need different quoting. */
const asText: ReadonlySet<ColumnForm['type']> = new Set(['jsonb', 'bytea']);

const listed = (parts: Readonly<Record<string, string>>): string => Object.values(parts).join(', ');

/** `a, b, c` */
export function namesOf(columns: Columns): string {
  return listed(mapColumns(columns, ({ name }) => name));
}

/** `w.a, w.b`, optionally renamed */
export function namedFrom(relation: string, columns: Columns, as?: (name: string) => string): string {
  return listed(
    mapColumns(columns, ({ name }) => `${relation}.${name}` + (as === undefined ? '' : ` as ${as(name)}`)),
  );
}

/** `unnest($2::uuid[], …)`, for parameters from `arraysIn`. @param first the number of the first one */
export function unnested(columns: Columns, first: number): string {
  const types = Object.values(columns).map(({ type }) => (asText.has(type) ? 'text' : type));
  return `unnest(${types.map((type, n) => `$${first + n}::${type}[]`).join(', ')})`;
}

/** In the order of `unnested`. */
export function arraysIn<All extends Columns>(
  columns: All,
  rows: { readonly [Key in keyof All]: Column },
): Column[] {
  return Object.values(mapColumns(columns, (_, key) => rows[key]));
}

export function insertOfJob(table: string, columns: Columns): string {
  const names = namesOf(columns);
  return `
  insert into ${table} (app_no, job_id, ${names})
  select $1::int, $2::uuid, r.* from ${unnested(columns, 3)} r (${names})`;
}

export function rowsOfJob<All extends Columns>(
  { appNo, id }: { readonly appNo: number; readonly id: string },
  columns: All,
  rows: readonly RowIn<All>[],
): (string | number)[] {
  return [appNo, id, ...arraysIn(columns, arraysOf(columns, rows))];
}

/**
 * Unnested columns converted to the types of their table.
 * @param instead expressions for some of them, by their names in the code
 */
export function storedFrom<All extends Columns>(
  relation: string,
  columns: All,
  instead: { readonly [Key in keyof All]?: string } = {},
): string {
  return listed(mapColumns(columns, (form, key) => instead[key] ?? stored(relation, form)));
}

function stored(relation: string, { name, type }: ColumnForm): string {
  const cell = `${relation}.${name}`;
  if (type === 'bytea') return `decode(${cell}, 'hex')`;
  return type === 'jsonb' ? `${cell}::jsonb` : cell;
}

export function readFrom(relation: string, columns: Columns): string {
  const read = ({ name, type }: ColumnForm): string =>
    type === 'bytea' ? `encode(${relation}.${name}, 'hex')` : `${relation}.${name}`;
  return listed(mapColumns(columns, (form, key) => `${read(form)} as "${key}"`));
}

/** `a = excluded.a, …`, for an update or upsert */
export function assignedFrom(relation: string, columns: Columns): string {
  return listed(mapColumns(columns, ({ name }) => `${name} = ${relation}.${name}`));
}

/** Whether any column differs. @param before alias of the former cells @param after alias of the new ones */
export function isAnother(
  columns: Columns,
  before: (name: string) => string,
  after: (name: string) => string,
): string {
  const differences = mapColumns(columns, ({ name }) => `${after(name)} is distinct from ${before(name)}`);
  return `(${Object.values(differences).join(' or ')})`;
}
