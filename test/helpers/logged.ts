/** Old databases on a PostgreSQL whose log can be read, and what a follower made there. */
import { duringTransaction, type Old } from './followed.ts';
import { dropDatabase } from './postgres.ts';
import { type Alone } from './replicated.ts';

/** Owns the databases, and may read the log. */
export const logReader = 'log_reader';

export interface Slot {
  readonly name: string;
  /** Up to here it was read. */
  readonly confirmed: string | null;
}

export interface Logged extends Old {
  readonly system: string;
  readonly database: string;
  /** As superuser. */
  readonly sql: <Row extends object>(text: string) => Promise<Row[]>;
  readonly slots: () => Promise<readonly Slot[]>;
  readonly publications: () => Promise<readonly string[]>;
}

let databases = 0;

/** @param statements make the tables of the system */
export async function makeLogged(server: Alone, system: string, statements: string): Promise<Logged> {
  const database = `logged_${databases++}`;
  await server.sql(`do $$ begin
    if not exists (select from pg_roles where rolname = '${logReader}') then create role ${logReader} login replication; end if;
  end $$`);
  await server.sql(`create database ${database} owner ${logReader}`);
  const sql = <Row extends object>(text: string) => server.sql<Row>(text, database);
  await sql(`set role ${logReader}; ${statements}`);
  const connection = { ...server.connection, database };
  return {
    system,
    database,
    sql,
    address: `postgres://${logReader}@127.0.0.1:${server.port}/${database}?sslmode=disable`,
    change: async (text) => {
      await sql(text);
    },
    during: duringTransaction(connection),
    slots: () =>
      server.sql<Slot & object>(
        `select slot_name as name, confirmed_flush_lsn::text as confirmed from pg_replication_slots where database = '${database}'`,
      ),
    publications: async () => {
      const rows = await sql<{ name: string }>('select pubname as name from pg_publication');
      return rows.map(({ name }) => name);
    },
    drop: async () => {
      await server.sql(
        `select pg_drop_replication_slot(slot_name) from pg_replication_slots where database = '${database}'`,
      );
      await dropDatabase(database, (text) => server.sql(text));
    },
  };
}
