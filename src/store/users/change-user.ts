import type { ChangeOutcome, UserChange } from '../../operations/ports/ports.ts';
import { noteActivity } from './activity.ts';
import type { Database, Query } from '../../database/database.ts';
import { endResetTokens } from '../tokens/resets.ts';
import { endSessionsOfUser } from './end-sessions.ts';
import { isUniqueViolation } from '../../database/sqlstate.ts';
import { rivalOf } from './linking/rivals.ts';

interface Subject {
  readonly seen_id: string;
  readonly recipe: number;
  readonly email: string | null;
  readonly primary_user_id: string | null;
}

/**
 * Prevents the removal of the user's tenants before this commit: moveIdentities adds rows to them. Tenants are locked before
 * users, as in every other statement.
 */
export const holdTenants = `
  select t.tenant_no
  from users u, lateral identities_of($1, u) i, tenants t
  where u.app_no = $1 and u.user_id = $2 and t.app_no = i.app_no and t.tenant_no = i.tenant_no
  order by t.tenant_no
  for key share of t`;

const lockSubject = `
  select recipe, email, primary_user_id, coalesce(external_id, user_id::text) as seen_id
  from users where app_no = $1 and user_id = $2 for no key update`;

const setPassword = `update users set password_hash = $3 where app_no = $1 and user_id = $2`;

/**
 * The new look-up rows first: they fail when another user has the email in one of the tenants. An email that an import stated
 * still leads its records here.
 */
const moveIdentities = `
  with method as materialized (select u.* from users u where u.app_no = $1 and u.user_id = $2),
  former as (
    delete from identities d using method m
    where d.app_no = m.app_no and d.kind = m.recipe and d.user_id = m.user_id
      and d.key = identity_key(m.recipe, m.email, null, null, null)
    returning d.tenant_no, d.kind, d.key
  ),
  left_behind as (
    insert into former_identities (app_no, tenant_no, kind, key, user_id)
    select $1, f.tenant_no, f.kind, f.key, $2 from former f join method m on base_states(m.base, f.kind, f.key)
    on conflict (app_no, kind, key, tenant_no) do update set user_id = excluded.user_id
  )
  insert into identities (app_no, tenant_no, kind, key, user_id)
  select $1, f.tenant_no, f.kind, identity_key(1::smallint, $3, null, null, null), $2 from former f
  order by f.tenant_no`;

/** A verified former email is remembered; changing back to one restores it. */
const setEmail = `
  with former as materialized (
    select app_no, coalesce(external_id, user_id::text) as seen_id, email, email_verified
    from users where app_no = $1 and user_id = $2
  ),
  remembered as (
    insert into verified_emails (app_no, user_id, email)
    select app_no, seen_id, email from former where email_verified and email is not null
    on conflict do nothing
  )
  update users u set email = $3, email_verified = exists (
    select 1 from verified_emails v where v.app_no = f.app_no and v.user_id = f.seen_id and v.email = $3
  )
  from former f
  where u.app_no = $1 and u.user_id = $2`;

/** A link may have been requested under any id of a linked user. */
export const endResets = endResetTokens(`(
  select $1::int as app_no, $2::text as id union all select $1::int, l.id from linked_ids($1, $3::uuid) l (id)
)`);

const itself = '(select $1::int as app_no, $2::uuid as user_id)';
export const noteEmail = noteActivity('email_changed_at', itself);
const notePassword = noteActivity('password_changed_at', itself);

/** Changes email, password hash or both, or nothing at all. A change ends the user's password reset tokens. */
export async function changeUser(database: Database, change: UserChange): Promise<ChangeOutcome> {
  try {
    return await database.transaction((query) => applyChange(query, change));
  } catch (error) {
    if (isUniqueViolation(error)) return 'email-taken';
    throw error;
  }
}

/** As changeUser, within a transaction. */
export async function applyChange(
  query: Query,
  { appNo, userId, email, passwordHash, endsSessions = false }: UserChange,
): Promise<ChangeOutcome> {
  if (email !== undefined) await query(holdTenants, [appNo, userId]);
  const [subject] = await query<Subject>(lockSubject, [appNo, userId]);
  if (!subject) return 'unknown-user';
  const newEmail = email === subject.email ? undefined : email;
  if (newEmail !== undefined) {
    const { primary_user_id: head } = subject;
    if (head !== null && (await rivalOf(query, { appNo, heads: [head], newEmail })))
      return 'email-of-other-primary-user';
    if (subject.recipe !== 2) await query(moveIdentities, [appNo, userId, newEmail]);
    await query(setEmail, [appNo, userId, newEmail]);
    await query(noteEmail, [appNo, userId]);
  }
  if (passwordHash !== undefined) {
    await query(setPassword, [appNo, userId, passwordHash]);
    await query(notePassword, [appNo, userId]);
    if (endsSessions) await query(endSessionsOfUser, [appNo, userId, subject.primary_user_id]);
  }
  if (newEmail !== undefined || passwordHash !== undefined) {
    await query(endResets, [appNo, subject.seen_id, subject.primary_user_id]);
  }
  return 'changed';
}
