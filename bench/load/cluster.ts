import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createLogger } from '../../src/log.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { type EmbeddedConnection, startEmbedded } from '../../src/store/embedded.ts';
import { migrate } from '../../src/store/migrate.ts';

/** The PostgreSQL that every part of a load scenario shares, as the core itself would start it. */
export interface Cluster {
  readonly target: EmbeddedConnection;
  /** For the core as a process of its own. */
  readonly uri: string;
  /** Its tables are there and empty. */
  readonly database: Database;
  /** Removes all users, so that each phase begins alike. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export async function startCluster(poolSize: number): Promise<Cluster> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'carryover-bench-'));
  await chmod(dataDir, 0o755); // as root, PostgreSQL is another user, who has to get in
  const embedded = await startEmbedded({ dataDir, log: createLogger({ level: 'error' }) });
  const target = embedded.connection;
  const database = openDatabase({ target, poolSize });
  await migrate(database);
  return {
    target,
    uri: uriOf(target),
    database,
    reset: async () => {
      await database.write(
        `truncate users, identities, tokens, verified_emails, external_id_info, import_jobs, import_rejects,
         import_claims, import_before_images, user_details, sign_ins`,
      );
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
