import { Refusal } from '../domain/errors.ts';
import { reasonOf } from '../process/log.ts';
import { type ConfigSources, loadConfig } from '../config/load.ts';
import { StartupError } from '../process/startup-error.ts';
import { adviceOnStart, unusable } from '../database/connection/advice.ts';
import { readConnectionUri } from '../database/connection/uri.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { findPending, migrate, type Pending, readMigrations } from '../database/migrate.ts';
import { isRefusedConnection } from '../database/sqlstate.ts';
import { checkServer } from '../database/server-check.ts';

export interface MigrateOptions extends ConfigSources {
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
  sources: ConfigSources,
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
  sources: ConfigSources,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const { postgresqlConnectionUri: uri } = loadConfig(sources);
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

/** A command reports at once what a core would retry. */
function explained(error: unknown): Error {
  if (!(error instanceof Refusal)) return unusable(error);
  if (isRefusedConnection(error.cause)) return unusable(error.cause);
  const reason = reasonOf(error.cause ?? error);
  return new StartupError(`The database cannot be reached: ${reason}. ${adviceOnStart(error.cause)}`, {
    cause: error,
  });
}
