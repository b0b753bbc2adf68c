import type { Move } from './model.ts';
import { isForAll, isInShare } from './share.ts';

/** Which system signs users in, and takes sign-ups. */
export interface Instruction {
  readonly signIn: 'old' | 'here';
  readonly signUp: 'old' | 'here';
  /** For logs; apps obey the other two. */
  readonly reason:
    'NO_MOVE' | 'REHEARSING' | 'FOLLOWING' | 'IN_SHARE' | 'NOT_IN_SHARE' | 'CLOSED' | 'ABANDONED';
}

/**
 * A user signs up where the user will sign in, so both are the same.
 * @param personOf is called only while the answer depends on the person
 */
export async function instruct(
  move: Move | undefined,
  personOf: () => Promise<string>,
): Promise<Instruction> {
  if (move === undefined) return of('old', 'NO_MOVE');
  if (move.stage === 'rehearsing') return of('old', 'REHEARSING');
  if (move.stage === 'following') return of('old', 'FOLLOWING');
  if (move.stage === 'closed') return move.share > 0 ? of('here', 'CLOSED') : of('old', 'ABANDONED');
  const person = isForAll(move) ? '' : await personOf();
  return isInShare(move, person) ? of('here', 'IN_SHARE') : of('old', 'NOT_IN_SHARE');
}

function of(leads: 'old' | 'here', reason: Instruction['reason']): Instruction {
  return { signIn: leads, signUp: leads, reason };
}
