import type { ByFactor } from '../bulk/job.ts';
import { count } from './format.ts';

/** Second factors by their kind, as in `12 totp, 1 sms`; empty for none. */
export function listFactors(byFactor: ByFactor): string {
  const entries = Object.entries(byFactor).sort(([, a], [, b]) => b - a);
  return entries.map(([factor, people]) => `${count(people)} ${factor}`).join(', ');
}

/** Says of people with a second factor what their sign-in asks for; nothing when there are none. */
export function describeFactors(byFactor: ByFactor): string[] {
  const list = listFactors(byFactor);
  if (list === '') return [];
  return [
    `  second factors: ${list}`,
    '  Codes are not asked for yet: the right password alone signs these people in (see --second-factor)',
  ];
}
