import type { ByFactor, SecondFactorRule } from '../../imports/model.ts';
import { count } from '../output/format.ts';

/** Second factors by their kind, as in `12 totp, 1 sms`; empty for none. */
export function listFactors(byFactor: ByFactor): string {
  const entries = Object.entries(byFactor).sort(([, a], [, b]) => b - a);
  return entries.map(([factor, people]) => `${count(people)} ${factor}`).join(', ');
}

const fates: Readonly<Record<SecondFactorRule, string>> = {
  refuse:
    'Codes are not asked for yet: these people are imported and cannot sign in until that is lifted (see --second-factor)',
  flag: 'Codes are not asked for yet: the right password alone signs these people in (see --second-factor)',
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
