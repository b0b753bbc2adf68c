import type { Job, JobRef } from '../../../imports/model.ts';
import { plainArray } from '../../../domain/pg-array.ts';
import type { FactorSeals } from '../../../operations/ports/ports.ts';
import type { Query } from '../../../database/database.ts';
import { removeLocked } from '../../removal/remove-user.ts';
import { forgetGone, putBack } from './put-back.ts';

export interface UndoBatch {
  readonly job: Job;
  /** Login methods that the job created or changed. */
  readonly userIds: readonly string[];
  readonly force: boolean;
  readonly seals: FactorSeals;
}

export type LeftReason = 'SIGNED_IN' | 'CHANGED_SINCE' | 'IDENTITY_TAKEN';

/** Counts of users, a linked one once. */
export interface Undone {
  readonly removed: number;
  readonly restored: number;
  /** The part of these users who are held for a second factor that could not be restored. */
  readonly held: number;
  readonly left: readonly {
    /** The core's id of the user. */
    readonly head: string;
    /** The id that callers see. */
    readonly userId: string;
    /** The email of the login method with the user's id; null if it has none. */
    readonly email: string | null;
    readonly reason: LeftReason;
  }[];
}

/** Every login method of the given users. */
export const findMembers = `
  with meant as materialized (
    select coalesce(u.primary_user_id, u.user_id) as head from users u
    where u.app_no = $1 and u.user_id = any($2::uuid[])
  )
  select u.user_id from users u
  where u.app_no = $1 and u.user_id = any(array(
    select m.head from meant m
    union all
    select l.user_id from meant m
    join users l on l.app_no = $1 and l.primary_user_id = m.head and l.primary_user_id <> l.user_id
  ))`;

/** Identities are restored in these tenants, which may not be removed before the commit. Tenants before users, as always. */
const holdTenants = `
  select t.tenant_no from tenants t
  where t.app_no = $1 and t.tenant_no = any(array(
    select (w.value ->> 'tenant_no')::int
    from import_before_images b, jsonb_array_elements(b.before -> 'identities') w
    where b.app_no = $1 and b.job_id = $2 and b.user_id = any($3::uuid[])
  ))
  order by t.tenant_no
  for key share`;

/** In the order of their ids, as in every statement that locks several users. */
const lockMembers = `
  select u.user_id from users u
  where u.app_no = $1 and u.user_id = any($2::uuid[])
  order by u.user_id
  for update`;

/** The user with a former key, if the job changed that login method: undone together, it releases the key. */
const roomMaker = `case
        when h.import_job = $2 or exists (
          select 1 from import_before_images o
          where o.app_no = $1 and o.job_id = $2 and o.user_id = h.user_id
          offset 0
        )
        then coalesce(h.primary_user_id, h.user_id)
      end`;

/** All activities of the login method here other than sign-ins. */
const activities =
  's.reset_at, s.password_changed_at, s.email_changed_at, s.verified_at, s.imported_at, s.restricted_at, s.linked_at';

/**
 * A separate statement after the locks, so that it sees everything that was committed before them. A sign-in holds no lock: when
 * its mark commits after this look, it counts as having come before the removal of the user, not as a reason against it. A user
 * created by the job cannot have been active before it. For others the database's clock decides, which set both the mark and the
 * job's beginning. A hash that a sign-in upgraded is a change as any other: it is not undone, and with force the old one, of the
 * same password, is restored.
 */
export const judge = `
  with own as materialized (select j.begun_at from import_jobs j where j.app_no = $1 and j.job_id = $2)
  select m.user_id, coalesce(m.primary_user_id, m.user_id) as head,
    coalesce(m.external_id, m.user_id::text) as seen_id, m.email,
    m.import_job is not distinct from $2 as is_created,
    (b.user_id is not null and own_image(b.before) is distinct from own_image(b.after)) as is_replaced,
    (b.user_id is not null and own_image(b.before) is not distinct from own_image(b.after)) as is_rebased,
    case
      when m.import_job = $2 then s.last_at > 0
      else s.signed_in_at >= (select o.begun_at from own o)
    end is true as signed_in,
    case
      when m.import_job = $2 then coalesce(${activities}) is not null
      else greatest(${activities}) >= (select o.begun_at from own o)
    end is true as was_active,
    case
      when b.user_id is not null then own_image(image_of($1, m.user_id)) is distinct from own_image(b.after)
      when m.import_job = $2 then exists (
        select 1 from import_before_images o
        where o.app_no = $1 and o.user_id = m.user_id and o.job_id <> $2
          and own_image(o.before) is distinct from own_image(o.after)
        offset 0
      )
      else false
    end as is_changed,
    to_json(array(
      select ${roomMaker}
      from jsonb_array_elements(b.before -> 'identities') w
      join identities i on i.app_no = $1 and i.kind = (w.value ->> 'kind')::smallint
        and i.key = (w.value ->> 'key')::uuid and i.tenant_no = (w.value ->> 'tenant_no')::int
      join users h on h.app_no = $1 and h.user_id = i.user_id
      union
      select ${roomMaker} from users h
      where h.app_no = $1 and h.external_id = b.before -> 'user' ->> 'external_id'
    )) as holders
  from users m
  left join lateral (
    select b.* from import_before_images b
    where b.app_no = $1 and b.job_id = $2 and b.user_id = m.user_id
    offset 0
  ) b on true
  left join sign_ins s on s.app_no = $1 and s.user_id = m.user_id
  where m.app_no = $1 and m.user_id = any($3::uuid[])`;

export interface Member {
  readonly user_id: string;
  readonly head: string;
  readonly seen_id: string;
  readonly email: string | null;
  readonly is_created: boolean;
  readonly is_replaced: boolean;
  /** The job changed only the base. */
  readonly is_rebased: boolean;
  readonly signed_in: boolean;
  readonly was_active: boolean;
  readonly is_changed: boolean;
  /** Users who have its former keys; null for a user whose keys did not change. */
  readonly holders: readonly (string | null)[];
}

/**
 * Undoes the job's changes to these users and to all that are linked to them, within one transaction.
 * @throws a unique violation when another transaction takes a key at the same moment: then all of it has to be repeated
 */
export async function undoUsers(query: Query, { job, userIds, force, seals }: UndoBatch): Promise<Undone> {
  const { appNo, id } = job;
  const meant = plainArray(await withRings(query, job, userIds), (userId) => userId);
  // Twice: a linking may have held the lock until now, and the first look is from before that.
  await lock(query, job, meant);
  const ids = await lock(query, job, meant);
  await forgetGone(query, job, meant);
  const members = await query<Member>(judge, [appNo, id, ids]);
  const plan = planOf(members, force);
  if (plan.removedIds.length > 0) {
    await query(removeLocked, [appNo, plainArray(plan.removedIds, (userId) => userId)]);
  }
  await putBack(query, job, { ...plan, seals });
  return { ...plan, held: 0 };
}

/** A login method of the job that has a former key of one of these. */
const findHolders = `
  select distinct i.user_id
  from import_before_images b
  cross join lateral jsonb_array_elements(b.before -> 'identities') w
  cross join lateral (
    select i.user_id from identities i
    where i.app_no = $1 and i.kind = (w.value ->> 'kind')::smallint and i.key = (w.value ->> 'key')::uuid
      and i.tenant_no = (w.value ->> 'tenant_no')::int
    offset 0
  ) i
  cross join lateral (
    select 1 from import_before_images o where o.app_no = $1 and o.job_id = $2 and o.user_id = i.user_id offset 0
  ) o
  where b.app_no = $1 and b.job_id = $2 and b.user_id = any($3::uuid[]) and i.user_id <> b.user_id`;

/** More than can have passed keys on in one ring: those wait for the end of their upload, see imports/chunks/settle.ts. */
const mostInRings = 50_000;

/** Adds the users who have their former keys, and so on: users who passed keys on in a ring are undone together or never. */
export async function withRings(
  query: Query,
  { appNo, id }: JobRef,
  userIds: readonly string[],
): Promise<string[]> {
  const all = new Set(userIds);
  for (let latest = [...userIds]; latest.length > 0 && all.size < mostInRings;) {
    const found = await query<{ user_id: string }>(findHolders, [
      appNo,
      id,
      plainArray(latest, (each) => each),
    ]);
    latest = found.map((row) => row.user_id).filter((userId) => !all.has(userId));
    for (const userId of latest) all.add(userId);
  }
  return [...all];
}

/** @returns the ids of all login methods of the given users, as an array literal */
async function lock(query: Query, { appNo, id }: JobRef, meant: string): Promise<string> {
  const found = await query<{ user_id: string }>(findMembers, [appNo, meant]);
  const ids = plainArray(found, (row) => row.user_id);
  await query(holdTenants, [appNo, id, ids]);
  await query(lockMembers, [appNo, ids]);
  return ids;
}

interface Plan extends Omit<Undone, 'held'> {
  /** Login methods. */
  readonly removedIds: readonly string[];
  readonly restoredIds: readonly string[];
  /** Users whose base alone the job changed, whatever happened to them since. */
  readonly rebasedIds: readonly string[];
}

function planOf(members: readonly Member[], force: boolean): Plan {
  const all = [...Map.groupBy(members, ({ head }) => head).values()];
  const users = all.filter(isOfJob);
  const reasons = reasonsToLeave(users, force);
  const undone = users.filter((user) => !reasons.has(user));
  const methods = undone.flat();
  const removed = undone.filter((user) => user.every(({ is_created: created }) => created)).length;
  return {
    removed,
    restored: undone.length - removed,
    left: users.flatMap((user) => leftOf(user, reasons.get(user))),
    removedIds: methods.filter((each) => each.is_created).map((each) => each.user_id),
    restoredIds: methods.filter((each) => each.is_replaced && !each.is_created).map((each) => each.user_id),
    rebasedIds: [...methods, ...all.filter((user) => !isOfJob(user)).flat()]
      .filter((each) => each.is_rebased && !each.is_created)
      .map((each) => each.user_id),
  };
}

/** Another undo of the same job may have been here in the meantime. */
export function isOfJob(user: readonly Member[]): boolean {
  return user.some((each) => each.is_created || each.is_replaced);
}

type Members = readonly Member[];

/** A user who is left keeps its keys from others, who are left too: the walk includes entries added on the way. */
export function reasonsToLeave(users: readonly Members[], force: boolean): ReadonlyMap<Members, LeftReason> {
  const byHead = new Map(users.map((user) => [user[0]?.head, user]));
  const waiting = new Map<Members, Members[]>();
  const reasons = new Map<Members, LeftReason>();
  for (const user of users) {
    const holders = user.flatMap((each) => each.holders).map((head) => byHead.get(head ?? undefined));
    const reason = ownReason(user, force) ?? (holders.includes(undefined) ? 'IDENTITY_TAKEN' : undefined);
    if (reason) reasons.set(user, reason);
    for (const holder of holders) if (holder) waiting.set(holder, [...(waiting.get(holder) ?? []), user]);
  }
  for (const left of reasons.keys())
    for (const user of waiting.get(left) ?? []) if (!reasons.has(user)) reasons.set(user, 'IDENTITY_TAKEN');
  return reasons;
}

function ownReason(user: Members, force: boolean): LeftReason | undefined {
  if (!force && user.some((each) => each.signed_in)) return 'SIGNED_IN';
  if (!force && (user.some((each) => each.was_active || each.is_changed) || hasGrown(user)))
    return 'CHANGED_SINCE';
  return undefined;
}

/** The job created the user's head, and another request or import linked a login method to it. */
function hasGrown(user: readonly Member[]): boolean {
  const isHeadCreated = user.some((each) => each.is_created && each.user_id === each.head);
  return isHeadCreated && user.some((each) => !each.is_created && !each.is_replaced);
}

function leftOf(user: readonly Member[], reason: LeftReason | undefined): Undone['left'] {
  const shown = user.find((each) => each.user_id === each.head) ?? user[0];
  return shown && reason ? [{ head: shown.head, userId: shown.seen_id, email: shown.email, reason }] : [];
}
