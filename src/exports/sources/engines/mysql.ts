import { isUtf8 } from 'node:buffer';
import { type Connection, createConnection, type RowDataPacket, type TypeCastField } from 'mysql2/promise';
import { reasonOf } from '../../../process/log.ts';
import { codeOf } from '../../../database/sqlstate.ts';
import { RowRefused, SourceFault } from '../fault.ts';
import { quoteWith } from './address.ts';
import type { CatalogColumn, Dialect, Engine, KeyedRow, Statement, WritingEngine } from './engine.ts';
import { takeMysqlTls } from './mysql-tls.ts';

export const mysqlDialect: Dialect = {
  quote: quoteWith('`'),
  parameter: () => '?',
  before: (parameter, _type, seconds) => `cast(${parameter} as datetime(6)) - interval ${seconds} second`,
  ahead: (_type, seconds) => `utc_timestamp(6) + interval ${seconds} second`,
  merged: (column, parameter) => `json_merge_patch(coalesce(${column}, '{}'), ${parameter})`,
  inside: (column, key) => `json_unquote(json_extract(${column}, '$.${key}'))`,
  keyed: (statement) => statement,
};

const beginning = [
  // The driver's assumption about backslashes in texts then holds, whatever the server's setting.
  "set session sql_mode = ''",
  "set session time_zone = '+00:00'",
  'set session transaction isolation level repeatable read',
  'start transaction with consistent snapshot, read only',
];
const writing = beginning.slice(0, 2).with(0, "set session sql_mode = 'STRICT_ALL_TABLES'");

/** @param address a URL with its password, if there is one @throws SourceFault */
export function openMysql(address: URL): Promise<Engine> {
  return open(address, beginning);
}

/** As openMysql, to change rows. */
export function openMysqlToWrite(address: URL): Promise<WritingEngine> {
  return open(address, writing);
}

async function open(address: URL, beginning: readonly string[]): Promise<MysqlEngine> {
  const database = decodeURIComponent(address.pathname.slice(1));
  if (database === '')
    throw new SourceFault('The address names no database: write mysql://user@host:3306/database');
  try {
    const connection = await connect(address, database);
    try {
      for (const statement of beginning) await connection.query(statement);
      return new MysqlEngine(connection, database);
    } catch (error) {
      connection.destroy();
      throw error;
    }
  } catch (error) {
    throw translated(error);
  }
}

async function connect(address: URL, database: string): Promise<Connection> {
  const parameters = new URLSearchParams(address.search);
  const socketPath = parameters.get('socket') ?? undefined;
  parameters.delete('socket');
  const ssl = socketPath === undefined ? takeMysqlTls(parameters, address.hostname) : undefined;
  const [unknown] = parameters.keys();
  if (unknown !== undefined)
    throw new SourceFault(`The address: ${unknown} is not known: it takes sslmode, sslrootcert and socket`);
  const connection = await createConnection({
    ...(socketPath === undefined
      ? { host: address.hostname, port: Number(address.port === '' ? 3306 : address.port) }
      : { socketPath }),
    user: decodeURIComponent(address.username),
    password: decodeURIComponent(address.password),
    database,
    charset: 'utf8mb4',
    connectTimeout: 10_000,
    ...(ssl !== undefined && { ssl }),
  });
  // A lost connection rejects the next statement, too.
  connection.on('error', () => undefined);
  return connection;
}

class MysqlEngine implements WritingEngine {
  readonly name = 'mysql';
  readonly dialect = mysqlDialect;
  readonly schema: string;
  readonly #connection: Connection;

  constructor(connection: Connection, database: string) {
    this.#connection = connection;
    this.schema = database;
  }

  async columns(tables: readonly string[]): Promise<CatalogColumn[]> {
    // Where names distinguish small letters, a table may have the name in capitals.
    const names = [...tables, ...tables.map((name) => name.toUpperCase())];
    const rows = await this.#ask({
      text: `select table_schema as "schema", table_name as "table", column_name as "column", data_type as "type",
          collation_name as "collation"
        from information_schema.columns where table_name in (${names.map(() => '?').join(', ')})`,
      parameters: names,
    });
    return rows.map(({ schema, table, column, type, collation }) => ({
      schema: schema ?? '',
      table: table ?? '',
      column: column ?? '',
      isInteger: (type ?? '').endsWith('int'),
      type: type ?? '',
      ignoresCase: collation?.endsWith('_ci') === true,
    }));
  }

  async rows(statement: Statement): Promise<KeyedRow[]> {
    const rows = await this.#ask(statement);
    return rows.map(({ _key: key, ...row }) => ({ key: key ?? '', row, bytes: bytesOf(row) }));
  }

  async change({ text, parameters }: Statement): Promise<void> {
    try {
      await this.#connection.query({ sql: text, values: [...parameters] });
    } catch (error) {
      const code = codeOf(error);
      if (refusals.has(code)) throw new RowRefused(code === taken, { cause: error });
      throw translated(error);
    }
  }

  close(): Promise<void> {
    this.#connection.destroy();
    return Promise.resolve();
  }

  /**
   * Every cell as the server's text for it, as in a CSV file: times without a zone, numbers to the last digit, bytes that are not
   * a text as phpMyAdmin writes them.
   */
  async #ask({ text, parameters }: Statement): Promise<readonly Texts[]> {
    try {
      const [rows] = await this.#connection.query<RowDataPacket[]>({
        sql: text,
        values: [...parameters],
        typeCast: (field: TypeCastField) => textOf(field.buffer()),
      });
      return rows;
    } catch (error) {
      throw translated(error);
    }
  }
}

function textOf(bytes: Buffer | null): string | null {
  if (bytes === null) return null;
  return isUtf8(bytes) ? bytes.toString() : `0x${bytes.toString('hex')}`;
}

type Texts = Readonly<Record<string, string | null>>;

function bytesOf(row: Texts): number {
  return Object.values(row).reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

const taken = 'ER_DUP_ENTRY';
const refusals = new Set([
  taken,
  'ER_ROW_IS_REFERENCED_2',
  'ER_BAD_NULL_ERROR',
  'ER_NO_DEFAULT_FOR_FIELD',
  'ER_DATA_TOO_LONG',
  'ER_TRUNCATED_WRONG_VALUE',
  'ER_TRUNCATED_WRONG_VALUE_FOR_FIELD',
  'ER_WARN_DATA_OUT_OF_RANGE',
  'ER_CONSTRAINT_FAILED',
  'ER_CHECK_CONSTRAINT_VIOLATED',
]);
const lost = new Set(['PROTOCOL_CONNECTION_LOST', 'ECONNRESET', 'EPIPE', 'ER_SERVER_SHUTDOWN']);

/** The error with a cure for people; never with the address, which may contain a password. */
function translated(error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof SourceFault || code === '') return error;
  if (lost.has(code))
    return new SourceFault(
      'The connection to the old database broke off, and with it what it showed: begin again',
    );
  return new SourceFault(`The old database: ${reasonOf(error)}. ${cures[code] ?? usualCure}`);
}

const usualCure = 'Check the address, the password and the rights of its user';
const cures: Readonly<Partial<Record<string, string>>> = {
  ER_TABLEACCESS_DENIED_ERROR: 'Read it with a user who has SELECT on the tables',
  HANDSHAKE_NO_SSL_SUPPORT:
    "If the server has no TLS and the network is your own, add 'sslmode=disable' to the address",
  HANDSHAKE_SSL_ERROR: "Give the certificate of its authority by 'sslrootcert=/path/ca.pem' in the address",
};
