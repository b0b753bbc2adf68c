import type { ByState, SignInState } from '../../imports/model.ts';
import { count } from '../output/format.ts';

const reasons: Readonly<Record<Exclude<SignInState, 'canSignIn' | 'disabled'>, string>> = {
  secondFactor: 'second factor',
  requiredAction: 'required action',
  noCodes: 'email or phone only, no codes are sent',
};

/** Of how many people what is true of their sign-in; nothing where a job has not counted it. */
export function describeStates(byState: ByState = {}): string[] {
  const { canSignIn = 0, disabled = 0 } = byState;
  const waiting = Object.entries(reasons).map(
    ([state, why]) => [byState[state as SignInState] ?? 0, why] as const,
  );
  const cannot = waiting.reduce((sum, [people]) => sum + people, 0);
  if (canSignIn + disabled + cannot === 0) return [];
  const why = waiting
    .filter(([people]) => people > 0)
    .map(([people, reason]) => `${count(people)} ${reason}`);
  const parts = [
    `${count(canSignIn)} can sign in today`,
    ...(cannot > 0 ? [`${count(cannot)} cannot yet (${why.join('; ')})`] : []),
    ...(disabled > 0 ? [`${count(disabled)} disabled`] : []),
  ];
  return [`  ${parts.join(', ')}`];
}

/** For a column of a table: who cannot sign in. */
export function listKeptOut(byState: ByState = {}): string {
  const { canSignIn = 0 } = byState;
  const people = Object.values(byState).reduce((sum, each) => sum + each, 0) - canSignIn;
  return people === 0 ? '-' : count(people);
}
