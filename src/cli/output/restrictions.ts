import type { ByState, SignInState, ByFactor, SecondFactorRule } from '../../imports/model.ts';
import { count } from './format.ts';

const reasons: Readonly<Record<Exclude<SignInState, 'canSignIn' | 'disabled'>, string>> = {
  secondFactor: 'second factor',
  requiredAction: 'required action',
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

/** Second factors by their kind, as in `12 totp, 1 sms`; empty for none. */
export function listFactors(byFactor: ByFactor): string {
  const entries = Object.entries(byFactor).sort(([, a], [, b]) => b - a);
  return entries.map(([factor, people]) => `${count(people)} ${factor}`).join(', ');
}

const fates: Readonly<Record<SecondFactorRule, string>> = {
  refuse:
    'The core asks for no code: these people are imported and cannot sign in until that is lifted (see --second-factor)',
  flag: 'The core asks for no code: the right password alone signs these people in, unless your app asks (see --second-factor)',
  drop: 'These are forgotten: the right password alone signs these people in (see --second-factor)',
};

/** Says of people with a second factor what becomes of their sign-in; nothing when there are none. */
export function describeFactors(byFactor: ByFactor, rule: SecondFactorRule): string[] {
  const list = listFactors(byFactor);
  return list === '' ? [] : [`  second factors: ${list}`, `  ${fates[rule]}`];
}

/** Warns of join dates that can hardly be true; nothing when there are none. */
export function describeOddDates(oddDates = 0): string[] {
  if (oddDates === 0) return [];
  return [
    `  odd join dates: ${count(oddDates)}`,
    '  They are before 2000 or in the future, so perhaps of another unit than milliseconds; for a future one the time of the import is taken',
  ];
}
