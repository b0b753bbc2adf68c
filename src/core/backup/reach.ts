import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Config, type ConfigSources, loadConfig } from '../../config/load.ts';
import { createLogger, type Logger } from '../../process/log.ts';
import { Sealer } from '../../process/sealer.ts';
import { StartupError } from '../../process/startup-error.ts';
import { readConnectionUri } from '../../database/connection/uri.ts';
import { type ConnectionTarget, type Database, openDatabase } from '../../database/database.ts';
import { startEmbedded } from '../../embedded/embedded.ts';
import { findRunning, hasCluster } from '../../embedded/running.ts';
import { explained } from '../command-errors.ts';
import { addressOf, type OfPlace } from '../place-address.ts';

export interface ReachOptions extends ConfigSources, OfPlace {
  readonly exists: boolean;
  /** Receives PostgreSQL's messages, line by line. */
  readonly note: (line: string) => void;
}

export interface Reached {
  readonly database: Database;
  /** Folder of the embedded PostgreSQL; undefined for another one. */
  readonly dataDir: string | undefined;
  /** With the keys that a core with these settings would have. */
  readonly sealer: Sealer;
}

/**
 * Lends one connection to the database of the settings, or to the embedded PostgreSQL, which is started if no core runs.
 * @throws StartupError
 */
export async function withDatabase<Result>(
  options: ReachOptions,
  work: (reached: Reached) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig(options);
  const { target, stop } = await locate(config, options);
  const database = openDatabase({ target, poolSize: 1 });
  const dataDir = config.postgresqlConnectionUri === undefined ? config.dataDir : undefined;
  try {
    return await work({ database, dataDir, sealer: new Sealer(encryptionKeys(config, dataDir)) });
  } catch (error) {
    throw explained(error);
  } finally {
    await database.close(1000);
    await stop();
  }
}

interface Located {
  readonly target: ConnectionTarget;
  readonly stop: () => Promise<void>;
}

async function locate(config: Config, { exists, environment, note, place }: ReachOptions): Promise<Located> {
  const { dataDir } = config;
  const uri = addressOf(config, { place });
  const stop = (): Promise<void> => Promise.resolve();
  if (uri !== undefined) return { target: readConnectionUri(uri, environment), stop };
  const running = await findRunning(dataDir);
  if (running !== undefined) return { target: running, stop };
  if (exists && !(await hasCluster(dataDir)))
    throw new StartupError(
      `${dataDir}: no core has its data there: name the folder with --data, or the database with POSTGRESQL_CONNECTION_URI`,
    );
  const embedded = await startEmbedded({ dataDir, log: logTo(note) });
  return { target: embedded.connection, stop: () => embedded.stop() };
}

function logTo(note: (line: string) => void): Logger {
  return createLogger({
    level: 'error',
    stream: {
      write: (line) => {
        note(line.trimEnd());
      },
    },
  });
}

/** Makes no key for an unused folder: the backup's core has the key. */
function encryptionKeys(config: Config, dataDir: string | undefined): readonly Uint8Array[] {
  if (config.encryptionKeys.length > 0 || dataDir === undefined) return config.encryptionKeys;
  const file = path.join(dataDir, 'encryption-key');
  return existsSync(file) ? [Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url')] : [];
}
