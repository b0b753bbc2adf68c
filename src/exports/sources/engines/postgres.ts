import postgres from 'postgres';
import { reasonOf } from '../../../process/log.ts';
import { StartupError } from '../../../process/startup-error.ts';
import { adviceOn } from '../../../database/connection/advice.ts';
import { readConnectionUri, type UriTarget } from '../../../database/connection/uri.ts';
import { openSql } from '../../../database/driver.ts';
import { codeOf, isMissingRight } from '../../../database/sqlstate.ts';
import { parseJson } from '../../convert/records.ts';
import type { SourceRow } from '../../providers/provider.ts';
import { RowRefused, SourceFault } from '../fault.ts';
import { quoteWith } from './address.ts';
import type { CatalogColumn, Dialect, Engine, KeyedRow, Statement, WritingEngine } from './engine.ts';

const quote = quoteWith('"');

export const postgresDialect: Dialect = {
  quote,
  parameter: (place) => `$${place}`,
  before: (parameter, type, seconds) =>
    `cast(cast(${parameter} as text) as ${type}) - interval '${seconds} seconds'`,
  ahead: (type, seconds) => `cast(now() + interval '${seconds} seconds' as ${type})`,
  // PostgreSQL's own text for every type: times in ISO 8601, whole numbers to the last digit.
  keyed: (statement) =>
    `select "row"."_key"::text as "key", row_to_json("row")::text as "json" from (${statement}) "row" order by "row"."_key"`,
};

/** Whatever the role may read, at any time: other settings of the role or the database would end a long transaction or hide rows. */
const beginning = [
  'begin isolation level repeatable read, read only',
  // Rows that a policy hides are an error then, not left out without notice.
  'set local row_security = off',
  'set local statement_timeout = 0',
  'set local lock_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
];

const writing = ['set statement_timeout = 30000', 'set lock_timeout = 10000', "set time zone 'UTC'"];

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * @param address a URL with its password, if there is one
 * @param environment gives libpq's variables their values
 * @throws SourceFault
 */
export function openPostgres(address: URL, environment: Environment): Promise<Engine> {
  return open(address, environment, beginning);
}

/** As openPostgres, to change rows. */
export function openPostgresToWrite(address: URL, environment: Environment): Promise<WritingEngine> {
  return open(address, environment, writing);
}

async function open(
  address: URL,
  environment: Environment,
  beginning: readonly string[],
): Promise<PostgresEngine> {
  const connection = { isLost: false };
  const sql = connect(target(address, environment), () => (connection.isLost = true));
  try {
    // A connection that reserve() itself opens is never returned (postgres.js 3.4.9, without fetch_types).
    await sql.unsafe('select 1');
    const transaction = await sql.reserve();
    for (const statement of beginning) await transaction.unsafe(statement);
    return new PostgresEngine(sql, transaction, connection);
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw translated(error);
  }
}

/**
 * The driver would make a boolean `false` of the text `1`, and read a time without a zone in that of the process: the server reads
 * and writes texts.
 */
const asGiven = {
  to: 25,
  // Booleans, bytes, JSON, dates and times.
  from: [16, 17, 114, 1082, 1114, 1184, 3802],
  serialize: String,
  parse: (text: string) => text,
};

function connect(target: UriTarget, onclose: () => void): postgres.Sql {
  return openSql(target, {
    // Not for a transaction that may take an hour.
    max_lifetime: null,
    connect_timeout: target.connectTimeoutS ?? 10,
    connection: { application_name: 'carryover export-from', ...target.settings },
    onclose,
    // A pooler that assigns a connection to each transaction does not support prepared statements.
    prepare: false,
    types: { asGiven },
  });
}

function target(address: URL, environment: Environment): UriTarget {
  try {
    return readConnectionUri(address.href, environment);
  } catch (error) {
    throw translated(error);
  }
}

class PostgresEngine implements WritingEngine {
  readonly name = 'postgres';
  readonly dialect = postgresDialect;
  readonly schema = undefined;
  readonly #sql: postgres.Sql;
  readonly #transaction: postgres.ReservedSql;
  readonly #connection: { readonly isLost: boolean };

  constructor(
    sql: postgres.Sql,
    transaction: postgres.ReservedSql,
    connection: { readonly isLost: boolean },
  ) {
    this.#sql = sql;
    this.#transaction = transaction;
    this.#connection = connection;
  }

  async columns(tables: readonly string[]): Promise<CatalogColumn[]> {
    const names = tables.map((_name, place) => `$${place + 1}`).join(', ');
    const rows = await this.#ask<{ schema: string; table: string; column: string; type: string }>({
      text: `select n.nspname as "schema", c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as "type"
        from pg_catalog.pg_class c
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        join pg_catalog.pg_attribute a on a.attrelid = c.oid
        where c.relname in (${names}) and c.relkind in ('r', 'p', 'v', 'm', 'f') and a.attnum > 0 and not a.attisdropped
          and n.nspname not in ('pg_catalog', 'information_schema')`,
      parameters: tables,
    });
    return rows.map((column) => ({
      ...column,
      isInteger: /int|serial/.test(column.type),
      ignoresCase: /(?:^|\.)citext$/.test(column.type),
    }));
  }

  async rows(statement: Statement): Promise<KeyedRow[]> {
    const rows = await this.#ask<{ key: string; json: string }>(statement);
    return rows.map(({ key, json }) => ({ key, row: parseJson(json) as SourceRow, bytes: json.length }));
  }

  async change(statement: Statement): Promise<void> {
    if (this.#connection.isLost) throw new SourceFault(lost);
    try {
      await this.#transaction.unsafe(statement.text, statement.parameters.map(String));
    } catch (error) {
      const code = error instanceof postgres.PostgresError ? error.code : '';
      // Class 23 are violations of constraints; 22 are values that the column's type does not have, such as a text that is too long.
      if (/^2[23]/.test(code)) throw new RowRefused(code === '23505', { cause: error });
      throw isLost(error) ? new SourceFault(lost, { cause: error }) : translated(error);
    }
  }

  close(): Promise<void> {
    return this.#sql.end({ timeout: 0 });
  }

  /** The driver would reconnect without an error, and show the database as it is then. */
  async #ask<Row extends object>({ text, parameters }: Statement): Promise<Row[]> {
    if (this.#connection.isLost) throw new SourceFault(lost);
    try {
      return await this.#transaction.unsafe<Row[]>(text, parameters.map(String));
    } catch (error) {
      throw isLost(error) ? new SourceFault(lost, { cause: error }) : translated(error);
    }
  }
}

const lost = 'The connection to the old database broke off, and with it what it showed: begin again';

/** An error without the server's code is the connection's; a server that stops sends a code. */
function isLost(error: unknown): boolean {
  return error instanceof postgres.PostgresError ? error.code.startsWith('57P0') : codeOf(error) !== '';
}

/** The error with a cure for people; never with the address, which may contain a password. */
function translated(error: unknown): unknown {
  if (error instanceof SourceFault) return error;
  const ours = (text: string): string => text.replaceAll("'postgresql_connection_uri'", 'the address');
  if (error instanceof StartupError)
    return new SourceFault(`The address: ${error.message.replace(/^postgresql_connection_uri: /, '')}`);
  const code = codeOf(error);
  if (code === '') return error;
  if (isMissingRight(error))
    return new SourceFault(
      `The old database: ${reasonOf(error)}. Read it with a role that may: the owner of the tables, or one with SELECT on them, and BYPASSRLS where they have row level security`,
    );
  return new SourceFault(`The old database: ${reasonOf(error)}. ${ours(adviceOn(error) ?? usualAdvice)}`);
}

const usualAdvice = 'Check the address, the password and the rights of its user';
