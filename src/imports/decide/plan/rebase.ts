/** Makes what a record stated the base of the next import, also where the value here was kept. */

import {
  readBase,
  baseText,
  detailsAlone,
  detailsSince,
  detailsText,
  withDetails,
} from '../../parse/base.ts';
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
      const base = baseText(method, each === head ? details : '');
      setBase(
        meeting,
        each,
        base,
        markFor(meeting, each, user, base === baseText(method, detailsText(user))),
      );
      stated.add(each);
    }
  }
  if (head && !stated.has(head)) setBase(meeting, head, baseOfDetails(head.base, details), null);
}

/** The mark of the login method that the external id leads to, if the line alone made its base. */
function markFor(
  { plan }: Meeting,
  method: HeldMethod,
  { external, lineMark }: SubjectUser,
  isWhole: boolean,
): number | null {
  const isLedTo = external?.id === planned(plan, method).externalId;
  return isWhole && isLedTo ? (lineMark ?? null) : null;
}

/** A mark that belongs to another base is removed with it. */
function setBase(
  { plan, target }: Meeting,
  method: HeldMethod,
  base: string | null,
  lineMark: number | null,
): void {
  if (planned(plan, method).base === base) return;
  planUpdate(plan, method, { base, lineMark });
  plan.changed.add(target);
}

/** The base of a head that the record does not state as a login method. */
function baseOfDetails(base: string | null, details: string): string | null {
  if (base !== null) return withDetails(base, details);
  return details === '' ? null : detailsAlone(details);
}

/** Whether the last import stated that the user is primary: if the user is not primary here, that is not undone. */
export function statesPrimary({ methods }: HeldUser): boolean {
  return methods.some(({ base }) => readBase(base)?.isPrimary === true);
}
