import type { JobRef } from '../../../imports/model.ts';
import { plainArray } from '../../../domain/pg-array.ts';
import type { FactorSeals } from '../../../operations/ports/ports.ts';
import type { Query } from '../../../database/database.ts';
import { putBackRoles } from '../stated-roles.ts';
import type { Undone } from '../undo/users.ts';
import { imagesOfRemoved } from './images.ts';
import { bringBackFactors } from './return-factors.ts';

/** Users that a job removed because they were absent are restored from their before-images. $1 is the app, $2 the job. */

const usersAtOnce = 500;
const firstId = '00000000-0000-0000-0000-000000000000';

const nextRemoved = `
  select a.user_id from import_absent a
  where a.app_no = $1 and a.job_id = $2 and a.user_id > $3::uuid and a.done = 3
  order by a.user_id limit ${usersAtOnce}`;

const lockRemoved = `
  select 1 from import_absent a
  where a.app_no = $1 and a.job_id = $2 and a.user_id = any($3::uuid[]) and a.done = 3
  order by a.user_id for update`;

const holdTenants = `
  select t.tenant_no from tenants t
  where t.app_no = $1 and t.tenant_no = any(array(
    select (w.value ->> 'tenant_no')::int
    from (${imagesOfRemoved}) b, jsonb_array_elements(b.before -> 'identities') w
  ))
  order by t.tenant_no
  for key share`;

/** Another user has one of their keys or ids by now. */
const judge = `
  select b.head, b.seen_id,
    bool_or(
      exists (
        select 1 from jsonb_array_elements(b.before -> 'identities') w
        cross join lateral (
          select 1 from identities i
          where i.app_no = $1 and i.kind = (w.value ->> 'kind')::smallint
            and i.key = (w.value ->> 'key')::uuid and i.tenant_no = (w.value ->> 'tenant_no')::int
          offset 0
        ) i
      ) or exists (
        select 1 from users h where h.app_no = $1 and h.user_id = b.user_id offset 0
      ) or exists (
        select 1 from users h where h.app_no = $1 and h.external_id = b.before -> 'user' ->> 'external_id' offset 0
      )
    ) as is_taken
  from (${imagesOfRemoved}) b
  group by b.head, b.seen_id`;

const putUsers = `
  insert into users
  select w.* from (${imagesOfRemoved}) b, jsonb_populate_record(null::users, b.before -> 'user') w
  order by w.user_id`;

const putIdentities = `
  insert into identities (app_no, tenant_no, kind, key, user_id)
  select $1, w.tenant_no, w.kind, w.key, w.user_id
  from (${imagesOfRemoved}) b, jsonb_populate_recordset(null::identities, b.before -> 'identities') w, tenants t
  where t.app_no = $1 and t.tenant_no = w.tenant_no
  order by w.kind, w.key, w.tenant_no`;

const putDetails = `
  insert into user_details
  select w.* from (${imagesOfRemoved}) b, jsonb_populate_record(null::user_details, b.before -> 'details') w
  where jsonb_typeof(b.before -> 'details') = 'object'
    and (w.metadata is not null or w.totp_devices is not null or w.restrictions is not null)
  on conflict do nothing`;

const putRoles = putBackRoles(`
  select b.user_id, b.before -> 'details' -> 'roles' as roles from (${imagesOfRemoved}) b`);

const forget = `
  with returned as (
    update import_absent a set done = 1
    where a.app_no = $1 and a.job_id = $2 and a.user_id = any($3::uuid[]) and a.done = 3
    returning a.members
  )
  delete from import_before_images b
  where b.app_no = $1 and b.job_id = $2 and b.user_id = any(array(
    select m.user_id from returned r cross join lateral unnest(r.members) m (user_id)
  ))`;

/** Ids of removed users, in batches for one transaction each. */
export async function* removedUsers(read: Query, { appNo, id }: JobRef): AsyncGenerator<readonly string[]> {
  let after: string | undefined = firstId;
  while (after !== undefined) {
    const page: { user_id: string }[] = await read(nextRemoved, [appNo, id, after]);
    if (page.length > 0) yield page.map((row) => row.user_id);
    after = page.at(-1)?.user_id;
  }
}

/**
 * Within one transaction. Sign-ins, sessions' tokens and former emails are not restored. A user with a second factor that cannot
 * be restored is held.
 * @throws a unique violation when another transaction takes a key at the same moment: then all of it has to be repeated
 */
export async function bringBack(
  query: Query,
  { appNo, id }: JobRef,
  { heads, seals }: { readonly heads: readonly string[]; readonly seals: FactorSeals },
): Promise<Undone> {
  const key = [appNo, id] as const;
  const all = plainArray(heads, (head) => head);
  await query(lockRemoved, [...key, all]);
  await query(holdTenants, [...key, all]);
  const judged = await query<{ head: string; seen_id: string; is_taken: boolean }>(judge, [...key, all]);
  const free = judged.filter((row) => !row.is_taken).map((row) => row.head);
  const those = [...key, plainArray(free, (head) => head)] as const;
  for (const text of free.length > 0 ? [putUsers, putIdentities, putDetails, putRoles] : [])
    await query(text, those);
  const held = free.length > 0 ? await bringBackFactors(query, those, seals) : 0;
  if (free.length > 0) await query(forget, those);
  return {
    removed: 0,
    restored: free.length,
    held,
    left: judged
      .filter((row) => row.is_taken)
      .map((row) => ({ head: row.head, userId: row.seen_id, email: null, reason: 'IDENTITY_TAKEN' })),
  };
}
