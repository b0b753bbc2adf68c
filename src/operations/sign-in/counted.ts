import { Refusal } from '../../domain/errors.ts';
import type { Operations } from '../operations.ts';

/** refused: overload, or the database or an old system is away. */
type SignInOutcome = 'ok' | 'wrong' | 'restricted' | 'throttled' | 'refused' | 'failed';

interface Counting {
  signIn(outcome: SignInOutcome): void;
}

/** Operations whose sign-ins by password are counted. An unknown email counts as a wrong password, as it is answered. */
export function countingSignIns(operations: Operations, metrics: Counting): Operations {
  const { passwords } = operations;
  const signIn: typeof passwords.signIn = async (tenant, input, caller) => {
    try {
      const result = await passwords.signIn(tenant, input, caller);
      metrics.signIn(outcomes[result.status]);
      return result;
    } catch (error) {
      metrics.signIn(outcomeOf(error));
      throw error;
    }
  };
  return { ...operations, passwords: { ...passwords, signIn } };
}

const outcomes = {
  OK: 'ok',
  WRONG_CREDENTIALS_ERROR: 'wrong',
  SIGN_IN_RESTRICTED_ERROR: 'restricted',
} as const satisfies Record<string, SignInOutcome>;

function outcomeOf(error: unknown): SignInOutcome {
  if (!(error instanceof Refusal)) return 'failed';
  return error.code === 'TOO_MANY_GUESSES' ? 'throttled' : 'refused';
}
