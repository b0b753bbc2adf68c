/** Rows of the tables of moves, and what they mean. */
import type { Query } from '../../../database/database.ts';
import {
  type Lease,
  type Move,
  type MoveEvent,
  type MoveFacts,
  type ReportKind,
  reportKinds,
  type Role,
  roles,
  type Round,
  stages,
  type Stage,
  type Tally,
  type Waiting,
} from '../model.ts';
import { nowMs } from '../../../store/clock.ts';

interface MoveRow extends Omit<Move, 'stage' | 'source'> {
  readonly stage: number;
  readonly system: string;
  readonly address: string | null;
  readonly label: string;
}

/** The current move of an app. @param lock a locking clause, or nothing */
const current = (lock: string): string => `
  select move_no as "moveNo", system, address, label, stage, share, revision, share_key::text as "shareKey",
    started_at as "startedAt", stage_at as "stageAt"
  from moves where app_no = $1::int order by app_no, move_no desc limit 1 ${lock}`;

/** `step` waits for processes that use the move, and they for it; `use` waits for steps alone. */
const locks = { none: '', use: 'for share', step: 'for no key update' } as const;

export async function currentMove(
  query: Query,
  appNo: number,
  lock: keyof typeof locks = 'none',
): Promise<Move | undefined> {
  const [row] = await query<MoveRow>(current(locks[lock]), [appNo]);
  if (row === undefined) return undefined;
  const { system, address, label, stage, ...rest } = row;
  return { ...rest, stage: stageOf(stage), source: { system, address: address ?? undefined, label } };
}

export function stageOf(number: number): Stage {
  const stage = stages[number - 1];
  if (stage === undefined) throw new Error('a move is in an unknown stage');
  return stage;
}

export const numberOfStage = (stage: Stage): number => stages.indexOf(stage) + 1;
export const numberOfRole = (role: Role): number => roles.indexOf(role) + 1;

interface EventRow extends Omit<MoveEvent, 'stage'> {
  readonly stage: number;
}

const asEvent = ({ stage, ...rest }: EventRow): MoveEvent => ({ ...rest, stage: stageOf(stage) });
const eventColumns = 'e.at, e.actor, e.kind, e.stage, e.share, e.figures';

const history = `
  select ${eventColumns} from move_events e where e.app_no = $1::int and e.move_no = $2::int
  order by e.event_no desc limit $3::int`;

/** Newest first. */
export async function historyOf(
  query: Query,
  appNo: number,
  { moveNo }: Pick<Move, 'moveNo'>,
  limit: number,
): Promise<MoveEvent[]> {
  return (await query<EventRow>(history, [appNo, moveNo, limit])).map(asEvent);
}

/** Since when what changes here is noted: since the first share after the last rehearsal. */
const noted = `
  select min(e.at) as since from move_events e
  where e.app_no = $1::int and e.move_no = $2::int and e.stage = 3 and e.event_no > coalesce(
    (select max(r.event_no) from move_events r where r.app_no = $1 and r.move_no = $2 and r.stage = 1), 0)`;

/** @returns ms since the epoch; undefined for a move that notes nothing */
export async function notedSince(query: Query, appNo: number, move: Move): Promise<number | undefined> {
  if (move.stage === 'rehearsing' || move.stage === 'closed') return undefined;
  const [row] = await query<{ since: number | null }>(noted, [appNo, move.moveNo]);
  return row?.since ?? undefined;
}

const lastReports = `
  select distinct on (e.kind) ${eventColumns} from move_events e
  where e.app_no = $1::int and e.move_no = $2::int and e.kind in (${reportKinds.map((kind) => `'${kind}'`).join(', ')})
  order by e.kind, e.event_no desc`;

interface LeaseRow {
  readonly role: number;
  readonly fence: number;
  readonly holder: string;
  readonly leased_until: number;
  readonly is_held: boolean;
  readonly position: string | null;
  readonly lag_ms: number | null;
  readonly lag_records: number | null;
  readonly job_id: string | null;
}

const leases = `
  select l.role, l.fence, l.holder, l.leased_until, l.leased_until > ${nowMs} as is_held, l.position, l.lag_ms, l.lag_records,
    l.job_id
  from move_leases l where l.app_no = $1::int and l.move_no = $2::int`;

export async function leasesOf(
  query: Query,
  appNo: number,
  { moveNo }: Pick<Move, 'moveNo'>,
): Promise<MoveFacts['leases']> {
  const rows = await query<LeaseRow>(leases, [appNo, moveNo]);
  return Object.fromEntries(rows.map(asLease).map((lease) => [lease.role, lease]));
}

function asLease({ role: number, ...row }: LeaseRow): Lease {
  const role = roles[number - 1];
  if (role === undefined) throw new Error('a lease has an unknown role');
  return {
    role,
    fence: row.fence,
    holder: row.holder,
    leasedUntil: row.leased_until,
    isHeld: row.is_held,
    position: row.position ?? undefined,
    lagMs: row.lag_ms ?? undefined,
    lagRecords: row.lag_records ?? undefined,
    jobId: row.job_id ?? undefined,
  };
}

interface RoundRow extends Tally {
  readonly round: number;
  readonly refused_before: number | null;
}

const rounds = `
  select r.round, r.refused_before, r.users, r.refused from move_rounds r
  where r.app_no = $1::int and r.move_no = $2::int order by r.round`;

const waiting = `
  select count(distinct c.user_id) filter (where c.conflict is null)::int as users,
    count(distinct c.user_id) filter (where c.conflict is not null)::int as conflicts,
    min(c.at) filter (where c.conflict is null) as since
  from move_changes c where c.app_no = $1::int and c.move_no = $2::int`;

async function waitingOf(query: Query, [appNo, moveNo]: readonly [number, number]): Promise<Waiting> {
  const [row] = await query<Waiting>(waiting, [appNo, moveNo]);
  return row ?? { users: 0, conflicts: 0, since: null };
}

/** Everything that a step depends on. */
export async function factsOf(query: Query, appNo: number, move: Move): Promise<MoveFacts> {
  const of = [appNo, move.moveNo] as const;
  const reports = await query<EventRow>(lastReports, of);
  const counted = await query<RoundRow>(rounds, of);
  const [clock] = await query<{ now: number }>(`select ${nowMs} as now`);
  return {
    move,
    reports: Object.fromEntries(reports.map((row) => [row.kind as ReportKind, asEvent(row)])),
    leases: await leasesOf(query, appNo, move),
    before: counted.find(({ round }) => round === 0) ?? { users: 0, refused: 0 },
    round: counted
      .filter(({ round }) => round > 0)
      .map(asRound)
      .at(-1),
    waiting: await waitingOf(query, of),
    now: clock?.now ?? 0,
  };
}

function asRound({ refused_before: before, ...row }: RoundRow): Round {
  return { ...row, refusedBefore: before ?? 0 };
}
