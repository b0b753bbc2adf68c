import { type ConfigSources, loadConfig } from '../config/load.ts';
import { refuseSharedConnections } from '../database/connection/pooler.ts';
import { readConnectionUri } from '../database/connection/uri.ts';
import { lookAtEach } from '../database/driver.ts';
import { type Failover, failoverInWords, failoversToMend, readFailover } from '../database/failover.ts';
import { findPending, readMigrations } from '../database/migrate.ts';
import { checkClock, checkServer, refuseDifferentClusters } from '../database/server-check.ts';
import { reasonOf } from '../process/log.ts';
import { withDatabase } from './migrate-database.ts';
import { addressOf, type OfPlace } from './place-address.ts';

export interface ExaminedServer {
  /** Host and port. */
  readonly where: string;
  /** Why it could not be asked, if so. */
  readonly kind: 'primary' | 'standby' | 'read-only' | 'unreachable';
  readonly reason?: string;
}

export interface ExaminedDatabase {
  /** In the order of the address. */
  readonly servers: readonly ExaminedServer[];
  readonly version: string;
  /** Settings with which a crash may lose what was committed. */
  readonly forgetting: readonly string[];
  /** ms by which the clock here is ahead of the database's. */
  readonly clockAheadMs: number;
  readonly failover: Failover;
  readonly failoverInWords: string;
  /** No setting loses commits in a crash, no standby may lack acknowledged ones, and all are answered. True without a standby, too. */
  readonly isSafe: boolean;
  /** Of the tables, and this program's. */
  readonly tables: { readonly pending: readonly number[]; readonly newest: number };
}

/**
 * What a core would find at its start, and what a failover of the database would lose. Changes nothing.
 * @throws StartupError for what would stop a core
 */
export function examineDatabase(sources: ConfigSources & OfPlace): Promise<ExaminedDatabase> {
  return withDatabase(sources, async (database) => {
    const target = readConnectionUri(addressOf(loadConfig(sources), sources) ?? '', sources.environment);
    const seen = await lookAtEach(target);
    const servers = seen.map((server): ExaminedServer => {
      if ('error' in server)
        return { where: server.where, kind: 'unreachable', reason: reasonOf(server.error) };
      const { where, isStandby, isReadOnly } = server;
      return { where, kind: isStandby ? 'standby' : isReadOnly ? 'read-only' : 'primary' };
    });
    refuseDifferentClusters(seen);
    const forgetting = await checkServer(database);
    await refuseSharedConnections(target);
    const clockAheadMs = await checkClock(database);
    const failover = await readFailover(database.read);
    const [version] = await database.read<{ text: string }>(
      `select current_setting('server_version') as text`,
    );
    const { versions } = await findPending((text, values) => database.read(text, values));
    return {
      servers,
      version: version?.text ?? 'unknown',
      forgetting,
      clockAheadMs,
      failover,
      failoverInWords: failoverInWords(failover),
      isSafe: forgetting.length === 0 && !failoversToMend.has(failover.state),
      tables: { pending: versions, newest: (await readMigrations()).at(-1)?.version ?? 0 },
    };
  });
}
