/** Counts the outcomes of sign-ins, and returns the share to 0 if more users are refused than before. */
import type { Tenant } from '../../domain/model.ts';
import type { JudgedPassword } from '../../operations/context.ts';
import { type MoveContext, recentMove } from './context.ts';
import type { MoveFacts, Round, Seen } from './model.ts';
import { evidenceOf, showsFault } from './refusals.ts';
import type { Decided } from './store/moves.ts';
import type { Named } from './store/people.ts';
import { noMove, type NoMove, standingOf } from './take-step.ts';

/** A password at the old system, as its app reports it. */
export interface ReportedSignIn extends Named {
  readonly isRight: boolean;
}

/** After the reply, which must not take longer for users who are counted. */
export function watchPassword(context: MoveContext, { tenant, userId, isRight }: JudgedPassword): void {
  if (!context.leading.has(tenant.appNo)) return;
  setImmediate(() => {
    count(context, tenant, { user: userId, isRight }).catch(context.onLost);
  });
}

/** @returns once they are counted */
export async function countReported(
  context: MoveContext,
  tenant: Tenant,
  signIns: readonly ReportedSignIn[],
): Promise<{ readonly status: 'OK' } | NoMove> {
  const move = await recentMove(context, tenant.appNo);
  if (move === undefined || move.stage === 'closed') return noMove;
  await Promise.all(
    signIns.map(({ email, userId, isRight }) =>
      context.stores.outcomes.count({ tenant, user: { email, userId }, isRight }),
    ),
  );
  return { status: 'OK' };
}

async function count(
  context: MoveContext,
  tenant: Tenant,
  outcome: { readonly user: string; readonly isRight: boolean },
): Promise<void> {
  const round = await context.stores.outcomes.count({ tenant, ...outcome });
  if (round !== null && showsFault(round)) await stop(context, tenant);
}

/** Several cores may see it at the same time: one of them takes the step. */
async function stop(context: MoveContext, tenant: Tenant): Promise<void> {
  const decided = await context.stores.moves.step(tenant.appNo, 'core', decide);
  if (decided === undefined || !('to' in decided)) return;
  context.recent.clear();
  await context.leading.refresh();
  await context.onStopped(tenant, decided.seen);
}

function decide({ move, round }: MoveFacts): (Decided & { readonly seen: Seen }) | object {
  if (move.stage !== 'leading' || round === undefined || !showsFault(round)) return {};
  const seen = seenIn(round, move.share);
  return {
    to: { stage: 'following', share: 0 },
    kind: 'stop',
    figures: { from: standingOf(move), ...seen },
    seen,
  } as const;
}

function seenIn(round: Round, share: number): Seen {
  const { users, refused, refusedBefore } = round;
  return { users, refused, refusedBefore, ratio: Math.round(Math.exp(evidenceOf(round))), share };
}
