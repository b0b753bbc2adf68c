import { Refusal } from '../../domain/errors.ts';

/** The tenant was removed after the request looked it up; nothing was written. */
export function goneTenant(): Refusal {
  return new Refusal('APP_OR_TENANT_NOT_FOUND');
}

/** So many removals during one request come from a client that does nothing else. */
const maxRemovals = 100;

/**
 * Stores a user and reads it, and repeats both if the user was removed in between.
 * @param attempt resolves with undefined if the user was removed before it was read
 * @throws Refusal OVERLOADED after a hundred removals in a row
 */
export async function untilFound<Result>(attempt: () => Promise<Result | undefined>): Promise<Result> {
  for (let removals = 0; removals < maxRemovals; removals++) {
    const found = await attempt();
    if (found !== undefined) return found;
  }
  throw new Refusal('OVERLOADED', 'The user is removed again and again at the same time: try again later');
}
