/**
 * The write-ahead log of a PostgreSQL source, through a slot of logical decoding that is read by ordinary statements. It says which
 * users changed, and no more: see changes.ts.
 */

import { codeOf, isLockTimeout, isMissingRight } from '../../../database/sqlstate.ts';
import { type Address, quoteWith } from '../engines/address.ts';
import type { Session } from '../engines/engine.ts';
import { LogUnavailable, SourceBusy, SourceFault } from '../fault.ts';
import { LogChanges } from './log-changes.ts';
import type { NamingColumn } from './named.ts';
import { lsnText, type Lsn, parseLsn, PgOutput } from './pgoutput.ts';
import { advancing, peeking } from './slot-statements.ts';
import {
  type LogTable,
  publishesPartitioned,
  publishing,
  type TableRow,
  tablesIn,
  tablesStatement,
} from './tables.ts';

export interface LogState {
  readonly server: Server;
  readonly tables: readonly LogTable[];
  /** Whether the publication has all tables that can be published. */
  readonly publication: 'complete' | 'incomplete' | 'missing';
  /** Undefined if it does not exist. */
  readonly slot: SlotState | undefined;
  /** Up to here the log is on the server's disk, and can be read. */
  readonly flushed: Lsn;
}

interface SlotState {
  /** Up to here it was read. */
  readonly confirmed: Lsn;
  /** Bytes of the log that the server keeps for it. */
  readonly keptBytes: number;
  /** The server has removed what it needs. */
  readonly isLost: boolean;
}

interface Server {
  readonly level: string;
  readonly version: number;
  readonly isStandby: boolean;
  readonly role: string;
}

/** Statements that do not read the log. Making a slot waits for transactions that are open. */
const limitMs = 30_000;

/** Messages of one look, of which a transaction with one change has three. Transactions are whole, so there may be more. */
const mostMessages = 50_000;

const ofServer = `
  select current_setting('wal_level') as level, current_setting('server_version_num')::int as version,
    pg_is_in_recovery() as "isStandby", current_user::text as role`;

// As JSON: older versions lack the state of its log.
const ofSlot = `
  select pg_current_wal_flush_lsn()::text as flushed, exists (select from pg_publication where pubname = $1) as "hasPublication",
    s.slot_name is not null as "hasSlot", s.confirmed_flush_lsn::text as confirmed,
    pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn)::text as kept, to_jsonb(s) ->> 'wal_status' as status
  from (select 1) one left join pg_replication_slots s on s.slot_name = $1`;

interface SlotRow {
  readonly flushed: string;
  readonly hasPublication: boolean;
  readonly hasSlot: boolean;
  readonly confirmed: string | null;
  readonly kept: string | null;
  readonly status: string | null;
}

/** @param name of the slot and the publication: lower-case letters, digits and `_` */
export async function openSourceLog(
  { url }: Address,
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): Promise<SourceLog> {
  const { openPostgresSession } = await import('../engines/postgres.ts');
  return new SourceLog(openPostgresSession(url, environment), name);
}

export class SourceLog {
  readonly #session: Session;
  readonly #name: string;

  constructor(session: Session, name: string) {
    this.#session = session;
    this.#name = name;
  }

  /** @param columns by which rows name users @throws LogUnavailable @throws SourceFault */
  async state(columns: readonly NamingColumn[]): Promise<LogState> {
    const name = this.#name;
    const server = await this.#row<Server>(ofServer, []);
    refuseServer(server);
    const slot = await this.#row<SlotRow>(ofSlot, [name]);
    const rows = await this.#session.rows<TableRow>(tablesStatement(columns, name, server.version), limitMs);
    const tables = tablesIn(rows, columns);
    const users = tables.find(({ table }) => table === columns[0]?.table);
    if (users === undefined)
      throw new SourceFault(`The table ${columns[0]?.table ?? ''} is gone from the old database`);
    if (!users.canBePublished) throw new LogUnavailable(whyUnpublished(users, server.version));
    const isComplete = tables.every((each) => each.isPublished || !each.canBePublished);
    return {
      server,
      tables,
      publication: !slot.hasPublication ? 'missing' : isComplete ? 'complete' : 'incomplete',
      slot: slot.hasSlot ? slotOf(slot) : undefined,
      flushed: parseLsn(slot.flushed),
    };
  }

  /**
   * Makes the publication, and the slot, which may not exist. A publication that were made later would be unknown to what the slot
   * reads.
   * @returns where it begins @throws LogUnavailable @throws SourceFault
   */
  async begin({ server, tables, publication }: LogState, columns: readonly NamingColumn[]): Promise<Lsn> {
    const how = {
      schema: columns[0]?.schema ?? '',
      exists: publication === 'incomplete',
      version: server.version,
    };
    const publish = publication === 'complete' ? undefined : publishing(this.#name, tables, how);
    try {
      if (publish !== undefined) await this.#session.run(publish, limitMs);
      const made = `select (pg_create_logical_replication_slot($1, 'pgoutput')).lsn::text as lsn`;
      return parseLsn((await this.#row<{ lsn: string }>(made, [this.#name])).lsn);
    } catch (error) {
      throw refusalOf(error, { ...server, publish });
    }
  }

  /**
   * The changes since the slot's position, as whole transactions; the position stays.
   * @throws LogUnavailable @throws SourceBusy @throws SourceFault
   */
  async changes(
    { server, tables, slot, flushed }: LogState,
    columns: readonly NamingColumn[],
  ): Promise<LogChanges> {
    const changes = new LogChanges({ start: slot?.confirmed ?? 0n, flushed, most: mostMessages });
    const messages = new PgOutput(
      new Map(tables.map(({ oid, table }) => [oid, columns.filter((each) => each.table === table)])),
    );
    try {
      await this.#session.eachText(peeking(this.#name, flushed, mostMessages), (data) => {
        changes.add(messages.read(Buffer.from(data.slice(2), 'hex')));
      });
    } catch (error) {
      throw refusalOf(error, server);
    }
    return changes;
  }

  /** Removes the slot. @throws LogUnavailable @throws SourceBusy @throws SourceFault */
  async drop({ server }: LogState): Promise<void> {
    try {
      await this.#dropSlot();
    } catch (error) {
      throw refusalOf(error, server);
    }
  }

  /**
   * The server may remove the log before this position, all of which is here.
   * @returns where the slot is then @throws SourceBusy @throws SourceFault
   */
  async confirm({ server }: LogState, position: Lsn): Promise<Lsn> {
    try {
      const statement = advancing(this.#name, position, server.version);
      const [moved] = await this.#session.rows<{ readonly at: string | null }>(statement, 0);
      return parseLsn(moved?.at ?? lsnText(position));
    } catch (error) {
      throw busyOr(error);
    }
  }

  /** Slot and publication, as far as they are there. @returns whether one was @throws SourceBusy @throws SourceFault */
  async remove(): Promise<boolean> {
    const hadSlot = await this.#dropSlot();
    const text = 'select 1 as one from pg_publication where pubname = $1';
    const found = await this.#session.rows({ text, parameters: [this.#name] }, limitMs);
    if (found.length > 0) await this.#session.run(`drop publication if exists ${this.#name}`, limitMs);
    return hadSlot || found.length > 0;
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  /** @returns whether it existed */
  async #dropSlot(): Promise<boolean> {
    const text = `select pg_drop_replication_slot(slot_name)::text as dropped from pg_replication_slots where slot_name = $1`;
    try {
      return (await this.#session.rows({ text, parameters: [this.#name] }, limitMs)).length > 0;
    } catch (error) {
      throw busyOr(error);
    }
  }

  async #row<Row extends object>(text: string, parameters: readonly string[]): Promise<Row> {
    const [row] = await this.#session.rows<Row>({ text, parameters }, limitMs);
    if (row === undefined) throw new Error('a query for one row returned none');
    return row;
  }
}

/** How to remove slot and publication by hand. */
export function removalOf(name: string): string {
  return `select pg_drop_replication_slot('${name}'); drop publication ${name};`;
}

function slotOf({ confirmed, kept, status }: SlotRow): SlotState {
  // A lost slot has no position.
  return {
    confirmed: parseLsn(confirmed ?? '0/0'),
    keptBytes: Number(kept ?? 0),
    isLost: status === 'lost' || confirmed === null,
  };
}

function whyUnpublished({ table, isPartitioned }: LogTable, version: number): string {
  if (isPartitioned && !publishesPartitioned(version))
    return `${table} is partitioned, and such tables can be published from PostgreSQL 13 on`;
  return `${table} is a view, or has no primary key, without which updates of a published table fail`;
}

function refuseServer({ level, version, isStandby }: Server): void {
  if (version < 100_000)
    throw new LogUnavailable('The server is older than PostgreSQL 10, whose log has no plugin pgoutput');
  if (isStandby)
    throw new LogUnavailable('The server is a standby, where no publication can be made: give the primary');
  if (level !== 'logical')
    throw new LogUnavailable(
      `The server has wal_level = ${level}. To change it: alter system set wal_level = logical; and restart the server`,
    );
}

const quote = quoteWith('"');

/** object_in_use, configuration_limit_exceeded, query_canceled (by the limit). */
const [inUse, allUsed, cancelled] = ['55006', '53400', '57014'];

function busyOr(error: unknown): unknown {
  if (!(error instanceof SourceFault) || codeOf(error.cause) !== inUse) return error;
  return new SourceBusy(
    'Another session reads the slot of the log, such as that of a follower which was killed',
    {
      cause: error,
    },
  );
}

/** The reason why there is no log, with the cure, for faults that repeating does not cure. */
function refusalOf(
  error: unknown,
  { role, publish }: Server & { readonly publish?: string | undefined },
): unknown {
  if (!(error instanceof SourceFault) || error instanceof SourceBusy) return error;
  const { cause } = error;
  if (isMissingRight(cause)) {
    const sql = [`alter role ${quote(role)} replication;`, ...(publish === undefined ? [] : [`${publish};`])];
    return new LogUnavailable(
      `Its role may not read the log. For a role that may change that: ${sql.join(' ')}`,
      {
        cause,
      },
    );
  }
  if (codeOf(cause) === allUsed)
    return new LogUnavailable('All slots of the server are used: raise its max_replication_slots', { cause });
  if (codeOf(cause) === cancelled || isLockTimeout(cause))
    return new LogUnavailable(
      'Transactions have been open there for half a minute, and the log can be followed once they have ended',
      { cause },
    );
  return busyOr(error);
}
