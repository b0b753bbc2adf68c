/** Which login methods of a user a record's are. */

import { readBase } from '../../parse/base.ts';
import type { HeldMethod } from '../../parse/types.ts';
import type { HeldUser } from '../holders.ts';
import type { SubjectMethod, SubjectUser } from '../subject.ts';

type Assigned = Map<SubjectMethod, readonly HeldMethod[]>;

/**
 * Those that have one of its identities, else the one that it replaces: of the same recipe and provider, stated by an
 * import and by no other login method of the record. Where no import stated any, a record of one login method replaces the
 * only one.
 */
export function assignMethods(user: SubjectUser, target: HeldUser): Assigned {
  const assigned: Assigned = new Map(user.methods.map((method) => [method, holding(method)]));
  const isTaken = (each: HeldMethod): boolean => [...assigned.values()].some((those) => those.includes(each));
  const left = user.methods.filter((method) => assigned.get(method)?.length === 0);
  for (const alike of Map.groupBy(left, kindOf).values()) {
    const free = target.methods.filter((each) => isAlike(alike, each) && !isTaken(each));
    const stated = free.filter(({ base, recipe }) => readBase(base)?.recipe === recipe);
    // As many as there are places for them: which of them is which only matters for what is listed.
    if (alike.length === stated.length)
      for (const [n, method] of alike.entries()) assigned.set(method, stated.slice(n, n + 1));
    else if (user.isAlone && stated.length === 0 && free.length === 1)
      for (const method of alike) assigned.set(method, onlyOf(target, free));
  }
  return assigned;
}

function holding({ keys }: SubjectMethod): HeldMethod[] {
  return [...new Set(keys.flatMap(({ held }) => held?.method ?? []))];
}

/** An account at another provider does not replace the one that is there: it is one more. */
function kindOf({ recipe, thirdPartyId }: SubjectMethod): string {
  return `${recipe} ${thirdPartyId ?? ''}`;
}

function isAlike([method]: readonly SubjectMethod[], each: HeldMethod): boolean {
  return each.recipe === method?.recipe && each.thirdPartyId === (method.thirdPartyId ?? null);
}

/** Not beside another login method of the recipe, be it at another provider. */
function onlyOf({ methods }: HeldUser, free: readonly HeldMethod[]): readonly HeldMethod[] {
  const [only] = free;
  return methods.filter(({ recipe }) => recipe === only?.recipe).length === 1 ? free : [];
}
