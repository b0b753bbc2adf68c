/** Rights of a role that uses tables of another role. */
import { StartupError } from '../process/startup-error.ts';
import { schemaName } from './connection/settings.ts';
import type { Query } from './database.ts';

const cure = 'run "carryover migrate --grant-to <its role>" as the role that owns the tables';

/** The server quotes the role as `format` does: it may have any name. */
const grants = [
  `grant usage on schema ${schemaName} to %I`,
  `grant select, insert, update, delete on all tables in schema ${schemaName} to %I`,
  `grant usage, select, update on all sequences in schema ${schemaName} to %I`,
  `grant execute on all functions in schema ${schemaName} to %I`,
];

/**
 * Grants a role what a core needs of the existing tables, but not to change or drop them.
 * @throws StartupError when there is no such role
 */
export async function grantTo(query: Query, role: string): Promise<void> {
  const [found] = await query('select 1 from pg_roles where rolname = $1', [role]);
  if (found === undefined)
    throw new StartupError(
      `--grant-to: the database has no role of this name: make it first (create role … login password '…'), and write it as it is stored, most often in lower case`,
    );
  for (const grant of grants) {
    const [row] = await query<{ statement: string }>('select format($1, $2::text) as statement', [
      grant,
      role,
    ]);
    if (row) await query(row.statement);
  }
}

/** Only tables of our owner: the schema may contain others. */
const withoutRights = `
  select c.relname as name from pg_class c
  join pg_class ours on ours.oid = to_regclass($1 || '.migrations') and ours.relowner = c.relowner
  where c.relnamespace = to_regnamespace($1) and case
    when c.relkind = 'S' then not has_sequence_privilege(c.oid, 'usage')
    when c.relkind in ('r', 'p') and c.oid <> ours.oid then
      not (has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
        and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete'))
    else false end
  order by 1`;

/** @throws StartupError if the role lacks a right that a sign-in or import needs */
export async function checkRights(query: Query): Promise<void> {
  const rows = await query<{ name: string }>(withoutRights, [schemaName]);
  if (rows.length === 0) return;
  const named = rows.slice(0, 3).map(({ name }) => name);
  if (rows.length > named.length) named.push('…');
  throw new StartupError(
    `The database's role may not read and write all tables of the core (${named.join(', ')}): ${cure}`,
  );
}

/** For a role that may not migrate. @param reason the server's message */
export function mayNotMigrate(reason: string, cause: unknown): StartupError {
  return new StartupError(
    `The database is not at this core's version, or not granted to its role, which may not change it (${reason}): ${cure}`,
    { cause },
  );
}

export interface SchemaMaker {
  readonly role: string;
  readonly database: string;
}

export function mayNotMakeSchema({ role, database }: SchemaMaker): StartupError {
  return new StartupError(
    `The database ${database} has no schema ${schemaName}, and the role ${role} may not create it: run "create schema ${schemaName} authorization ${role}" as the owner of the database, then this again. If ${role} is a role that only runs cores, run "carryover migrate --grant-to ${role}" as the role that is to own the tables`,
  );
}
