/** Adds to an existing user what the record states and the user lacks. Anything that the record does not state is unchanged. */

import type { UserIds } from '../../../domain/ids.ts';
import { readBase } from '../../parse/base.ts';
import type { HeldMethod } from '../../parse/types.ts';
import type { HeldUser } from '../holders.ts';
import { amendMethod } from './amend.ts';
import { createMethod } from './create.ts';
import { noteMethods } from './differences.ts';
import { isEntryGuarded } from '../evidence.ts';
import { keepDetails } from './keep-details.ts';
import { planDifference, planUpdate, type Plan } from './plan.ts';
import { rebase, statesPrimary } from './rebase.ts';
import { groups, sideOf } from './sides.ts';
import { fieldOf, type SubjectMethod, type SubjectUser } from '../subject.ts';
import { settle, type Meeting } from './three-way.ts';

/** @param user its keys resolved */
export function extendUser(met: Meeting, user: SubjectUser, ids: UserIds): void {
  const { plan, target } = met;
  const meeting = { ...met, isEntryGuarded: isEntryGuarded(user, target) };
  adoptExternalId(meeting, user);
  const assigned = assignMethods(user, target);
  noteMethods(meeting, user, assigned);
  for (const [method, present] of assigned) {
    if (present.length > 0) amendMethod(meeting, method, present);
    else if (mayLink(meeting, method)) linkMethod(meeting, method, ids);
  }
  if (user.head.isPrimary && !statesPrimary(target))
    makePrimary(plan, meeting, fieldOf(user.head.place, 'isPrimary'));
  keepDetails(meeting, user);
  rebase(meeting, user, assigned);
}

/** A user not found by the external id has no external id: match.ts ensures that. */
function adoptExternalId({ plan, target }: Meeting, { external }: SubjectUser): void {
  const head = target.head ?? target.methods[0];
  if (!external || external.held || !head) return;
  planUpdate(plan, head, { externalId: external.id });
  planDifference(plan, target, 'externalUserId');
}

function mayLink(meeting: Meeting, { place, keys, ...method }: SubjectMethod): boolean {
  const { isEntryGuarded = false, target } = meeting;
  const kind = keys[0]?.kind;
  if (!isEntryGuarded || kind === undefined) return true;
  const sides = { here: 'none', source: sideOf(kind, method) };
  const clash = { group: groups[kind], field: keys[0]?.field ?? fieldOf(place, 'recipeId'), ...sides };
  return settle(meeting, { ...clash, method: { userId: target.id } }, 'keeps always');
}

function linkMethod(meeting: Meeting, method: SubjectMethod, ids: UserIds): void {
  const { plan, target } = meeting;
  const userId = ids.nextOfHead(method.timeJoined, target.id);
  createMethod(plan, method, { userId, primaryUserId: target.id, externalId: undefined, details: '' });
  const field = method.keys[0]?.field ?? fieldOf(method.place, 'tenantIds');
  planDifference(plan, target, field);
  makePrimary(plan, meeting, field);
}

/** A user who is not primary has one login method, which becomes the head. */
function makePrimary(plan: Plan, { target }: Meeting, field: string): void {
  if (target.isPrimary || !target.head) return;
  planUpdate(plan, target.head, { primaryUserId: target.id });
  planDifference(plan, target, field);
}

type Assigned = Map<SubjectMethod, readonly HeldMethod[]>;

/**
 * Assigns the record's login methods to those of the user: by a common identity, or else to the one that it replaces, which is of
 * the same recipe and provider, stated by an import and by no other login method of the record. If no import stated any, a record
 * of one login method replaces the only one.
 */
function assignMethods(user: SubjectUser, target: HeldUser): Assigned {
  const assigned: Assigned = new Map(user.methods.map((method) => [method, holding(method)]));
  const isTaken = (each: HeldMethod): boolean => [...assigned.values()].some((those) => those.includes(each));
  const left = user.methods.filter((method) => assigned.get(method)?.length === 0);
  for (const alike of Map.groupBy(left, kindOf).values()) {
    const free = target.methods.filter((each) => isAlike(alike, each) && !isTaken(each));
    const stated = free.filter(({ base, recipe }) => readBase(base)?.recipe === recipe);
    // There is a place for each: which gets which matters only for the lists.
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

/** An account at another provider does not replace the existing one: it is added. */
function kindOf({ recipe, thirdPartyId }: SubjectMethod): string {
  return `${recipe} ${thirdPartyId ?? ''}`;
}

function isAlike([method]: readonly SubjectMethod[], each: HeldMethod): boolean {
  return each.recipe === method?.recipe && each.thirdPartyId === (method.thirdPartyId ?? null);
}

/** Only if it is the only login method of the recipe, whatever the provider. */
function onlyOf({ methods }: HeldUser, free: readonly HeldMethod[]): readonly HeldMethod[] {
  const [only] = free;
  return methods.filter(({ recipe }) => recipe === only?.recipe).length === 1 ? free : [];
}
