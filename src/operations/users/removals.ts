import { Refusal } from '../../domain/errors.ts';

/** The tenant was removed between the request's look-up and its write; nothing was written. */
export function goneTenant(): Refusal {
  return new Refusal('APP_OR_TENANT_NOT_FOUND');
}

/** A user who is removed as often as this during one request is removed by a client that does nothing else. */
const maxRemovals = 100;

/**
 * Places a user and reads it afterwards, and does both again when it was removed in between.
 * @param attempt one time; `undefined` when the user was gone before it was read
 * @throws Refusal OVERLOADED after a hundred removals in a row
 */
export async function untilFound<Result>(attempt: () => Promise<Result | undefined>): Promise<Result> {
  for (let removals = 0; removals < maxRemovals; removals++) {
    const found = await attempt();
    if (found !== undefined) return found;
  }
  throw new Refusal('OVERLOADED', 'The user is removed again and again at the same time: try again later');
}
