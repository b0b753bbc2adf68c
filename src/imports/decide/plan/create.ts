/** Rows of new users and login methods. */

import { pickCells } from '../../../domain/columns.ts';
import { statedColumns } from '../../../domain/user-columns.ts';
import type { UserIds } from '../../../domain/ids.ts';
import { isFree } from '../../record/parse-record.ts';
import { baseText, detailsText } from '../../parse/base.ts';
import type { Plan } from './plan.ts';
import { restricted } from './restrictions.ts';
import type { SubjectMethod, SubjectUser } from '../subject.ts';

/**
 * A user of one login method is primary only if the record states it; several are linked. The id of the head carries the earliest
 * join date of all, because users are listed in the order of their ids; the ids of the others carry their positions.
 */
export function createUser(plan: Plan, user: SubjectUser, ids: UserIds): void {
  const { head, methods, external, metadata, roles, totpDevices } = user;
  const restrictions = isFree(user.restrictions) ? undefined : restricted(undefined, user.restrictions ?? {});
  const headId = ids.next(Math.min(...methods.map(({ timeJoined }) => timeJoined)), firstKeyOf(head));
  const primaryUserId = methods.length > 1 || head.isPrimary ? headId : undefined;
  for (const method of methods) {
    const isHead = method === head;
    const userId = isHead ? headId : ids.nextOfHead(method.timeJoined, headId);
    const externalId = isHead ? external?.id : undefined;
    createMethod(plan, method, {
      userId,
      primaryUserId,
      externalId,
      details: isHead ? detailsText(user) : '',
      lineMark: isHead ? user.lineMark : undefined,
    });
  }
  const details = { metadata, roles, totpDevices, restrictions };
  if (Object.values(details).some((each) => each !== undefined))
    plan.details.push({ userId: headId, ...details });
  plan.created++;
}

function firstKeyOf({ identities: [first] }: SubjectMethod): string {
  if (!first) throw new Error('a login method has at least one identity');
  return first.key;
}

interface Ids {
  readonly userId: string;
  readonly primaryUserId: string | undefined;
  readonly externalId: string | undefined;
  /** `detailsText` of base.ts, if the method is a head. */
  readonly details: string;
  readonly lineMark?: number | undefined;
}

/** The login method with all its identities. */
export function createMethod(plan: Plan, method: SubjectMethod, { details, lineMark, ...ids }: Ids): void {
  plan.users.push({
    ...ids,
    base: baseText(method, details),
    lineMark,
    ...pickCells(statedColumns, method),
  });
  for (const { tenantNo, kind, key } of method.keys)
    plan.identities.push({ tenantNo, kind, key, userId: ids.userId });
}
