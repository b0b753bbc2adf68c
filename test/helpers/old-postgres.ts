/** The PostgreSQL of old systems in a run of tests. */
import type { EmbeddedConnection } from '../../src/embedded/embedded.ts';
import { oldPostgres, startAlone } from './replicated.ts';

interface OldPostgres {
  readonly connection: EmbeddedConnection;
  stop(): Promise<void>;
}

const password = 'only a test can know';

/** @returns undefined if it is the run's own */
export async function startOldPostgres(): Promise<OldPostgres | undefined> {
  if (oldPostgres === undefined) return undefined;
  const server = await startAlone(oldPostgres.binaries);
  // As on most old servers: not a superuser, and by password, whose kind of hash is the version's own.
  await server.sql(
    `create role old_system login createdb createrole password '${password}'; grant pg_signal_backend to old_system`,
  );
  const [setting] = await server.sql<{ file: string }>(`select current_setting('hba_file') as file`);
  await server.sql(
    `copy (values ('host all postgres 127.0.0.1/32 trust'), ('host all all 127.0.0.1/32 md5')) to '${setting?.file ?? ''}'`,
  );
  await server.sql('select pg_reload_conf()');
  const connection = { ...server.connection, user: 'old_system', password };
  return { connection, stop: () => server.remove() };
}
