/** Steps of a move: start, next, back, close. */
import type { Tenant } from '../../domain/model.ts';
import type { MoveContext } from './context.ts';
import type { Move, MoveFacts, MoveSource, Objection, Standing } from './model.ts';
import { objectionsTo } from './objections.ts';
import { refusedBeforeOf } from './refusals.ts';
import { setHashRule } from './second-hash.ts';
import { destination, isNoStep, stepsTo, type Wanted } from './steps.ts';

export interface StepInput extends Wanted {
  readonly dryRun?: boolean | undefined;
  readonly revision?: number | undefined;
  /** Percent. */
  readonly refusedBefore?: number | undefined;
}

export interface NoMove {
  readonly status: 'NO_MOVE_ERROR';
}

/** What a step did, or would do. */
export interface StepTaken extends Standing {
  readonly status: 'OK';
  readonly dryRun: boolean;
  readonly from: Standing;
  /** One sentence each. */
  readonly steps: readonly string[];
  /** Of a dry run; empty for a step that was taken. */
  readonly objections: readonly Objection[];
}

export type StepAnswer =
  | StepTaken
  | NoMove
  | { readonly status: 'NO_SUCH_STEP_ERROR'; readonly message: string; readonly cure: string }
  | { readonly status: 'MOVE_CHANGED_ERROR'; readonly revision: number }
  | {
      readonly status: 'STEP_REFUSED_ERROR';
      readonly steps: readonly string[];
      readonly objections: readonly Objection[];
    };

export const noMove: NoMove = { status: 'NO_MOVE_ERROR' };

export type StartAnswer =
  | { readonly status: 'OK' }
  | { readonly status: 'MOVE_EXISTS_ERROR'; readonly source: MoveSource }
  | { readonly status: 'UNKNOWN_SOURCE_ERROR'; readonly labels: readonly string[] };

/** @param actor the name of the key */
export async function startMove(
  { stores: { moves }, recent }: MoveContext,
  { appNo }: Tenant,
  source: MoveSource,
  actor: string,
): Promise<StartAnswer> {
  const labels = await moves.labels(appNo);
  if (labels.length > 0 && !labels.includes(source.label)) return { status: 'UNKNOWN_SOURCE_ERROR', labels };
  const isStarted = await moves.start(appNo, source, actor);
  recent.clear();
  if (isStarted) return { status: 'OK' };
  const open = await moves.current(appNo);
  return { status: 'MOVE_EXISTS_ERROR', source: open?.source ?? source };
}

/** @param actor the name of the key */
export async function takeStep(
  context: MoveContext,
  tenant: Tenant,
  input: StepInput,
  actor: string,
): Promise<StepAnswer> {
  const { stores, recent, leading, cancelJob } = context;
  const { moves, journal } = stores;
  const { appNo } = tenant;
  const refused = await noteChanges(context, tenant, input);
  if (refused !== undefined) return refused;
  const decided = await moves.step(appNo, actor, (facts) => decide(facts, input));
  if (decided === undefined) return noMove;
  recent.clear();
  stores.hashRules.forget(appNo);
  await leading.refresh();
  if ('to' in decided && (decided.to.stage === 'rehearsing' || decided.to.stage === 'closed')) {
    // The step has ended the leases; what their holders still send is refused.
    for (const jobId of decided.jobs) await cancelJob(tenant, jobId);
    await journal.tidy(appNo);
  }
  return decided.answer;
}

/**
 * Before a step into leading: changes are noted before the first user signs in here. Outside of the step's transaction, because
 * each lock is held for a moment only.
 */
async function noteChanges(
  context: MoveContext,
  tenant: Tenant,
  input: StepInput,
): Promise<StepAnswer | undefined> {
  const { appNo } = tenant;
  if (input.dryRun === true || input.verb !== 'next') return undefined;
  const { moves, journal } = context.stores;
  const facts = await moves.facts(appNo);
  if (facts === undefined) return undefined;
  const { answer } = decide(facts, { ...input, dryRun: true });
  if (answer.status !== 'OK' || answer.stage !== 'leading' || answer.objections.length > 0) return undefined;
  if (await journal.raise(appNo, facts.move.moveNo)) {
    await setHashRule(context, tenant, facts.move);
    return undefined;
  }
  const message = 'The tables of users were locked for half a minute, so changes here cannot be noted yet';
  const cure = 'Let imports and other long transactions end, and take the step again';
  return {
    status: 'STEP_REFUSED_ERROR',
    steps: answer.steps,
    objections: [{ code: 'TABLES_BUSY', message, cure }],
  };
}

interface Decision {
  readonly answer: StepAnswer;
}

interface Taken extends Decision {
  readonly to: Standing;
  readonly figures: object;
  readonly refusedBefore: number | undefined;
  /** Imports that the holders of leases have sent, or are sending. */
  readonly jobs: readonly string[];
}

function decide(facts: MoveFacts, input: StepInput): Decision | Taken {
  const { move } = facts;
  const { dryRun = false, revision = move.revision } = input;
  if (revision !== move.revision)
    return { answer: { status: 'MOVE_CHANGED_ERROR', revision: move.revision } };
  const to = destination(move, input);
  if (isNoStep(to)) return { answer: { status: 'NO_SUCH_STEP_ERROR', ...to } };
  const refusedBefore = refusedBeforeIn(facts, input);
  const objections = objectionsTo(to, facts, refusedBefore);
  const steps = stepsTo(to, move);
  const answer = { status: 'OK', dryRun, from: standingOf(move), ...to, steps, objections } as const;
  if (dryRun) return { answer };
  if (objections.length > 0) return { answer: { status: 'STEP_REFUSED_ERROR', steps, objections } };
  const jobs = Object.values(facts.leases).flatMap(({ jobId }) => jobId ?? []);
  return { answer, to, figures: figuresOf(facts, refusedBefore), refusedBefore, jobs };
}

/** 0 to 1: as stated, or else by the sign-ins at the old system. */
function refusedBeforeIn({ before }: MoveFacts, { refusedBefore }: StepInput): number | undefined {
  return refusedBefore === undefined ? refusedBeforeOf(before) : refusedBefore / 100;
}

/** What the step was decided by. */
function figuresOf(
  { move, reports: { comparison }, leases, round }: MoveFacts,
  refusedBefore: number | undefined,
): object {
  return {
    from: standingOf(move),
    ...(comparison && { comparedAt: comparison.at, unexplained: comparison.figures.unexplained }),
    ...(leases.follow?.lagMs !== undefined && { followLagMs: leases.follow.lagMs }),
    ...(leases['write-back']?.lagMs !== undefined && { writeBackLagMs: leases['write-back'].lagMs }),
    ...(refusedBefore !== undefined && { refusedBefore }),
    ...(round && { users: round.users, refused: round.refused }),
  };
}

export function standingOf({ stage, share }: Move): Standing {
  return { stage, share };
}
