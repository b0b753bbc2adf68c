/** Whom a record means. */

import type { HeldUser } from './held.ts';
import { externalIdIsCoreId, takenBy } from './obstacles.ts';
import type { Obstacle } from './obstacles.ts';
import type { SubjectKey, SubjectUser } from './subject.ts';

export type Match =
  /** `target` undefined: nobody has any of the keys. */
  { readonly target: HeldUser | undefined; readonly obstacle?: undefined } | { readonly obstacle: Obstacle };

/**
 * The user who has the external id, else the one who has the identities. All keys that are held must be that user's,
 * and one who was found by an identity must not be known by another external id.
 */
export function match({ external, methods }: SubjectUser): Match {
  if (external?.isCoreId === true) return { obstacle: externalIdIsCoreId };
  const held = methods.flatMap(({ keys }) => keys.filter(isHeld));
  const target = external?.held?.user ?? held[0]?.held.user;
  const foreign = held.find((key) => key.held.user !== target);
  if (foreign) return { obstacle: takenBy('user', foreign) };
  const [first] = held;
  if (external && !external.held && first && isKnownOtherwise(held))
    return { obstacle: takenBy('external id', first) };
  return { target };
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
