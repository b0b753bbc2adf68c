/**
 * The test that stops a share by itself: are more users refused than before?
 *
 * A user counts once in a round, when the first right password arrives (right) or the second wrong one in a row (refused). So a
 * typing error does not count, and a user who tries a hundred times counts as much as any other.
 *
 * The test is Wald's sequential probability ratio test (A. Wald, Sequential Tests of Statistical Hypotheses, Ann. Math. Statist.
 * 16, 1945) of "as many as before" against "3 % of the users more", without the bound at which Wald accepts the first one: the
 * move goes on for as long as nothing is seen. By Ville's inequality (Étude critique de la notion de collectif, 1939) the ratio
 * ever reaches 1/α with a probability of at most α, however often it is looked at.
 */
import type { Round, Tally } from './model.ts';

/** The part of users with a fault that the test looks for. */
const sought = 0.03;
/** Of the test. The estimate of `refusedBefore` may err as often, so at most 1 in 100 moves without a fault stops. */
const errorRate = 0.005;
/** Quantile of the normal distribution for an error rate of 0.005 on one side. */
const quantile = 2.576;
/** An estimate from fewer users is too rough to find 3 %. */
export const leastUsersBefore = 300;
/** Without a floor the first refusal would stop a move whose users were never refused. */
const bounds = { least: 0.001, most: 0.5 } as const;

/** @returns ln of how much more likely the outcomes are with a fault than without */
export function evidenceOf({ users, refused, refusedBefore }: Omit<Round, 'round'>): number {
  const before = bounded(refusedBefore);
  const withFault = before + sought * (1 - before);
  const right = users - refused;
  return refused * Math.log(withFault / before) + right * Math.log((1 - withFault) / (1 - before));
}

export function showsFault(round: Omit<Round, 'round'>): boolean {
  return evidenceOf(round) >= -Math.log(errorRate);
}

/**
 * Upper bound of the part of users who are refused without a fault, by Wilson's score interval (E. B. Wilson, J. Amer. Statist.
 * Assoc. 22, 1927).
 * @returns undefined for too few users
 */
export function refusedBeforeOf({ users, refused }: Tally): number | undefined {
  if (users < leastUsersBefore) return undefined;
  const part = refused / users;
  const square = quantile ** 2;
  const middle = part + square / (2 * users);
  const width = quantile * Math.sqrt((part * (1 - part)) / users + square / (4 * users ** 2));
  return (middle + width) / (1 + square / users);
}

function bounded(part: number): number {
  return Math.min(Math.max(part, bounds.least), bounds.most);
}
