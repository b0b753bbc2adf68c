import { StartupError } from '../../process/startup-error.ts';
import { schemaName } from '../connection/settings.ts';
import { type Applied, readApplied } from '../migrate.ts';
import type { Query } from '../query.ts';

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface Sequence {
  readonly name: string;
  /** null: never used. */
  readonly lastValue: number | null;
}

export interface Contents {
  readonly version: number;
  /** Applied ones, oldest first. */
  readonly migrations: readonly Applied[];
  /** Without the list of migrations. Referenced tables come first. */
  readonly tables: readonly Table[];
  readonly sequences: readonly Sequence[];
  /** Approximate size of the rows. */
  readonly bytes: number;
}

/** Only tables of our owner: the schema may contain others. Unlogged ones hold what a crash may take. */
const tablesOfTheCore = `
  select c.relname as name, pg_table_size(c.oid) as bytes, (
    select json_agg(a.attname order by a.attnum) from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  ) as columns, (
    select coalesce(json_agg(distinct r.relname), '[]') from pg_constraint f join pg_class r on r.oid = f.confrelid
    where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
  ) as "refersTo"
  from pg_class c
  join pg_class ours on ours.oid = to_regclass($1 || '.migrations') and ours.relowner = c.relowner
  where c.relnamespace = ours.relnamespace and c.relkind = 'r' and c.relpersistence = 'p' and c.oid <> ours.oid
  order by 1`;

const sequencesOfTheCore = `
  select s.sequencename as name, s.last_value as "lastValue" from pg_sequences s
  join pg_tables ours on ours.schemaname = s.schemaname and ours.tablename = 'migrations'
    and ours.tableowner = s.sequenceowner
  where s.schemaname = $1 order by 1`;

interface FoundTable extends Table {
  readonly bytes: number;
  readonly refersTo: readonly string[];
}

/** @throws StartupError if there are no tables of a core */
export async function readContents(query: Query): Promise<Contents> {
  const migrations = await readApplied(query);
  const newest = migrations.at(-1);
  if (newest === undefined) throw nothingThere();
  const tables = await query<FoundTable>(tablesOfTheCore, [schemaName]);
  return {
    version: newest.version,
    migrations,
    tables: inOrder(tables).map(({ name, columns }) => ({ name, columns })),
    sequences: await query<Sequence>(sequencesOfTheCore, [schemaName]),
    bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

export function nothingThere(): StartupError {
  return new StartupError(
    `The database holds no tables of a core (no ${schemaName}.migrations): name the database, or the data folder, of the core`,
  );
}

/** Sorts a table with a foreign key after the one that it refers to. */
function inOrder(tables: readonly FoundTable[]): FoundTable[] {
  const waiting = new Set(tables);
  const ordered: FoundTable[] = [];
  while (waiting.size > 0) {
    const names = new Set(Array.from(waiting, ({ name }) => name));
    const free = [...waiting].filter(({ refersTo }) => !refersTo.some((name) => names.has(name)));
    if (free.length === 0) throw new Error('tables of the core refer to one another in a circle');
    for (const table of free) waiting.delete(table);
    ordered.push(...free);
  }
  return ordered;
}

/** `"carryover"."users"` */
export function quotedTable(name: string): string {
  return `${quoted(schemaName)}.${quoted(name)}`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
