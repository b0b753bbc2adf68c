/** What a record stated becomes the base of the next one, also where what is here was kept. */

import { readBase, baseText, detailsAlone, detailsSince, withDetails } from '../../parse/base.ts';
import type { HeldMethod } from '../../parse/types.ts';
import type { HeldUser } from '../holders.ts';
import { planned, planUpdate } from './plan.ts';
import type { SubjectMethod, SubjectUser } from '../subject.ts';
import type { Meeting } from './three-way.ts';

export function rebase(
  meeting: Meeting,
  user: SubjectUser,
  assigned: ReadonlyMap<SubjectMethod, readonly HeldMethod[]>,
): void {
  const head = meeting.target.head;
  const details = detailsSince(user, head?.base ?? null);
  const stated = new Set<HeldMethod>();
  for (const [method, present] of assigned) {
    for (const each of present) {
      setBase(meeting, each, baseText(method, each === head ? details : ''));
      stated.add(each);
    }
  }
  if (head && !stated.has(head)) setBase(meeting, head, baseOfDetails(head.base, details));
}

function setBase({ plan, target }: Meeting, method: HeldMethod, base: string | null): void {
  if (planned(plan, method).base === base) return;
  planUpdate(plan, method, { base });
  plan.changed.add(target);
}

/** Of a head that the record does not state as a login method. */
function baseOfDetails(base: string | null, details: string): string | null {
  if (base !== null) return withDetails(base, details);
  return details === '' ? null : detailsAlone(details);
}

/** Whether the last import stated that the user is primary: if it is not so here, that is not undone. */
export function statesPrimary({ methods }: HeldUser): boolean {
  return methods.some(({ base }) => readBase(base)?.isPrimary === true);
}
