/** The tables of a source as the log sees them: which of them can be published, and which are. */

import { quoteWith } from '../engines/address.ts';
import type { Statement } from '../engines/engine.ts';
import type { NamingColumn } from './named.ts';

/** A table as the server's catalogue has it. */
export interface LogTable {
  readonly table: string;
  /** Its number (OID): the same under another name. */
  readonly oid: number;
  /** Changes when the table is made again, rewritten or emptied. */
  readonly file: string;
  readonly isPartitioned: boolean;
  /** Views and foreign tables are in no log. Updates of a published table without a replica identity would fail. */
  readonly canBePublished: boolean;
  readonly isPublished: boolean;
  /** Columns that the log has of a removed row; null: all. */
  readonly identity: readonly string[] | null;
}

const quote = quoteWith('"');

/** Versions as `server_version_num` has them. */
export const publishesPartitioned = (version: number): boolean => version >= 130_000;

/** @param columns of one schema @param name of the publication @param version of the server */
export function tablesStatement(columns: readonly NamingColumn[], name: string, version: number): Statement {
  const names = [...new Set(columns.map(({ table }) => table))];
  const listed = names.map((_name, place) => `$${place + 3}`).join(', ');
  const kinds = publishesPartitioned(version) ? "'r', 'p'" : "'r'";
  return {
    text: `
      select c.relname as "table", c.oid::bigint as oid, c.oid::text || ':' || coalesce(pg_relation_filenode(c.oid)::text, '') as file,
        c.relkind = 'p' as "isPartitioned",
        c.relkind in (${kinds}) and c.relpersistence = 'p' and (c.relreplident = 'f' or i.columns is not null) as "canBePublished",
        p.published is not null and p.published ->> 'rowfilter' is null as "isPublished",
        p.published -> 'attnames' as columns,
        case when c.relreplident = 'f' then null else coalesce(i.columns, '[]') end as identity
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      left join lateral (
        select json_agg(a.attname::text) as columns from pg_index x
        join pg_attribute a on a.attrelid = c.oid and a.attnum = any (x.indkey)
        where x.indrelid = c.oid and x.indisvalid
          and case c.relreplident when 'd' then x.indisprimary and x.indimmediate else c.relreplident = 'i' and x.indisreplident end
      ) i on true
      left join lateral (
        select to_jsonb(t) as published from pg_publication_tables t
        where t.pubname = $1 and t.schemaname = n.nspname and t.tablename = c.relname
      ) p on true
      where n.nspname = $2 and c.relname in (${listed}) and c.relkind in ('r', 'p', 'v', 'm', 'f')`,
    parameters: [name, columns[0]?.schema ?? '', ...names],
  };
}

/** A row of `tablesStatement`. */
export interface TableRow extends LogTable {
  /** Published ones; null: all. */
  readonly columns: readonly string[] | null;
}

/** Someone else's publication may leave out columns. */
export function tablesIn(rows: readonly TableRow[], columns: readonly NamingColumn[]): readonly LogTable[] {
  return rows.map(({ columns: published, isPublished, ...table }) => {
    const needed = columns.filter((each) => each.table === table.table);
    const hasAll = published === null || needed.every(({ column }) => published.includes(column));
    return { ...table, isPublished: isPublished && hasAll };
  });
}

/** @returns the statement that publishes the tables: whole, see docs/design/moves.md */
export function publishing(
  name: string,
  tables: readonly LogTable[],
  {
    schema,
    exists,
    version,
  }: { readonly schema: string; readonly exists: boolean; readonly version: number },
): string {
  const listed = tables
    .filter(({ canBePublished }) => canBePublished)
    .map(({ table }) => `${quote(schema)}.${quote(table)}`)
    .join(', ');
  if (exists) return `alter publication ${quote(name)} set table ${listed}`;
  // A partition's rows count as those of the table that a provider reads.
  const how = publishesPartitioned(version) ? ' with (publish_via_partition_root = true)' : '';
  return `create publication ${quote(name)} for table ${listed}${how}`;
}

/** Tables of which some changes show only when all users are read, for people. */
export function unseenIn(tables: readonly LogTable[], columns: readonly NamingColumn[]): readonly string[] {
  const [users] = columns;
  return tables.flatMap(({ table, canBePublished, identity }) => {
    if (!canBePublished) return [`changes of ${table}`];
    const isNamed = columns.some(
      (each) => each.table === table && (identity === null || identity.includes(each.column)),
    );
    return isNamed || table === users?.table ? [] : [`rows removed from ${table}`];
  });
}
