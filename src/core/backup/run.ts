import type { ConfigSources } from '../../config/load.ts';
import type { Database } from '../../database/database.ts';
import { features } from '../../features/index.ts';
import { obstacleIn } from '../../database/transfer/write-all.ts';
import { StartupError } from '../../process/startup-error.ts';
import { takeOverKeyCheck } from '../../store/sealed/key-check.ts';
import { opensSealedRows } from '../../store/sealed/sealed-rows.ts';
import type { OfPlace } from '../place-address.ts';
import { type BackedUp, type BackupTask, backUp } from './backup-database.ts';
import { withDatabase } from './reach.ts';
import { restore, type Restored, type RestoreTask } from './restore-database.ts';

interface Whose extends Pick<ConfigSources, 'file' | 'environment'>, OfPlace {
  /** Receives PostgreSQL's messages, line by line. */
  readonly note: (line: string) => void;
}

export interface BackupOptions extends Whose, Omit<BackupTask, 'database'> {}

export interface RestoreOptions extends Whose, Omit<RestoreTask, 'database'> {}

/** Backs up the database of the settings. @throws StartupError */
export function backUpDatabase(options: BackupOptions): Promise<BackedUp & { dataDir: string | undefined }> {
  return withDatabase({ ...options, exists: true }, async ({ database, dataDir }) => ({
    ...(await backUp({ ...options, database })),
    dataDir,
  }));
}

/** A backup has rows alone. No core writes there yet, so no table is locked. */
async function raiseTriggers(database: Database): Promise<void> {
  for (const { appTriggers } of features)
    if ((await appTriggers?.settle(database)) === false)
      throw new StartupError(
        'It is restored, but its tables are locked by another program, so triggers could not be made: end that program, and start a core, which makes them',
      );
}

export interface RestoredDatabase extends Restored {
  readonly dataDir: string | undefined;
  /** Whether a core with these settings could open the sealed data. */
  readonly hasKeys: boolean;
}

/** @returns why nothing can be restored into the database of the settings; undefined if it is empty @throws StartupError */
export function foreseeRestore(options: Whose): Promise<string | undefined> {
  return withDatabase({ ...options, exists: false }, ({ database }) => obstacleIn(database.read));
}

/** Restores into the database of the settings. @throws StartupError */
export function restoreDatabase(options: RestoreOptions): Promise<RestoredDatabase> {
  return withDatabase({ ...options, exists: false }, async ({ database, dataDir, sealer }) => {
    const restored = await restore({ ...options, database });
    await raiseTriggers(database);
    await takeOverKeyCheck(database.write, sealer);
    return { ...restored, dataDir, hasKeys: await opensSealedRows(database.read, sealer) };
  });
}
