/** The outcome of one record. */

import type { UserIds } from '../../domain/ids.ts';
import type { RecordRules } from '../tasks.ts';
import { refuseGivenUp } from './plan/amend.ts';
import { createUser } from './plan/create.ts';
import { noteMissing } from './plan/differences.ts';
import { extendUser } from './plan/extend.ts';
import type { HeldUser } from './holders.ts';
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

/** The rules of the job that an outcome depends on. */
export type Judging = Pick<RecordRules, 'onConflict' | 'compare' | 'now'>;

/**
 * A record is written completely or not at all, however many users it describes. What is planned for existing users is also how
 * they differ: so a written record is found unchanged when it is repeated. An unchanged user may still get another base.
 */
export function judge(subject: Subject, rules: Judging, ids: UserIds): Verdict {
  const plan = emptyPlan();
  // Also if a user has the email by now: that is a new account, which must get nothing of the former one.
  const isGone = subject.removed.length > 0 && !subject.restoresRemoved;
  for (const each of subject.users) {
    if (isGone && !each.external?.held) return { outcome: 'rejected', obstacle: removedHere, conflicts: [] };
    const user = takeOver(plan, resolveKeys(each));
    if ('obstacle' in user) return { outcome: 'rejected', obstacle: user.obstacle, conflicts: [] };
    const found = match(user, subject.sameIds);
    if (found.obstacle) return { outcome: 'rejected', obstacle: found.obstacle, conflicts: [] };
    planUser(plan, found.target, { user, rules, ids });
  }
  return rules.compare === true ? compared(plan, subject) : planned(plan, subject, rules);
}

function planUser(
  plan: Plan,
  target: HeldUser | undefined,
  { user, rules, ids }: { readonly user: SubjectUser; readonly rules: Judging; readonly ids: UserIds },
): void {
  const { onConflict, compare, now } = rules;
  if (target) {
    meet({ plan, target, onConflict, comparedAt: compare === true ? now : undefined }, user, ids);
    return;
  }
  createUser(plan, user, ids);
  if (compare === true) noteMissing(plan, user);
}

function planned(plan: Plan, subject: Subject, { onConflict }: Judging): Verdict {
  const { conflicts } = plan;
  if (plan.created === subject.users.length) return { outcome: 'created', plan, conflicts };
  const isWritten = plan.created > 0 || plan.differences.length > 0;
  if (!isWritten && conflicts.length === 0) return { outcome: 'unchanged', plan, conflicts };
  return differing(subject, plan, onConflict, isWritten);
}

/** Nothing is written: how the record would be imported is only counted. */
function compared(plan: Plan, { users }: Subject): Verdict {
  const differs = plan.found.length > 0 ? 'updated' : 'unchanged';
  return { outcome: plan.created === users.length ? 'created' : differs, plan, conflicts: [] };
}

function meet(meeting: Meeting, user: SubjectUser, ids: UserIds): void {
  if (isStranger(user, meeting.target)) noteStranger(meeting, user);
  else extendUser(meeting, user, ids);
}

function differing(
  subject: Subject,
  plan: Plan,
  onConflict: Judging['onConflict'],
  isWritten: boolean,
): Verdict {
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
