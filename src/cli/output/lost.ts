import type { ByFactor, SecondFactor, SecondFactorRule } from '../../imports/model.ts';

/** What an import counts of what it does not keep. */
export interface CountedLosses {
  readonly byFactor: ByFactor;
  readonly secondFactor: SecondFactorRule;
  /** Of a core that does not count it: undefined. */
  readonly oddDates: number | undefined;
}

/** Second factors that can be kept, where the file has their secrets. */
const kept: ReadonlySet<SecondFactor> = new Set(['totp', 'backup']);

/**
 * What people of the source have and will not have here, with how many of them have it.
 * A user with two second factors counts for each.
 */
export function lostOf({
  byFactor,
  secondFactor,
  oddDates = 0,
}: CountedLosses): readonly (readonly [number, string])[] {
  const factors = Object.entries(byFactor) as [SecondFactor, number][];
  return [
    ...factors
      .filter(([factor]) => secondFactor === 'drop' || !kept.has(factor))
      .map(([factor, people]) => [people, lostFactor(factor, secondFactor === 'drop')] as const),
    ...(oddDates > 0 ? [[oddDates, oddDate] as const] : []),
  ];
}

function lostFactor(factor: SecondFactor, isDropped: boolean): string {
  const why = isDropped ? 'as --second-factor drop asks' : 'the core has none of this kind';
  return `their second factor (${factor}): ${why}`;
}

const oddDate =
  'odd join dates, before 2000 or in the future: perhaps of another unit than milliseconds; for a future one the time of the import is taken';
