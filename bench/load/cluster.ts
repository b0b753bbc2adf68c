import { rm } from 'node:fs/promises';
import { createLogger } from '../../src/process/log.ts';
import { type Database, openDatabase } from '../../src/store/database/database.ts';
import { type EmbeddedConnection, startEmbedded } from '../../src/embedded/embedded.ts';
import { startAutovacuum, stopAutovacuum } from './autovacuum.ts';
import { copyOfTemplate } from './template.ts';

/** The PostgreSQL that every part of a load scenario shares, as the core itself would start it. */
export interface Cluster {
  readonly target: EmbeddedConnection;
  /** Of the server's first process, the parent of all others. */
  readonly pid: number;
  /** For the core as a process of its own. */
  readonly uri: string;
  /** Its tables are there and empty. */
  readonly database: Database;
  /**
   * Removes all users, so that each phase begins alike: with autovacuum's clock, too.
   * @param vacuums whether PostgreSQL may vacuum in this phase; it may unless told
   */
  reset(vacuums?: boolean): Promise<void>;
  stop(): Promise<void>;
}

export async function startCluster(poolSize: number): Promise<Cluster> {
  const dataDir = await copyOfTemplate();
  const embedded = await startEmbedded({ dataDir, log: createLogger({ level: 'error' }) });
  const target = embedded.connection;
  const database = openDatabase({ target, poolSize });
  return {
    target,
    pid: embedded.pid,
    uri: uriOf(target),
    database,
    reset: async (vacuums = true) => {
      await database.write(
        `truncate users, identities, tokens, verified_emails, external_id_info, import_jobs, import_rejects,
         import_claims, import_before_images, user_details, sign_ins`,
      );
      await stopAutovacuum(database);
      if (vacuums) await startAutovacuum(database);
      await database.write('checkpoint');
    },
    stop: async () => {
      await database.close(5000);
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function uriOf({ host, port, user, password, database }: EmbeddedConnection): string {
  const query = new URLSearchParams({ host, port: String(port) });
  return `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@localhost/${database}?${query.toString()}`;
}
