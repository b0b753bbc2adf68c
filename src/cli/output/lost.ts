import { type LossCounter, losses } from '../../domain/jobs/job-fields.ts';
import type { ByFactor, SecondFactor, SecondFactorRule } from '../../imports/model.ts';

/** The losses that an import counts. An older core lacks the newest counters. */
export interface CountedLosses extends Readonly<Partial<Record<LossCounter, number | undefined>>> {
  readonly byFactor: ByFactor;
  readonly secondFactor: SecondFactorRule;
}

/** Second factors that can be imported, if the file has their secrets. */
const kept: ReadonlySet<SecondFactor> = new Set(['totp', 'backup']);

/** What users of the source have and will not have here, with the number of users. A user with two second factors counts for each. */
export function lostOf({
  byFactor,
  secondFactor,
  ...counted
}: CountedLosses): readonly (readonly [number, string])[] {
  const factors = Object.entries(byFactor) as [SecondFactor, number][];
  return [
    ...factors
      .filter(([factor]) => secondFactor === 'drop' || !kept.has(factor))
      .map(([factor, people]) => [people, lostFactor(factor, secondFactor === 'drop')] as const),
    ...losses
      .map(({ counter, text }) => [counted[counter] ?? 0, text] as const)
      .filter(([people]) => people > 0),
  ];
}

function lostFactor(factor: SecondFactor, isDropped: boolean): string {
  const why = isDropped ? 'as --second-factor drop asks' : 'the core has none of this kind';
  return `their second factor (${factor}): ${why}`;
}
