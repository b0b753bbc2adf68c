import type { Linking, LinkOutcome, PrimaryOutcome } from '../../../operations/ports/linking.ts';
import type { Query } from '../../../database/database.ts';
import { endSessionsOfMethod } from '../end-sessions.ts';
import { noteActivity } from '../activity.ts';
import { carryRestrictions } from '../restrictions.ts';
import { rivalOf } from './rivals.ts';
import { lockUsers, type Method, methodOf, type Target, targetOf } from './users.ts';

/** `ask` changes nothing and locks nothing. */
export type Mode = 'ask' | 'do';

const setPrimary = 'update users set primary_user_id = $3 where app_no = $1 and user_id = $2';

/** An undo of an import does not touch users who were linked or unlinked here. */
export const noteLinked = noteActivity('linked_at', '(select $1::int as app_no, $2::uuid as user_id)');

/** Makes a user primary: one that others may be linked to, and whose infos no other primary user may have. */
export async function makePrimary(
  query: Query,
  appNo: number,
  recipeUserId: string,
  mode: Mode,
): Promise<PrimaryOutcome> {
  if (mode === 'do') await lockUsers(query, appNo, recipeUserId);
  const method = await methodOf(query, appNo, recipeUserId);
  if (!method) return { outcome: 'unknown-user' };
  const { id, primaryUserId, seenId } = method;
  if (primaryUserId === id) return { outcome: 'primary', wasPrimary: true };
  if (primaryUserId !== null) return { outcome: 'linked', primaryUserId: seenId };
  const rival = await rivalOf(query, { appNo, heads: [id], withoutLock: mode === 'ask' });
  if (rival) return { outcome: 'info-taken', ...rival };
  if (mode === 'do') await query(setPrimary, [appNo, id, id]);
  return { outcome: 'primary', wasPrimary: false };
}

/** Links a user of one login method to a primary one. The method's own details remain under its id. */
export async function link(query: Query, linking: Linking, mode: Mode): Promise<LinkOutcome> {
  const { appNo, recipeUserId, primaryUserId } = linking;
  if (mode === 'do') await lockUsers(query, appNo, primaryUserId, recipeUserId);
  const target = await targetOf(query, appNo, primaryUserId);
  if (!target) return { outcome: 'unknown-user' };
  if (!target.isPrimary) return { outcome: 'not-primary' };
  const method = await methodOf(query, appNo, recipeUserId);
  if (!method) return { outcome: 'unknown-user' };
  const known = outcomeOf(method, target);
  if (known) return known;
  const heads = [target.head, method.id];
  const rival = await rivalOf(query, { appNo, heads, withoutLock: mode === 'ask' });
  if (rival) return { outcome: 'info-taken', ...rival };
  if (mode === 'do') await join(query, appNo, method, target);
  return { outcome: 'linked', wasLinked: false, primaryUserId: target.seenId };
}

/** For a login method that is linked, or primary itself. */
function outcomeOf({ primaryUserId, seenId }: Method, { head }: Target): LinkOutcome | undefined {
  if (primaryUserId === null) return undefined;
  return primaryUserId === head
    ? { outcome: 'linked', wasLinked: true, primaryUserId: seenId }
    : { outcome: 'linked-to-another', primaryUserId: seenId };
}

/** Linking does not lift a restriction: the whole user is restricted then. */
async function join(query: Query, appNo: number, { id }: Method, { head }: Target): Promise<void> {
  await query(setPrimary, [appNo, id, head]);
  await query(endSessionsOfMethod, [appNo, id]);
  await carryRestrictions(query, { appNo, from: id, to: head });
  await query(noteLinked, [appNo, id]);
}
