import { plainArray } from '../../../domain/pg-array.ts';
import type { Query } from '../../../database/database.ts';
import {
  findMembers,
  isOfJob,
  judge,
  type LeftReason,
  type Member,
  reasonsToLeave,
  type UndoBatch,
  withRings,
} from './users.ts';

/** Predicts `undoUsers`, without locks and changes. */
export async function foreseeUsers(
  query: Query,
  { job, userIds, force }: Omit<UndoBatch, 'seals'>,
): Promise<Foreseen> {
  const { appNo, id } = job;
  const meant = plainArray(await withRings(query, job, userIds), (userId) => userId);
  const found = await query<{ user_id: string }>(findMembers, [appNo, meant]);
  const ids = plainArray(found, (row) => row.user_id);
  const members = await query<Member>(judge, [appNo, id, ids]);
  return foreseen(members, force);
}

/** A user of the job and the predicted outcome. */
export interface ForeseenUser {
  readonly head: string;
  readonly isLinked: boolean;
  readonly fate: 'removed' | 'restored' | LeftReason;
}

type Foreseen = readonly ForeseenUser[];

/** A user of another batch with a former key gives it up, since that batch comes before or after this one. */
function foreseen(members: readonly Member[], force: boolean): Foreseen {
  const here = new Set(members.map(({ head }) => head));
  const inSight = members.map((each) => ({
    ...each,
    holders: each.holders.filter((head) => head === null || here.has(head)),
  }));
  const users = [...Map.groupBy(inSight, ({ head }) => head).values()].filter(isOfJob);
  const reasons = reasonsToLeave(users, force);
  return users.map((user) => ({
    head: user[0]?.head ?? '',
    isLinked: user.length > 1,
    fate: reasons.get(user) ?? (user.every(({ is_created: created }) => created) ? 'removed' : 'restored'),
  }));
}
