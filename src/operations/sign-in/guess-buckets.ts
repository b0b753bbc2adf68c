import type { GuessState } from '../ports/guesses.ts';

/** What had too many guesses. */
export type ThrottleRule = 'account' | 'address';

/** A token bucket of `guesses` tokens that regains one every `refillMs`. */
export interface Bucket {
  readonly rule: ThrottleRule;
  readonly key: string;
  readonly guesses: number;
  readonly refillMs: number;
}

/** What a wrong guess adds to the buckets in the database, ms. @param account to that of the account from everywhere */
export function addsOf(buckets: readonly Bucket[], account: number): GuessState {
  const refillOf = (rule: ThrottleRule): number =>
    buckets.find((bucket) => bucket.rule === rule)?.refillMs ?? 0;
  return { pair: refillOf('account'), address: refillOf('address'), account };
}
