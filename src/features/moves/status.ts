import type { Tenant } from '../../domain/model.ts';
import type { MoveContext } from './context.ts';
import type {
  Lease,
  MoveEvent,
  MoveFacts,
  MoveSource,
  Objection,
  ReportKind,
  Standing,
  Tally,
  Waiting,
} from './model.ts';
import { objectionsTo } from './objections.ts';
import { refusedBeforeOf } from './refusals.ts';
import { destination, isNoStep } from './steps.ts';
import { noMove, type NoMove } from './take-step.ts';

/** Entries of the history in a status. */
const shownEvents = 50;

export interface MoveStatus extends Standing {
  readonly status: 'OK';
  readonly moveNo: number;
  readonly source: MoveSource;
  readonly revision: number;
  readonly startedAt: number;
  readonly stageAt: number;
  readonly now: number;
  readonly processes: readonly ShownLease[];
  readonly reports: Readonly<Partial<Record<ReportKind, Pick<MoveEvent, 'at' | 'figures'>>>>;
  /** Of users at the old system, and of those who have signed in here in this stage. */
  readonly refusals: { readonly before: Tally; readonly here?: Tally & { readonly refusedBefore: number } };
  /** When what changes here began to be noted, ms since the epoch; left out before a share, and after the move. */
  readonly notedSince?: number | undefined;
  /** Changes here that are not in the old system yet. */
  readonly waiting: Waiting;
  /** Against the usual next step. */
  readonly objections: readonly Objection[];
  /** Newest first. */
  readonly history: readonly MoveEvent[];
}

/** Without the position and the fence, which are its holder's. */
type ShownLease = Omit<Lease, 'position' | 'fence' | 'jobId'>;

export async function statusOf(
  { stores: { moves } }: MoveContext,
  { appNo }: Tenant,
): Promise<MoveStatus | NoMove> {
  const facts = await moves.facts(appNo);
  if (facts === undefined) return noMove;
  const [history, notedSince] = await Promise.all([
    moves.history(appNo, facts.move, shownEvents),
    moves.notedSince(appNo, facts.move),
  ]);
  return shown(facts, { history, notedSince });
}

function shown(
  facts: MoveFacts,
  { history, notedSince }: Pick<MoveStatus, 'history' | 'notedSince'>,
): MoveStatus {
  const { move, reports, leases, before, round, waiting, now } = facts;
  const { moveNo, source, stage, share, revision, startedAt, stageAt } = move;
  const to = destination(move, { verb: share === 100 ? 'close' : 'next' });
  const shownReports = Object.entries(reports).map(([kind, { at, figures }]) => [kind, { at, figures }]);
  return {
    status: 'OK',
    moveNo,
    source,
    stage,
    share,
    revision,
    startedAt,
    stageAt,
    now,
    processes: Object.values(leases).map(withoutPosition),
    reports: Object.fromEntries(shownReports) as MoveStatus['reports'],
    refusals: { before, ...(round && stage === 'leading' && { here: hereOf(round) }) },
    notedSince,
    waiting,
    objections: isNoStep(to) ? [] : objectionsTo(to, facts, refusedBeforeOf(before)),
    history,
  };
}

function withoutPosition({ role, holder, leasedUntil, isHeld, lagMs, lagRecords }: Lease): ShownLease {
  return { role, holder, leasedUntil, isHeld, lagMs, lagRecords };
}

function hereOf({ users, refused, refusedBefore }: NonNullable<MoveFacts['round']>) {
  return { users, refused, refusedBefore };
}
