import type { Database, Query } from '../../../database/database.ts';
import type { Figures, Move, MoveEvent, MoveFacts, MoveSource, ReportKind, Standing } from '../model.ts';
import { dropJournal } from './journal.ts';
import { currentMove, factsOf, historyOf, notedSince, numberOfStage } from './rows.ts';

/** A step that was decided with the move locked. */
export interface Decided {
  readonly to: Standing;
  readonly figures: Figures;
  /** For a step into the stage leading. */
  readonly refusedBefore?: number | undefined;
  /** Default: step. */
  readonly kind?: 'step' | 'stop';
}

/** An app that is being removed gets no move. */
const start = `
  insert into moves (app_no, move_no, system, address, label)
  select a.app_no, coalesce((select max(m.move_no) from moves m where m.app_no = a.app_no), 0) + 1, $2::text, $3::text, $4::text
  from (select a.app_no from apps a where a.app_no = $1::int for key share) a
  on conflict do nothing
  returning move_no as "moveNo"`;

const newRound = `
  insert into move_rounds (app_no, move_no, round, refused_before)
  select $1::int, $2::int, coalesce(max(r.round) + 1, 0), $3::float8 from move_rounds r
  where r.app_no = $1 and r.move_no = $2`;

const change = `
  update moves set stage = $3::smallint, share = $4::smallint, revision = revision + 1, stage_at = clock_ms()
  where app_no = $1::int and move_no = $2::int`;

/** Positions stay, for when the stage comes again. */
const endLeases = `
  update move_leases set leased_until = 0, fence = fence + 1 where app_no = $1::int and move_no = $2::int`;

/** The move is locked, so events of one move are numbered one after the other. */
const event = `
  insert into move_events (app_no, move_no, event_no, actor, kind, stage, share, figures)
  select $1::int, $2::int, coalesce(max(e.event_no) + 1, 1), $3::text, $4::text, $5::smallint, $6::smallint, $7::text::jsonb
  from move_events e where e.app_no = $1 and e.move_no = $2`;

/** Labels of imports that are done. */
const labels = `
  select distinct j.source as label from import_jobs j
  where j.app_no = $1::int and j.state = 2 and not j.dry_run order by 1`;

/** One move of an app. */
export function moveStore({ read, transaction }: Pick<Database, 'read' | 'transaction'>) {
  return {
    current: (appNo: number) => currentMove(read, appNo),

    /** @returns undefined without a move */
    async facts(appNo: number): Promise<MoveFacts | undefined> {
      const move = await currentMove(read, appNo);
      return move && factsOf(read, appNo, move);
    },

    history: (appNo: number, move: Pick<Move, 'moveNo'>, limit: number) =>
      historyOf(read, appNo, move, limit),

    /** When the journal began; undefined for a move that notes nothing. */
    notedSince: (appNo: number, move: Move) => notedSince(read, appNo, move),

    labels: async (appNo: number): Promise<readonly string[]> =>
      (await read<{ label: string }>(labels, [appNo])).map(({ label }) => label),

    /** @returns whether it is started; else another one is open */
    start: (appNo: number, { system, address, label }: MoveSource, actor: string): Promise<boolean> =>
      transaction(async (query) => {
        const [started] = await query<Pick<Move, 'moveNo'>>(start, [appNo, system, address ?? null, label]);
        if (started === undefined) return false;
        const at: Standing = { stage: 'rehearsing', share: 0 };
        await query(newRound, [appNo, started.moveNo, null]);
        await addEvent(query, appNo, started, {
          ...at,
          actor,
          kind: 'start',
          figures: { system, address, label },
        });
        return true;
      }),

    /**
     * Takes the step that `decide` returns, with the move locked: no other step, report or claim is in between.
     * @returns what `decide` returned; undefined without a move
     */
    step: <Decision extends Decided | object>(
      appNo: number,
      actor: string,
      decide: (facts: MoveFacts) => Decision,
    ): Promise<Decision | undefined> =>
      transaction(async (query) => {
        const move = await currentMove(query, appNo, 'step');
        if (move === undefined) return undefined;
        const decision = decide(await factsOf(query, appNo, move));
        if ('to' in decision) await take(query, appNo, move, { actor, ...decision });
        return decision;
      }),

    /** @returns false without an open move */
    report: (appNo: number, kind: ReportKind, figures: Figures, actor: string): Promise<boolean> =>
      transaction(async (query) => {
        const move = await currentMove(query, appNo, 'step');
        if (move === undefined || move.stage === 'closed') return false;
        const { stage, share } = move;
        await addEvent(query, appNo, move, { stage, share, actor, kind, figures });
        return true;
      }),
  };
}

export type MoveStore = ReturnType<typeof moveStore>;

async function addEvent(
  query: Query,
  appNo: number,
  { moveNo }: Pick<Move, 'moveNo'>,
  added: Omit<MoveEvent, 'at'>,
): Promise<void> {
  const { actor, kind, stage, share, figures } = added;
  await query(event, [appNo, moveNo, actor, kind, numberOfStage(stage), share, JSON.stringify(figures)]);
}

async function take(
  query: Query,
  appNo: number,
  move: Move,
  { to, figures, refusedBefore, actor, kind = 'step' }: Decided & { readonly actor: string },
): Promise<void> {
  const of = [appNo, move.moveNo] as const;
  await query(change, [...of, numberOfStage(to.stage), to.share]);
  if (to.stage === 'leading' && move.stage !== 'leading')
    await query(newRound, [...of, refusedBefore ?? null]);
  if (to.stage === 'rehearsing') await query(endLeases, of);
  if (to.stage === 'rehearsing' || to.stage === 'closed') await dropJournal(query, appNo, move);
  if (to.stage === 'closed') {
    await query('delete from move_leases where app_no = $1::int and move_no = $2::int', of);
    await query('delete from move_outcomes where app_no = $1::int and move_no = $2::int', of);
  }
  await addEvent(query, appNo, move, { ...to, actor, kind, figures });
}
