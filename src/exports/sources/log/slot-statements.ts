/** The statements that read a slot and move it. The publication has its name. */

import type { Statement } from '../engines/engine.ts';
import { type Lsn, lsnText } from './pgoutput.ts';

const options = (name: string): string => `'proto_version', '1', 'publication_names', ${name}`;

/**
 * The messages from the slot's position on, as the column `text`; the position stays.
 * @param most the server stops after a transaction with which it has given this number of messages
 */
export function peeking(name: string, upTo: Lsn, most: number): Statement {
  return {
    text: `select data as text from pg_logical_slot_peek_binary_changes($1, $2::pg_lsn, $3::int, ${options('$4')})`,
    parameters: [name, lsnText(upTo), most, name],
  };
}

/**
 * Moves the slot to a position, but not back.
 * @param version of the server, as `server_version_num` @returns a statement that gives the slot's new place as the column `at`
 */
export function advancing(name: string, to: Lsn, version: number): Statement {
  const behind = 'from pg_replication_slots where slot_name = $1 and confirmed_flush_lsn < $2::pg_lsn';
  const parameters = [name, lsnText(to)];
  if (version >= 110_000)
    return {
      text: `select (pg_replication_slot_advance(slot_name, $2::pg_lsn)).end_lsn::text as at ${behind}`,
      parameters,
    };
  // PostgreSQL 10 moves a slot by reading it, to the end of a record. The list is computed after the changes were counted.
  return {
    text: `select (select confirmed_flush_lsn::text from pg_replication_slots where slot_name = $1) as at, count(*)
      from (select slot_name ${behind}) s,
        lateral pg_logical_slot_get_binary_changes(s.slot_name, $2::pg_lsn, null, ${options('$3')}) c`,
    parameters: [...parameters, name],
  };
}
