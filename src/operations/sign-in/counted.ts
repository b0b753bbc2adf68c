import { Refusal } from '../../domain/errors.ts';
import type { Operations } from '../operations.ts';

type Result = Awaited<ReturnType<Operations['passwords']['signIn']>>;
type SignInOutcome =
  (typeof outcomes)[Result['status']] | 'moved' | 'legacy_wrong' | ReturnType<typeof outcomeOfError>;

interface Counting {
  signIn(outcome: SignInOutcome): void;
}

/** Counts sign-ins by password. An unknown email counts as a wrong password, which is also its answer. */
export function countingSignIns(operations: Operations, metrics: Counting): Operations {
  const { passwords } = operations;
  const signIn: typeof passwords.signIn = async (tenant, input, caller) => {
    let verdict: boolean | undefined;
    const onOldSystem = (isRight: boolean): void => {
      verdict = isRight;
    };
    try {
      const result = await passwords.signIn(tenant, input, { ...caller, onOldSystem });
      metrics.signIn(outcomeOf(result, verdict));
      return result;
    } catch (error) {
      metrics.signIn(outcomeOfError(error));
      throw error;
    }
  };
  return { ...operations, passwords: { ...passwords, signIn } };
}

const outcomes = {
  OK: 'ok',
  WRONG_CREDENTIALS_ERROR: 'wrong',
  SIGN_IN_RESTRICTED_ERROR: 'restricted',
} as const satisfies Record<Result['status'], string>;

/** @param verdict of the old system that was asked */
function outcomeOf({ status }: Result, verdict: boolean | undefined): SignInOutcome {
  if (status === 'OK' && verdict === true) return 'moved';
  if (status === 'WRONG_CREDENTIALS_ERROR' && verdict === false) return 'legacy_wrong';
  return outcomes[status];
}

/** refused: by overload, or because the database is away. */
function outcomeOfError(error: unknown) {
  if (!(error instanceof Refusal)) return 'failed';
  if (error.code === 'LEGACY_UNAVAILABLE') return 'legacy_unavailable';
  return error.code === 'TOO_MANY_GUESSES' ? 'throttled' : 'refused';
}
