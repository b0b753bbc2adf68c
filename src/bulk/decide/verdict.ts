/** What becomes of one record. */

import type { UserIds } from '../../ids.ts';
import type { RecordRules } from '../../../workers/protocol.ts';
import type { OnConflict } from '../job.ts';
import { refuseGivenUp } from './amend.ts';
import { createUser } from './create.ts';
import { extendUser } from './extend.ts';
import { match } from './match.ts';
import { alreadyExists } from './obstacles.ts';
import type { Obstacle } from './obstacles.ts';
import { emptyPlan } from './plan.ts';
import type { Plan } from './plan.ts';
import type { Subject } from './subject.ts';

export type Verdict =
  | { readonly outcome: 'created' | 'updated'; readonly plan: Plan }
  | { readonly outcome: 'unchanged' | 'skipped' }
  | { readonly outcome: 'rejected'; readonly obstacle: Obstacle };

type JudgeRules = Pick<RecordRules, 'onConflict' | 'sameIds'>;

/**
 * All of a record is written or none of it, however many users it is. What is planned against users who exist is also
 * how they differ: so a record that was written is found unchanged when it comes again.
 */
export function judge(subject: Subject, rules: JudgeRules, ids: UserIds): Verdict {
  const plan = emptyPlan();
  const sameIds = rules.sameIds === true || subject.sameIds;
  for (const user of subject.users) {
    const found = match(user, sameIds);
    if (found.obstacle) return { outcome: 'rejected', obstacle: found.obstacle };
    if (found.target) extendUser(plan, user, found.target, ids);
    else createUser(plan, user, ids);
  }
  if (plan.created === subject.users.length) return { outcome: 'created', plan };
  if (plan.created === 0 && plan.differences.length === 0) return { outcome: 'unchanged' };
  return conflict(subject, plan, rules.onConflict);
}

function conflict(subject: Subject, plan: Plan, onConflict: OnConflict): Verdict {
  if (onConflict === 'skip') return { outcome: 'skipped' };
  // Without a difference it is a separate user of the record who is missing.
  if (onConflict === 'reject')
    return { outcome: 'rejected', obstacle: alreadyExists(plan.differences[0] ?? 'loginMethods') };
  refuseGivenUp(plan, subject.methods);
  return plan.obstacle ? { outcome: 'rejected', obstacle: plan.obstacle } : { outcome: 'updated', plan };
}
