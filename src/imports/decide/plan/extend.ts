/** What a user who exists lacks of what a record states. What the record does not state stays as it is. */

import type { UserIds } from '../../../domain/ids.ts';
import { amendMethod } from './amend.ts';
import { createMethod } from './create.ts';
import { keepDetails } from './keep-details.ts';
import { planDifference, planUpdate } from './plan.ts';
import type { Plan } from './plan.ts';
import { assignMethods } from './present.ts';
import { rebase, statesPrimary } from './rebase.ts';
import { fieldOf } from '../subject.ts';
import type { SubjectMethod, SubjectUser } from '../subject.ts';
import type { Meeting } from './three-way.ts';

/** @param user its keys resolved */
export function extendUser(meeting: Meeting, user: SubjectUser, ids: UserIds): void {
  const { plan, target } = meeting;
  adoptExternalId(meeting, user);
  const assigned = assignMethods(user, target);
  for (const [method, present] of assigned) {
    if (present.length > 0) amendMethod(meeting, method, present);
    else linkMethod(meeting, method, ids);
  }
  if (user.head.isPrimary && !statesPrimary(target))
    makePrimary(plan, meeting, fieldOf(user.head.place, 'isPrimary'));
  keepDetails(meeting, user);
  rebase(meeting, user, assigned);
}

/** Whom the external id did not lead to has none: match.ts saw to that. */
function adoptExternalId({ plan, target }: Meeting, { external }: SubjectUser): void {
  const head = target.head ?? target.methods[0];
  if (!external || external.held || !head) return;
  planUpdate(plan, head, { externalId: external.id });
  planDifference(plan, target, 'externalUserId');
}

function linkMethod(meeting: Meeting, method: SubjectMethod, ids: UserIds): void {
  const { plan, target } = meeting;
  const userId = ids.nextBeside(method.timeJoined, target.id);
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
