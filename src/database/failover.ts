import type { Query } from './query.ts';

/**
 * What a failover to a standby would lose of what was acknowledged:
 *
 *   SYNCHRONOUS      nothing: a commit waits until a standby has it on disk
 *   WAITING          nothing, but no commit is answered: no standby that commits wait for is connected
 *   ASYNCHRONOUS     the last commits: a standby receives them after they were acknowledged
 *   NO_STANDBY       PostgreSQL has no standby, or one that it does not know, such as a copy of the disk
 */
export type FailoverState = 'SYNCHRONOUS' | 'WAITING' | 'ASYNCHRONOUS' | 'NO_STANDBY';

export interface Failover {
  readonly state: FailoverState;
  /** Connected standbys, with tools that receive the log. */
  readonly standbys: number;
  /** Bytes of the log that the slowest of them has not on disk; undefined without the right to see it. */
  readonly lagBytes: number | undefined;
  readonly synchronousCommit: string;
  readonly synchronousStandbyNames: string;
}

/** States that an operator should change: acknowledged writes may be lost, or are not answered. */
export const failoversToMend: ReadonlySet<FailoverState> = new Set(['ASYNCHRONOUS', 'WAITING']);

interface Row {
  readonly commit: string;
  readonly names: string;
  readonly standbys: number;
  readonly synchronous: number;
  readonly lag: number | null;
  readonly is_visible: boolean;
}

/**
 * Without pg_read_all_stats a role sees that a process sends the log, but not the receiver. A logical replication slot is known by its
 * process; a backup has a state. `pg_current_wal_flush_lsn` fails on a standby.
 */
const look = `
  select current_setting('synchronous_commit') as commit, current_setting('synchronous_standby_names') as names,
    count(r.pid)::int as standbys,
    (count(*) filter (where r.sync_state in ('sync', 'quorum')))::int as synchronous,
    max(case when not pg_is_in_recovery() then pg_wal_lsn_diff(pg_current_wal_flush_lsn(), r.flush_lsn) end)::bigint as lag,
    pg_has_role('pg_read_all_stats', 'usage') as is_visible
  from (values (1)) one left join pg_stat_replication r
    on r.state is distinct from 'backup'
    and not exists (select from pg_replication_slots s where s.active_pid = r.pid and s.slot_type = 'logical')`;

/** Values of synchronous_commit with which a commit waits until the log is on a standby's disk (PostgreSQL 18 manual, 19.5.1). */
const waitsForDisk: ReadonlySet<string> = new Set(['on', 'remote_apply']);

/** @throws the driver's errors */
export async function readFailover(read: Query): Promise<Failover> {
  const [row] = await read<Row>(look);
  if (row === undefined) throw new Error('a query for one row returned none');
  const { commit, names, standbys, lag } = row;
  return {
    state: stateOf(row),
    standbys,
    lagBytes: lag ?? undefined,
    synchronousCommit: commit,
    synchronousStandbyNames: names,
  };
}

function stateOf({ commit, names, standbys, synchronous, is_visible: isVisible }: Row): FailoverState {
  const isSynchronous = names.trim() !== '' && waitsForDisk.has(commit);
  if (isSynchronous && (isVisible ? synchronous : standbys) === 0) return 'WAITING';
  if (isSynchronous) return 'SYNCHRONOUS';
  return standbys === 0 ? 'NO_STANDBY' : 'ASYNCHRONOUS';
}

/** A sentence without its full stop, with the cure where there is one. */
export function failoverInWords(failover: Failover): string {
  const { state, synchronousCommit, synchronousStandbyNames, lagBytes } = failover;
  switch (state) {
    case 'SYNCHRONOUS':
      return 'A failover to a synchronous standby loses nothing that was acknowledged';
    case 'WAITING':
      return `No standby of synchronous_standby_names ('${synchronousStandbyNames}') is connected, so no commit is answered: start one, or shorten the list`;
    case 'NO_STANDBY':
      return 'No standby is connected: without this server there is the last backup, and what else its operator has';
    case 'ASYNCHRONOUS': {
      const lag = lagBytes === undefined ? '' : `, at the moment ${lagBytes} bytes of the log`;
      const cure =
        synchronousStandbyNames.trim() === ''
          ? 'set synchronous_standby_names (Patroni: synchronous_mode)'
          : `set synchronous_commit to on: it is ${synchronousCommit}`;
      return `A failover loses acknowledged sign-ups and imports that the standby has not received yet${lag}: ${cure}`;
    }
  }
}
