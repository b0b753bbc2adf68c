import { type ConfigSources, loadConfig } from '../config/load.ts';
import { StartupError } from '../process/startup-error.ts';
import { readConnectionUri } from '../database/connection/uri.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { findPending, migrate, type Pending, readMigrations } from '../database/migrate.ts';
import { checkServer } from '../database/server-check.ts';
import { explained } from './command-errors.ts';
import { addressOf, type OfPlace } from './place-address.ts';

export interface MigrateOptions extends ConfigSources, OfPlace {
  /** The role of the cores, if it does not own the tables. */
  readonly grantTo?: string | undefined;
}

export interface Migrated {
  /** Versions that were applied now, oldest first. */
  readonly applied: readonly number[];
  readonly version: number;
}

const ownPostgres =
  "postgresql_connection_uri: is not set, and a core changes its own PostgreSQL at its start: set POSTGRESQL_CONNECTION_URI to the database, with the role that owns the core's tables";

/**
 * Migrates a database without running a core, so that cores need no right to.
 * @throws StartupError
 */
export function migrateDatabase({ grantTo, ...sources }: MigrateOptions): Promise<Migrated> {
  return withDatabase(sources, async (database) => {
    const applied = await migrate(database, { grantTo });
    return { applied, version: await newestVersion() };
  });
}

/**
 * What `migrateDatabase` would apply, with its SQL; without a database, that of a new one. Changes nothing.
 * @throws StartupError
 */
export async function foreseeMigration(
  sources: ConfigSources & OfPlace,
): Promise<Pending & { readonly version: number }> {
  const isNew = loadConfig(sources).postgresqlConnectionUri === undefined;
  const pending = isNew
    ? await findPending()
    : await withDatabase(sources, (database) => findPending((text, values) => database.read(text, values)));
  return { ...pending, version: await newestVersion() };
}

async function newestVersion(): Promise<number> {
  return (await readMigrations()).at(-1)?.version ?? 0;
}

/**
 * Opens the database of the settings, checks its server, and closes it after `work`.
 * @throws StartupError if none is set, or it cannot be used
 */
export async function withDatabase<Result>(
  sources: ConfigSources & OfPlace,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const uri = addressOf(loadConfig(sources), sources);
  if (uri === undefined) throw new StartupError(ownPostgres);
  const database = openDatabase({ target: readConnectionUri(uri, sources.environment), poolSize: 1 });
  try {
    await checkServer(database);
    return await work(database);
  } catch (error) {
    throw explained(error);
  } finally {
    await database.close(1000);
  }
}
