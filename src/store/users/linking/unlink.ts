import type { Unlinked } from '../../../operations/ports/linking.ts';
import { plainArray } from '../../../domain/pg-array.ts';
import type { Query } from '../../../database/database.ts';
import { heirOf, removeWithHeirs, takeOwnId } from '../../removal/heirs.ts';
import { removeMethods } from '../../removal/remove-user.ts';
import { endSessionsOfMethod } from '../end-sessions.ts';
import { moveTotp } from '../move-totp.ts';
import { endResetTokens } from '../../tokens/resets.ts';
import { unmap } from '../mappings.ts';
import { carryRestrictions } from '../restrictions.ts';
import { noteLinked } from './link.ts';
import { lockUsers, membersOf, methodOf } from './users.ts';

const becomeOwn = 'update users set primary_user_id = null where app_no = $1 and user_id = $2';

/** A link may have been requested under any id of the user, and is not valid for those any more. */
const endResets = endResetTokens(
  '(select $1::int as app_no, l.id from linked_ids($1::int, $2::uuid) l (id))',
);

const findHeir = `select ${heirOf('$1::int', '$2::uuid')} as heir`;

/** Details of a user without login methods are given to the one that was its last. */
const inheritDetails = `
  with left_behind as (
    delete from user_details d where d.app_no = $1::int and d.user_id = $2::uuid returning d.*
  ),
  noted as (delete from former_heads f where f.app_no = $1 and f.user_id = $2),
  roles_left as (
    delete from user_roles r where r.app_no = $1 and r.user_key = $2::uuid::text returning r.tenant_no, r.role
  ),
  roles_moved as (
    insert into user_roles (app_no, user_key, tenant_no, role)
    select $1, $3::uuid::text, l.tenant_no, l.role from roles_left l
    on conflict do nothing
  ),
  ${moveTotp('(select $1::int as app_no, $2::uuid::text as former, $3::uuid::text as key)')}
  insert into user_details (app_no, user_id, metadata, totp_devices, restrictions)
  select $1, $3::uuid, l.metadata, l.totp_devices, l.restrictions from left_behind l
  on conflict do nothing`;

/**
 * Makes a login method a separate user again. The method of the user's head has no other id: it is removed if others are left,
 * and the user continues with those.
 * @returns undefined when no user has the id
 */
export async function unlink(query: Query, appNo: number, id: string): Promise<Unlinked | undefined> {
  await lockUsers(query, appNo, id);
  const method = await methodOf(query, appNo, id);
  if (!method) return undefined;
  const { primaryUserId: head } = method;
  if (head === null) return { wasLinked: false, wasRemoved: false };
  const members = await membersOf(query, appNo, head);
  await query(endSessionsOfMethod, [appNo, method.id]);
  const isHead = method.id === head;
  if (isHead && members.length > 1) {
    await removeMethods(query, appNo, [method.id], { isWhole: false });
    return { wasLinked: true, wasRemoved: true };
  }
  await query(endResets, [appNo, head]);
  if (isHead) await query(becomeOwn, [appNo, method.id]);
  else await part(query, { appNo, head, id: method.id, isLast: members.length === 1 });
  await query(noteLinked, [appNo, method.id]);
  return { wasLinked: true, wasRemoved: false };
}

interface Parting {
  readonly appNo: number;
  readonly head: string;
  readonly id: string;
  /** The user has no other login method left. */
  readonly isLast: boolean;
}

/** The method that has the user's external id instead of its head leaves it to another one, or keeps it as the last. */
export async function part(query: Query, { appNo, head, id, isLast }: Parting): Promise<void> {
  await carryRestrictions(query, { appNo, from: head, to: id });
  if (isLast) {
    await query(becomeOwn, [appNo, id]);
    await query(inheritDetails, [appNo, head, id]);
    return;
  }
  const [row] = await query<{ heir: string | null }>(findHeir, [appNo, head]);
  await removeWithHeirs(query, 'methods', [appNo, plainArray([id], (each) => each)], async () => {
    await query(becomeOwn, [appNo, id]);
    if (row?.heir !== id) return;
    await query(unmap, [appNo, id, 'SUPERTOKENS']);
    await query(takeOwnId, [appNo, id]);
  });
}
