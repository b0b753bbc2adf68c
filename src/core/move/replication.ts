/** PostgreSQL's logical replication of the rows of one app (PostgreSQL 18 manual, chapter 29): which tables, and where it stands. */
import { schemaName } from '../../database/connection/settings.ts';
import type { Database } from '../../database/database.ts';
import { StartupError } from '../../process/startup-error.ts';

/** A place in a move. */
export interface Side {
  readonly name: string;
  /** The address by which the other place's server reaches it. */
  readonly uri: string;
  readonly database: Database;
}

/** From `from` to `to`. Names are of the server, which may have other databases. */
export interface Stream {
  readonly name: string;
  readonly from: Side;
  readonly to: Side;
}

export function streamOf(appNo: number, direction: 'out' | 'back', from: Side, to: Side): Stream {
  return { name: `carryover_app_${appNo}_${direction}`, from, to };
}

/** All tables with rows of single apps; the app's own row is made by the move. */
const tables = `
  select c.relname as name from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'app_no' and not a.attisdropped
  where c.relnamespace = to_regnamespace('${schemaName}') and c.relkind = 'r'
    and c.relname not in ('apps', 'app_moves', 'encryption_check')
  order by 1`;

export async function tablesOfApps({ read }: Pick<Database, 'read'>): Promise<readonly string[]> {
  return (await read<{ name: string }>(tables)).map(({ name }) => name);
}

/** Makes what the sending side needs, as far as it is not there. */
export async function offer({ name, from }: Stream, appNo: number): Promise<void> {
  const names = await tablesOfApps(from.database);
  const filtered = names.map((table) => `${schemaName}.${table} where (app_no = ${appNo})`);
  const [published] = await from.database.read('select from pg_publication where pubname = $1', [name]);
  if (published === undefined)
    await from.database.write(`create publication ${name} for table ${filtered.join(', ')}`);
  await from.database.write(
    `select pg_create_logical_replication_slot($1, 'pgoutput')
     where not exists (select from pg_replication_slots where slot_name = $1)`,
    [name],
  );
}

export async function isSubscribed({ name, to }: Stream): Promise<boolean> {
  const found = await to.database.read(
    'select from pg_subscription where subname = $1 and subdbid = (select oid from pg_database where datname = current_database())',
    [name],
  );
  return found.length > 0;
}

/** @param copies whether the rows that are there are copied first; else only later changes follow */
export async function subscribe(stream: Stream, copies: boolean): Promise<void> {
  if (await isSubscribed(stream)) return;
  const { name, from, to } = stream;
  // The slot exists: made by the subscription itself, it would wait for ever within one server.
  await to.database.write(
    `create subscription ${name} connection '${from.uri.replaceAll("'", "''")}' publication ${name}
     with (copy_data = ${copies}, create_slot = false, slot_name = '${name}', synchronous_commit = 'on')`,
  );
}

/**
 * Ends the stream and removes what `offer` and `subscribe` made, as far as it is there.
 * @throws StartupError while a connection that is ending uses the slot: left behind, it would keep the server's log for ever
 */
export async function end(stream: Stream): Promise<void> {
  const { name, from, to } = stream;
  if (await isSubscribed(stream)) await to.database.write(`drop subscription ${name}`);
  const [active] = await from.database.read(
    'select from pg_replication_slots where slot_name = $1 and active',
    [name],
  );
  if (active !== undefined)
    throw new StartupError(
      `'${from.name}' has not noticed yet that the other place no longer follows: run the command again`,
    );
  await from.database.write(
    'select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1',
    [name],
  );
  await from.database.write(`drop publication if exists ${name}`);
}

export interface Standing {
  readonly tables: number;
  /** Tables whose first copy is complete. */
  readonly copied: number;
  /** Failures of the receiving server, which repeats. */
  readonly errors: number;
}

const standing = `
  select count(*)::int as tables, (count(*) filter (where r.srsubstate = 'r'))::int as copied,
    coalesce((select (e.apply_error_count + e.sync_error_count)::int from pg_stat_subscription_stats e
      where e.subname = $1 limit 1), 0) as errors
  from pg_subscription_rel r join pg_subscription s on s.oid = r.srsubid where s.subname = $1`;

export async function standingOf({ name, to }: Stream): Promise<Standing> {
  const [row] = await to.database.read<Standing>(standing, [name]);
  return row ?? { tables: 0, copied: 0, errors: 0 };
}

/** The position of the log now. */
export async function positionOf({ database }: Side): Promise<string> {
  const [row] = await database.read<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn');
  return row?.lsn ?? '0/0';
}

/** Whether the receiving side has all that was committed before the position. */
export async function hasReceived({ name, from }: Stream, position: string): Promise<boolean> {
  const [row] = await from.database.read<{ done: boolean }>(
    `select coalesce(confirmed_flush_lsn >= $2::text::pg_lsn, false) as done from pg_replication_slots where slot_name = $1`,
    [name, position],
  );
  return row?.done === true;
}
