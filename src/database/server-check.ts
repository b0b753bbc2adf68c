import { StartupError } from '../process/startup-error.ts';
import { schemaName, session } from './connection/settings.ts';
import type { Database, Query } from './database.ts';
import type { SeenServer, UnseenServer } from './driver.ts';

const oldest = 15;

/** Settings with which a server may lose committed data in a crash, with the value that causes it. */
const forgetful = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' } as const;

type Settings = ReadonlyMap<string, string>;

/**
 * Checks a server before anything is made there.
 * @returns its settings with which committed data may be lost
 * @throws StartupError if it is too old, cannot store every text, is behind a pooler that drops our settings (tables would be
 * made in another schema), or has distributed tables
 */
export async function checkServer({ read }: Database): Promise<string[]> {
  const names = ['server_version', 'server_version_num', 'server_encoding', ...Object.keys(forgetful)];
  const rows = await read<{ name: string; setting: string }>(
    'select name, current_setting(name) as setting from unnest($1::text[]) name',
    [`{${[...names, ...Object.keys(session)].join(',')}}`],
  );
  const settings = new Map(rows.map(({ name, setting }) => [name, setting]));
  refuseOld(settings);
  refuseEncoding(settings);
  refusePooler(settings);
  refuseDistributed(await distributedTables(read));
  return Object.entries(forgetful)
    .filter(([name, value]) => settings.get(name) === value)
    .map(([name]) => name);
}

/** Lifetimes of tokens, codes and limits are computed by the core's clock, and compared by other cores. */
const maxClockDifferenceMs = 120_000;

/**
 * @returns ms by which this machine's clock is ahead of the database's, as far as the time of the answer shows
 * @throws StartupError if it is minutes off
 */
export async function checkClock({ read }: Pick<Database, 'read'>): Promise<number> {
  const askedAt = Date.now();
  const [row] = await read<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms',
  );
  const answeredAt = Date.now();
  const there = row?.ms ?? askedAt;
  const aheadMs = there < askedAt ? askedAt - there : Math.min(answeredAt - there, 0);
  if (Math.abs(aheadMs) > maxClockDifferenceMs) {
    const minutes = Math.round(Math.abs(aheadMs) / 60_000);
    throw new StartupError(
      `The clock of this machine is ${minutes} minutes ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the database: set both by NTP, because lifetimes of tokens and codes depend on it`,
    );
  }
  return aheadMs;
}

/**
 * @param servers each must be a copy of the same cluster, or away
 * @throws StartupError if acknowledged writes would be found on one server and not on the other
 */
export function refuseDifferentClusters(servers: readonly (SeenServer | UnseenServer)[]): void {
  const known = servers.filter(
    (server): server is SeenServer => 'cluster' in server && server.cluster !== null,
  );
  const [first, ...others] = known;
  const other = others.find(({ cluster }) => cluster !== first?.cluster);
  if (first === undefined || other === undefined) return;
  throw new StartupError(
    `The servers of 'postgresql_connection_uri' are not copies of one database: ${first.where} and ${other.where} have different system identifiers. Name one cluster's primary and its standbys alone`,
  );
}

/** Citus lists distributed tables under this name; other servers have no such list. */
async function distributedTables(read: Query): Promise<string[]> {
  const [known] = await read<{ found: boolean }>(
    `select to_regclass('pg_dist_partition') is not null as found`,
  );
  if (known?.found !== true) return [];
  const rows = await read<{ name: string }>(
    `select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
     where c.relnamespace = to_regnamespace($1) order by 1`,
    [schemaName],
  );
  return rows.map(({ name }) => name);
}

/** Imports and removals need one statement to change several tables, including a unique key. */
function refuseDistributed(tables: readonly string[]): void {
  if (tables.length === 0) return;
  const named = tables.slice(0, 3).join(', ') + (tables.length > 3 ? ', …' : '');
  throw new StartupError(
    `Tables of the core are distributed over several servers (${named}), which it cannot work on: take that back for each (select undistribute_table('${schemaName}.${tables[0] ?? ''}')), or give it another database`,
  );
}

function refuseOld(settings: Settings): void {
  if (Number(settings.get('server_version_num')) >= oldest * 10_000) return;
  const version = settings.get('server_version') ?? 'unknown';
  throw new StartupError(`The database's PostgreSQL is ${version}: the core needs ${oldest} or newer`);
}

function refuseEncoding(settings: Settings): void {
  const encoding = settings.get('server_encoding') ?? 'unknown';
  if (encoding === 'UTF8') return;
  throw new StartupError(
    `The database's encoding is ${encoding}, which cannot hold every email: give the core one made by "create database … encoding 'UTF8' template template0"`,
  );
}

function refusePooler(settings: Settings): void {
  const lost = Object.entries(session)
    .filter(([name, value]) => settings.get(name) !== value)
    .map(([name]) => name);
  if (lost.length === 0) return;
  throw new StartupError(
    `The database does not have this core's settings (${lost.join(', ')}), so a pooler is in between: give the address of PostgreSQL itself, or see "PgBouncer" in docs/operate/postgres.md. Connections that the pooler opened before its role got the settings lack them, too: close them (RECONNECT)`,
  );
}
