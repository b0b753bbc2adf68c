/** The outcome of one record. */

import type { UserIds } from '../../domain/ids.ts';
import type { OnConflict } from '../model.ts';
import { refuseGivenUp } from './plan/amend.ts';
import { createUser } from './plan/create.ts';
import { extendUser } from './plan/extend.ts';
import { match } from './match.ts';
import { alreadyExists, changedHere, removedHere, type Obstacle } from './obstacles.ts';
import { emptyPlan, type Plan, type PlannedConflict } from './plan/plan.ts';
import { resolveKeys } from './plan/resolve.ts';
import type { Meeting } from './plan/three-way.ts';
import type { Subject, SubjectUser } from './subject.ts';
import { isStranger, noteStranger } from './evidence.ts';
import { takeOver } from './take-over.ts';

/** Fields that were changed on both sides. */
type Clashes = readonly PlannedConflict[];

export type Verdict =
  | {
      readonly outcome: 'created' | 'updated' | 'unchanged';
      readonly plan: Plan;
      readonly conflicts: Clashes;
    }
  | { readonly outcome: 'skipped'; readonly conflicts: Clashes }
  | { readonly outcome: 'rejected'; readonly obstacle: Obstacle; readonly conflicts: Clashes };

/**
 * A record is written completely or not at all, however many users it describes. What is planned for existing users is also how
 * they differ: so a written record is found unchanged when it is repeated. An unchanged user may still get another base.
 */
export function judge(subject: Subject, onConflict: OnConflict, ids: UserIds): Verdict {
  const plan = emptyPlan();
  // Also if a user has the email by now: that is a new account, which must get nothing of the former one.
  const isGone = subject.removed.length > 0 && !subject.restoresRemoved;
  for (const each of subject.users) {
    if (isGone && !each.external?.held) return { outcome: 'rejected', obstacle: removedHere, conflicts: [] };
    const user = takeOver(plan, resolveKeys(each));
    if ('obstacle' in user) return { outcome: 'rejected', obstacle: user.obstacle, conflicts: [] };
    const found = match(user, subject.sameIds);
    if (found.obstacle) return { outcome: 'rejected', obstacle: found.obstacle, conflicts: [] };
    if (found.target) meet({ plan, target: found.target, onConflict }, user, ids);
    else createUser(plan, user, ids);
  }
  const { conflicts } = plan;
  if (plan.created === subject.users.length) return { outcome: 'created', plan, conflicts };
  const isWritten = plan.created > 0 || plan.differences.length > 0;
  if (!isWritten && conflicts.length === 0) return { outcome: 'unchanged', plan, conflicts };
  return differing(subject, plan, onConflict, isWritten);
}

function meet(meeting: Meeting, user: SubjectUser, ids: UserIds): void {
  if (isStranger(user, meeting.target)) noteStranger(meeting, user);
  else extendUser(meeting, user, ids);
}

function differing(subject: Subject, plan: Plan, onConflict: OnConflict, isWritten: boolean): Verdict {
  const { conflicts, differences } = plan;
  const refused = (obstacle: Obstacle): Verdict => ({ outcome: 'rejected', obstacle, conflicts });
  if (onConflict === 'skip') return { outcome: 'skipped', conflicts };
  if (onConflict === 'reject') {
    const [first] = conflicts;
    // Without a difference, a separate user of the record is missing.
    return refused(first ? changedHere(first.field) : alreadyExists(differences[0] ?? 'loginMethods'));
  }
  refuseGivenUp(plan, subject.methods);
  if (plan.obstacle) return refused(plan.obstacle);
  return { outcome: isWritten ? 'updated' : 'unchanged', plan, conflicts };
}
