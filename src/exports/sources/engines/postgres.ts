import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { reasonOf } from '../../../process/log.ts';
import { StartupError } from '../../../process/startup-error.ts';
import { adviceOn } from '../../../database/connection/advice.ts';
import { readConnectionUri, type UriTarget } from '../../../database/connection/uri.ts';
import { cancelled, openSql, unlessLost, withoutHoles } from '../../../database/driver.ts';
import { codeOf, isMissingRight } from '../../../database/sqlstate.ts';
import { parseJson } from '../../convert/records.ts';
import type { SourceRow } from '../../providers/provider.ts';
import { RowRefused, SourceFault } from '../fault.ts';
import { quoteWith } from './address.ts';
import type {
  CatalogColumn,
  Dialect,
  Engine,
  KeyedRow,
  Session,
  Statement,
  WritingEngine,
} from './engine.ts';

const quote = quoteWith('"');

export const postgresDialect: Dialect = {
  quote,
  parameter: (place) => `$${place}`,
  before: (parameter, type, seconds) =>
    `cast(cast(${parameter} as text) as ${type}) - interval '${seconds} seconds'`,
  ahead: (type, seconds) => `cast(now() + interval '${seconds} seconds' as ${type})`,
  merged: (column, parameter) =>
    `coalesce(cast(${column} as jsonb), '{}') || cast(cast(${parameter} as text) as jsonb)`,
  inside: (column, key) => `(${column}->>'${key}')`,
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

const writing = [
  'set statement_timeout = 30000',
  'set lock_timeout = 10000',
  "set time zone 'UTC'",
  // A row that a policy hides would be taken for one that is not there.
  'set row_security = off',
];

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

/** As openPostgres, for statements that are a transaction each. Connects with the first. */
export function openPostgresSession(address: URL, environment: Environment): Session {
  const of = target(address, environment);
  return new PostgresSession((onclose) => connect(of, onclose));
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
      return withoutHoles<Row>(await this.#transaction.unsafe<Row[]>(text, parameters.map(String)));
    } catch (error) {
      throw isLost(error) ? new SourceFault(lost, { cause: error }) : translated(error);
    }
  }
}

/** Rows of one portion. */
const portion = 1000;
/** For the server to stop a statement. */
const closeMs = 2000;

class PostgresSession implements Session {
  readonly #connect: (onclose: () => void) => postgres.Sql;
  #sql: postgres.Sql | undefined;
  #running: object | undefined;

  constructor(connect: (onclose: () => void) => postgres.Sql) {
    this.#connect = connect;
  }

  rows<Row extends object>({ text, parameters }: Statement, limitMs: number): Promise<Row[]> {
    const asJson = `select row_to_json("row")::text as "json" from (${text}) "row"`;
    return this.#within(limitMs, async (transaction) => {
      const query = transaction.unsafe<{ json: string }[]>(asJson, parameters.map(String));
      this.#running = query;
      return (await query).map(({ json }) => parseJson(json) as Row);
    });
  }

  run(text: string, limitMs: number): Promise<void> {
    return this.#within(limitMs, async (transaction) => {
      const query = transaction.unsafe(text);
      this.#running = query;
      await query;
    });
  }

  eachText({ text, parameters }: Statement, take: (text: string) => void): Promise<void> {
    return this.#within(0, async (transaction) => {
      const query = transaction.unsafe<{ text: string }[]>(text, parameters.map(String));
      this.#running = query;
      for await (const rows of query.cursor(portion)) for (const row of rows) take(row.text);
    });
  }

  /** The server would complete a statement whose client is gone: a slot that is being made would stay. */
  async close(): Promise<void> {
    if (this.#running !== undefined)
      await Promise.race([cancelled(this.#running), sleep(closeMs, undefined, { ref: false })]);
    await this.#sql?.end({ timeout: 0 });
  }

  /** After a loss another driver: see Connection in database/driver.ts. */
  #open(): postgres.Sql {
    if (this.#sql !== undefined) return this.#sql;
    const sql = this.#connect(() => {
      if (this.#sql === sql) this.#sql = undefined;
      sql.end().catch(() => undefined);
    });
    this.#sql = sql;
    return sql;
  }

  /** Settings that end with the transaction: a pooler may give the next one to another connection. */
  async #within<Result>(
    limitMs: number,
    work: (transaction: postgres.TransactionSql) => Promise<Result>,
  ): Promise<Result> {
    try {
      const done = await this.#open().begin('read write', (transaction) =>
        unlessLost(async () => {
          await transaction.unsafe(
            `set local statement_timeout = ${limitMs}; set local lock_timeout = ${limitMs};
             set local idle_in_transaction_session_timeout = 0`,
          );
          return { result: await work(transaction) };
        }),
      );
      return done.result;
    } catch (error) {
      throw translated(error);
    } finally {
      this.#running = undefined;
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
      { cause: error },
    );
  return new SourceFault(`The old database: ${reasonOf(error)}. ${ours(adviceOn(error) ?? usualAdvice)}`, {
    cause: error,
  });
}

const usualAdvice = 'Check the address, the password and the rights of its user';
