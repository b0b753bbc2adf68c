/** What a user who exists lacks of what a record states. What the record does not state stays as it is. */

import type { UserIds } from '../../ids.ts';
import type { HeldMethod } from '../rows.ts';
import { amendMethod } from './amend.ts';
import { createMethod } from './create.ts';
import { isSameJson, isSameRoles } from './details.ts';
import type { HeldUser } from './held.ts';
import { planDifference, planUpdate } from './plan.ts';
import type { Plan } from './plan.ts';
import { restate } from './restrictions.ts';
import { fieldOf } from './subject.ts';
import type { SubjectMethod, SubjectUser } from './subject.ts';

export function extendUser(plan: Plan, user: SubjectUser, target: HeldUser, ids: UserIds): void {
  adoptExternalId(plan, user, target);
  for (const method of user.methods) {
    const present = presentMethods(user, target, method);
    if (present.length > 0) amendMethod(plan, target, method, present);
    else linkMethod(plan, target, method, ids);
  }
  if (user.head.isPrimary) makePrimary(plan, target, fieldOf(user.head.place, 'isPrimary'));
  keepDetails(plan, user, target);
}

/** Whom the external id did not lead to has none: match.ts saw to that. */
function adoptExternalId(plan: Plan, { external }: SubjectUser, target: HeldUser): void {
  const head = target.head ?? target.methods[0];
  if (!external || external.held || !head) return;
  planUpdate(plan, head, { externalId: external.id });
  planDifference(plan, target, 'externalUserId');
}

/** The user's login methods that are meant: those that have one of its identities, else the one that it replaces. */
function presentMethods(user: SubjectUser, target: HeldUser, method: SubjectMethod): HeldMethod[] {
  const holding = new Set(method.keys.flatMap(({ held }) => held?.method ?? []));
  if (holding.size > 0) return [...holding];
  const alike = target.methods.filter(({ recipe }) => recipe === method.recipe);
  const [only] = alike;
  return user.isAlone && only && alike.length === 1 && isOfSameProvider(only, method) ? [only] : [];
}

/** An account at another provider does not replace the one that is there: it is one more. */
function isOfSameProvider(present: HeldMethod, { thirdPartyId }: SubjectMethod): boolean {
  return present.thirdPartyId === (thirdPartyId ?? null);
}

function linkMethod(plan: Plan, target: HeldUser, method: SubjectMethod, ids: UserIds): void {
  const userId = ids.next(method.timeJoined);
  createMethod(plan, method, { userId, primaryUserId: target.id, externalId: undefined });
  const field = method.keys[0]?.field ?? fieldOf(method.place, 'tenantIds');
  planDifference(plan, target, field);
  makePrimary(plan, target, field);
}

/** A user who is not primary has one login method, which becomes the head. */
function makePrimary(plan: Plan, target: HeldUser, field: string): void {
  if (target.isPrimary || !target.head) return;
  planUpdate(plan, target.head, { primaryUserId: target.id });
  planDifference(plan, target, field);
}

/** All of the row is written, so what the record does not state is written as it is. */
function keepDetails(plan: Plan, user: SubjectUser, target: HeldUser): void {
  const { metadata, roles, totpDevices } = target.head ?? noDetails;
  const restated = restate(target.methods[0]?.restrictions, user.restrictions);
  const differing = [
    isStatedOtherwise(user.metadata, metadata, isSameJson) && 'userMetadata',
    isStatedOtherwise(user.roles, roles, isSameRoles) && 'userRoles',
    isStatedOtherwise(user.totpDevices, totpDevices, isSameJson) && 'totpDevices',
    ...restated.fields,
  ].filter((field) => field !== false);
  if (differing.length === 0) return;
  for (const field of differing) planDifference(plan, target, field);
  plan.details.push({
    userId: target.id,
    metadata: user.metadata ?? metadata ?? undefined,
    roles: user.roles ?? roles ?? undefined,
    totpDevices: user.totpDevices ?? totpDevices ?? undefined,
    restrictions: restated.kept,
  });
}

const noDetails: Pick<HeldMethod, 'metadata' | 'roles' | 'totpDevices'> = {
  metadata: null,
  roles: null,
  totpDevices: null,
};

function isStatedOtherwise(
  stated: unknown,
  present: unknown,
  isSame: (a: unknown, b: unknown) => boolean,
): boolean {
  return stated !== undefined && !isSame(stated, present);
}
