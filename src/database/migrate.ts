import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { reasonOf } from '../process/log.ts';
import type { Database, Query } from './database.ts';
import { schemaName } from './connection/settings.ts';
import { StartupError } from '../process/startup-error.ts';
import { checkRights, grantTo, mayNotMakeSchema, mayNotMigrate, type SchemaMaker } from './rights.ts';
import { isMissingRight } from './sqlstate.ts';

export interface Applied {
  readonly version: number;
  readonly name: string;
}

export interface Migration extends Applied {
  readonly text: string;
}

export class DatabaseTooNew extends StartupError {
  override readonly name = 'DatabaseTooNew';
}

export class DatabaseOfDevelopment extends StartupError {
  override readonly name = 'DatabaseOfDevelopment';
}

const folder = fileURLToPath(new URL('./migrations/', import.meta.url));

/** Waiting for another core, or an index on a large table, may take long. */
const statementTimeoutMs = 3_600_000;

/** An arbitrary advisory lock, held for one transaction, on which cores that start together wait. */
const lockKey = 0x63_61_72_72_79;

interface MigrateOptions {
  /** A role that gets the rights of a core in the same transaction, so its cores find no table that they may not use. */
  readonly grantTo?: string | undefined;
  /** Oldest first. Default: this core's. */
  readonly migrations?: readonly Migration[];
}

/**
 * Migrates the tables to this core's version in one transaction. Cores that start together wait for each other.
 * @returns the versions that were applied, oldest first
 * @throws DatabaseTooNew when the database has a later migration than this core
 * @throws DatabaseOfDevelopment when one of its migrations differs from this core's
 * @throws StartupError when the role may not migrate, or not use the tables
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<number[]> {
  const migrations = options.migrations ?? (await readMigrations());
  const change = async (query: Query): Promise<number[]> => {
    await takeTurn(query);
    const applied = await applyMissing(query, migrations);
    if (options.grantTo !== undefined) await grantTo(query, options.grantTo);
    await checkRights(query);
    return applied;
  };
  return database.transaction(change, { statementTimeoutMs }).catch((error: unknown) => {
    throw isMissingRight(error) ? mayNotMigrate(reasonOf(error), error) : error;
  });
}

/** Waits for others that change the tables, and excludes them until the transaction ends. */
export async function takeTurn(query: Query): Promise<void> {
  await query('select pg_advisory_xact_lock($1)', [lockKey]);
}

/**
 * @param migrations all known ones, or the first of them, for a database of an older version
 * @returns the versions that were applied, oldest first
 * @throws DatabaseTooNew, DatabaseOfDevelopment
 */
export async function applyMissing(query: Query, migrations: readonly Migration[]): Promise<number[]> {
  await createWhatIsMissing(query);
  const applied = await readApplied(query);
  refuseUnknown(applied, migrations);
  const missing = withoutApplied(migrations, applied);
  for (const { version, name, text } of missing) {
    await query(text);
    await query(`insert into ${schemaName}.migrations (version, name) values ($1, $2)`, [version, name]);
  }
  return missing.map(({ version }) => version);
}

/** "if not exists" requires the right to create even if the object exists, which a role with minimal rights lacks. */
async function createWhatIsMissing(query: Query): Promise<void> {
  const found = await lookAt(query);
  if (!found.schema && !found.maymake) throw mayNotMakeSchema(found);
  for (const statement of makingStatements(found)) await query(statement);
}

interface Found extends SchemaMaker {
  readonly schema: boolean;
  readonly migrations: boolean;
  readonly maymake: boolean;
}

async function lookAt(query: Query): Promise<Found> {
  const [found] = await query<Found>(
    `select to_regnamespace($1) is not null as schema, to_regclass($1 || '.migrations') is not null as migrations,
       has_database_privilege(current_database(), 'create') as maymake,
       quote_ident(current_user) as role, quote_ident(current_database()) as database`,
    [schemaName],
  );
  if (found === undefined) throw new Error('a select without a table has one row');
  return found;
}

function makingStatements({ schema, migrations }: Pick<Found, 'schema' | 'migrations'>): string[] {
  return [
    ...(schema ? [] : [`create schema ${schemaName}`]),
    ...(migrations
      ? []
      : [
          `create table ${schemaName}.migrations (
       version integer primary key, name text not null, applied_at timestamptz not null default now())`,
        ]),
  ];
}

export interface Pending {
  readonly versions: readonly number[];
  /** For psql: one transaction equal to `migrate`. Empty if nothing is pending. */
  readonly sql: string;
}

/**
 * Finds what `migrate` would apply; changes nothing.
 * @param query undefined: for an empty database
 * @throws DatabaseTooNew, DatabaseOfDevelopment
 */
export async function findPending(query?: Query): Promise<Pending> {
  const migrations = await readMigrations();
  const found = query === undefined ? { schema: false, migrations: false } : await lookAt(query);
  const applied = query !== undefined && found.migrations ? await readApplied(query) : [];
  refuseUnknown(applied, migrations);
  const missing = withoutApplied(migrations, applied);
  const versions = missing.map(({ version }) => version);
  if (missing.length === 0) return { versions, sql: '' };
  const texts = missing.flatMap(({ version, name, text }) => [
    `\n-- ${name}\n${text.trimEnd()}`,
    `insert into ${schemaName}.migrations (version, name) values (${version}, '${name}');`,
  ]);
  const lines = [
    'begin;',
    `select pg_advisory_xact_lock(${lockKey});`,
    ...makingStatements(found).map((statement) => `${statement};`),
    `set local search_path = ${schemaName};`,
    ...texts,
    '\ncommit;',
  ];
  return { versions, sql: `${lines.join('\n')}\n` };
}

/** @returns oldest first */
export async function readApplied(query: Query): Promise<Applied[]> {
  return query<Applied>(`select version, name from ${schemaName}.migrations order by version`);
}

function withoutApplied(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const versions = new Set(applied.map(({ version }) => version));
  return migrations.filter(({ version }) => !versions.has(version));
}

function refuseUnknown(applied: readonly Applied[], migrations: readonly Migration[]): void {
  refuseDevelopment(applied, migrations);
  const newest = migrations.at(-1)?.version ?? 0;
  const found = applied.at(-1)?.version ?? 0;
  if (found <= newest) return;
  throw new DatabaseTooNew(
    `The database is at version ${found}, this core knows ${newest}: start a newer core, or give it another database`,
  );
}

/** @throws DatabaseOfDevelopment */
export function refuseDevelopment(applied: readonly Applied[], migrations: readonly Applied[]): void {
  const other = findOther(applied, migrations);
  if (other === undefined) return;
  throw new DatabaseOfDevelopment(
    `The database was made by a development version of carryover, before 0.1.0 (its migration ${other.version} is ${other.name}): export its users with that version, give this core an empty database or data folder, and import them; or start that version`,
  );
}

/**
 * Finds an applied migration whose number has another name here. Released migrations do not change, so a development version made
 * it.
 */
export function findOther(applied: readonly Applied[], migrations: readonly Applied[]): Applied | undefined {
  const names = new Map(migrations.map(({ version, name }) => [version, name]));
  return applied.find(({ version, name }) => names.has(version) && names.get(version) !== name);
}

/** @returns oldest first */
export async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql'));
  const migrations = files.map(async (file) => ({
    version: Number.parseInt(file, 10),
    name: file,
    text: await readFile(path.join(folder, file), 'utf8'),
  }));
  return (await Promise.all(migrations)).sort((one, other) => one.version - other.version);
}
