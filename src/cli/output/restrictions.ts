import type { ByFactor, SecondFactorRule } from '../../imports/model.ts';
import { count } from './format.ts';

/** Second factors by their kind, as in `12 totp, 1 sms`; empty for none. */
function listFactors(byFactor: ByFactor): string {
  const entries = Object.entries(byFactor).sort(([, a], [, b]) => b - a);
  return entries.map(([factor, people]) => `${count(people)} ${factor}`).join(', ');
}

const fates: Readonly<Record<SecondFactorRule, string>> = {
  refuse:
    'The core asks for no code: these people are imported and cannot sign in until that is lifted (see --second-factor)',
  flag: 'The core asks for no code: the right password alone signs these people in, unless your app asks (see --second-factor)',
  drop: 'These are forgotten: the right password alone signs these people in (see --second-factor)',
};

/** Lines about the sign-in of users with a second factor; empty without such users. */
export function describeFactors(byFactor: ByFactor, rule: SecondFactorRule): string[] {
  const list = listFactors(byFactor);
  return list === '' ? [] : [`  second factors: ${list}`, `  ${fates[rule]}`];
}
