/** Whom a record means. */

import type { HeldUser } from './holders.ts';
import { differentPerson, externalIdIsCoreId, takenBy } from './obstacles.ts';
import type { Obstacle } from './obstacles.ts';
import { isSomebodyElse } from './same-person.ts';
import type { SubjectKey, SubjectUser } from './subject.ts';

export type Match =
  /** `target` undefined: nobody has any of the keys. */
  { readonly target: HeldUser | undefined; readonly obstacle?: undefined } | { readonly obstacle: Obstacle };

/**
 * The user who has the external id, else the one who has the identities. All keys that are held must be that user's,
 * and one who was found by an identity must not be known by another external id.
 * @param sameIds whoever has the external id is the person, also with nothing else in common
 */
export function match(user: SubjectUser, sameIds: boolean): Match {
  const { external, methods } = user;
  if (external?.isCoreId === true) return { obstacle: externalIdIsCoreId };
  const held = methods.flatMap(({ keys }) => keys.filter(isHeld));
  const target = external?.held?.user ?? held[0]?.held.user;
  const foreign = held.find((key) => key.held.user !== target);
  if (foreign) return { obstacle: takenBy('user', foreign) };
  const [first] = held;
  if (first && external && !external.held && isKnownOtherwise(held))
    return { obstacle: takenBy('external id', first) };
  if (first || sameIds) return { target };
  return doubted(user, target);
}

/** @param target whom only the external id leads to */
function doubted(user: SubjectUser, target: HeldUser | undefined): Match {
  return target && isSomebodyElse(user, target) ? { obstacle: differentPerson } : { target };
}

type HeldKey = SubjectKey & { readonly held: NonNullable<SubjectKey['held']> };

function isHeld(key: SubjectKey): key is HeldKey {
  return key.held !== undefined;
}

/** Callers know a user by the head's external id, and a login method by its own. */
function isKnownOtherwise(held: readonly HeldKey[]): boolean {
  return held.some(({ held: { method, user } }) =>
    [method.externalId, user.head?.externalId ?? null].some((externalId) => externalId !== null),
  );
}
