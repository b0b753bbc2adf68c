import type { JobRef } from '../../../imports/model.ts';
import { plainArray, textArray } from '../../../domain/pg-array.ts';
import {
  credentialColumns,
  identityColumns,
  replacedColumns,
  storedDetails,
} from '../../../domain/user-columns.ts';
import type { FactorSeals } from '../../../operations/ports/ports.ts';
import type { Query } from '../../../database/database.ts';
import { assignedFrom, isAnother, namedFrom, namesOf } from '../../../database/relation.ts';
import { dropRoles, putBackRoles } from '../stated-roles.ts';
import { endSessionsOfDisabled } from '../../users/end-sessions.ts';
import { endResetTokens } from '../../tokens/resets.ts';
import { putFactorsBack } from './put-factors-back.ts';

/**
 * Restores login methods as a job found them, from its before-images, which hold the rows as `to_jsonb` returns them. In all
 * texts $1 is the app, $2 the job, $3 the login methods, which are locked.
 */

/** For each login method separately, so that no plan reads all images of an app or a job. */
function imageOf(method: string): string {
  return `cross join lateral (
      select b.* from import_before_images b
      where b.app_no = $1 and b.job_id = $2 and b.user_id = ${method}.user_id
      offset 0
    ) b`;
}

const ofThese = 'b.app_no = $1 and b.job_id = $2 and b.user_id = any($3::uuid[])';

/** Users whose former hash or email is restored, by their current ids. */
const endResets = `
  with another as materialized (
    select u.primary_user_id, coalesce(u.external_id, u.user_id::text) as seen_id
    from users u ${imageOf('u')}
    where u.app_no = $1 and u.user_id = any($3::uuid[]) and (
      ${isAnother(
        credentialColumns,
        (name) => `b.before -> 'user' ->> '${name}'`,
        (name) => `u.${name}`,
      )}
    )
  ),
  known_as as materialized (
    select $1::int as app_no, a.seen_id as id from another a
    union all
    select $1::int, l.id from another a cross join lateral linked_ids($1, a.primary_user_id) l (id)
  )
  ${endResetTokens('known_as')}`;

/** Data stored under the id that callers see moves back to the one that they saw before, as when ids are unmapped. */
const moveKept = `
  with moved as materialized (
    select u.user_id, b.before -> 'user' ->> 'external_id' as external_id,
      coalesce(u.external_id, u.user_id::text) as seen_id,
      coalesce(b.before -> 'user' ->> 'external_id', u.user_id::text) as former_id
    from users u ${imageOf('u')}
    where u.app_no = $1 and u.user_id = any($3::uuid[])
      and u.external_id is distinct from b.before -> 'user' ->> 'external_id'
  ),
  unmapped as (update users u set external_id = null from moved m where u.app_no = $1 and u.user_id = m.user_id),
  uninformed as (
    delete from external_id_info e using moved m
    where e.app_no = $1 and e.user_id = m.user_id and m.external_id is null
  ),
  left_behind as (
    delete from verified_emails v using moved m
    where v.app_no = $1 and v.user_id = m.seen_id
    returning m.former_id, v.email
  ),
  noted as (
    insert into verified_emails (app_no, user_id, email)
    select $1, l.former_id, l.email from left_behind l on conflict do nothing
  )
  update tokens t set user_id = m.former_id from moved m where t.app_no = $1 and t.user_id = m.seen_id`;

/** All are removed before any is restored: two login methods may have exchanged one. */
const removeIdentities = `
  with method as materialized (
    select u.* from users u where u.app_no = $1 and u.user_id = any($2::uuid[])
  )
  delete from identities i using method m, lateral identities_of($1, m) own
  where i.app_no = own.app_no and i.kind = own.kind and i.key = own.key and i.tenant_no = own.tenant_no`;

const putBackUsers = `
  update users u set
    import_job = w.import_job, ${assignedFrom('w', replacedColumns)}
  from import_before_images b, jsonb_populate_record(null::users, b.before -> 'user') w
  where ${ofThese} and u.app_no = $1 and u.user_id = b.user_id`;

/** The flag in the row is for the present email: its entry as a former one was made by the job. */
const forgetFormerEmails = `
  with former as materialized (
    select coalesce(u.external_id, u.user_id::text) as seen_id, u.email
    from users u where u.app_no = $1 and u.user_id = any($2::uuid[])
  )
  delete from verified_emails v using former f where v.app_no = $1 and v.user_id = f.seen_id and v.email = f.email`;

/** A tenant that was removed since is not restored. */
const putBackIdentities = `
  insert into identities (app_no, ${namesOf(identityColumns)})
  select $1, ${namedFrom('w', identityColumns)}
  from import_before_images b, jsonb_populate_recordset(null::identities, b.before -> 'identities') w,
    tenants t
  where ${ofThese} and t.app_no = $1 and t.tenant_no = w.tenant_no
  order by w.kind, w.key, w.tenant_no`;

/** Devices that were not sealed yet are in no image: existing ones remain, which are the import's if it has others. */
const changeDetails = `
  update user_details t set metadata = w.metadata, restrictions = w.restrictions
  from import_before_images b, jsonb_populate_record(null::user_details, b.before -> 'details') w
  where ${ofThese} and t.app_no = $1 and t.user_id = b.user_id and has_left_devices(b.before)`;

const removeDetails = `
  delete from user_details t using import_before_images b
  where ${ofThese} and t.app_no = $1 and t.user_id = b.user_id and not has_left_devices(b.before)`;

const putBackDetails = `
  insert into user_details (app_no, ${namesOf(storedDetails)})
  select $1, ${namedFrom('w', storedDetails)}
  from import_before_images b
  cross join lateral (
    select case when has_left_devices(b.before) then image_without_devices(b.before) else b.before end as image
  ) i
  cross join lateral jsonb_populate_record(null::user_details, i.image -> 'details') w
  where ${ofThese} and jsonb_typeof(b.before -> 'details') = 'object'
    and (w.metadata is not null or w.totp_devices is not null or w.restrictions is not null)
  on conflict do nothing`;

const putRolesBack = putBackRoles(`
  select b.user_id, b.before -> 'details' -> 'roles' as roles from import_before_images b where ${ofThese}`);

/** TOTP devices that were sealed since: the restored value is either none, or sealed when it is needed. */
const removeDevices = `
  delete from totp_devices t using import_before_images b
  where ${ofThese} and t.app_no = $1 and t.user_key = b.user_id::text and t.imported
    and jsonb_typeof(b.before #> '{details,totp_devices}') is distinct from 'object'`;

/** $4: login methods whose factors were restored. For others, which the image does not have, those of the import remain. */
const noteDevices = `
  update user_details t set totp_devices = '{"changed": true}'
  from import_before_images b
  where ${ofThese} and b.user_id <> all($4::uuid[]) and t.app_no = $1 and t.user_id = b.user_id
    and jsonb_typeof(b.before #> '{details,totp_devices}') = 'object' and not has_left_devices(b.before)
    and b.before #> '{details,totp_devices}' is distinct from b.after #> '{details,totp_devices}'`;

/** Unless a later import has stated something else. */
const putBackBases = `
  update users u set base = w.base, line_mark = w.line_mark
  from import_before_images b, jsonb_populate_record(null::users, b.before -> 'user') w,
    jsonb_populate_record(null::users, b.after -> 'user') o
  where ${ofThese} and u.app_no = $1 and u.user_id = b.user_id and u.base is not distinct from o.base`;

const forget = `delete from import_before_images b where ${ofThese}`;

/** Users removed since by others cannot be restored, and need not be. For those that the job removed, see absent/return.ts. */
const forgetThoseGone = `
  delete from import_before_images b
  where ${ofThese} and b.after -> 'removed' is null
    and not exists (select 1 from users u where u.app_no = $1 and u.user_id = b.user_id)`;

/** @param userIds an array literal of login methods */
export async function forgetGone(query: Query, { appNo, id }: JobRef, userIds: string): Promise<void> {
  await query(forgetThoseGone, [appNo, id, userIds]);
}

type Ids = readonly string[];

interface PutBack extends Readonly<Record<'removedIds' | 'restoredIds' | 'rebasedIds', Ids>> {
  readonly seals: FactorSeals;
}

/**
 * Restores `restoredIds`, and for `rebasedIds` the bases, and deletes the images of all. `removedIds` do not exist any more.
 * @throws a unique violation when another transaction has taken an email or an id at this moment
 */
export async function putBack(
  query: Query,
  { appNo, id }: JobRef,
  { removedIds, restoredIds, rebasedIds, seals }: PutBack,
): Promise<void> {
  const restored = plainArray(restoredIds, (userId) => userId);
  if (restoredIds.length > 0) {
    await query(endResets, [appNo, id, restored]);
    await query(moveKept, [appNo, id, restored]);
    await query(removeIdentities, [appNo, restored]);
    await query(putBackUsers, [appNo, id, restored]);
    await query(forgetFormerEmails, [appNo, restored]);
    await query(putBackIdentities, [appNo, id, restored]);
    await query(removeDevices, [appNo, id, restored]);
    await query(endSessionsOfDisabled, [appNo, restored, textArray(restoredIds, () => undefined)]);
    await query(changeDetails, [appNo, id, restored]);
    await query(removeDetails, [appNo, id, restored]);
    await query(putBackDetails, [appNo, id, restored]);
    const returned = await putFactorsBack(query, [appNo, id, restored], seals);
    await query(noteDevices, [appNo, id, restored, returned]);
    await query(dropRoles, [appNo, restored]);
    await query(putRolesBack, [appNo, id, restored]);
  }
  if (rebasedIds.length > 0)
    await query(putBackBases, [appNo, id, plainArray(rebasedIds, (userId) => userId)]);
  const undone = [...removedIds, ...restoredIds, ...rebasedIds];
  await query(forget, [appNo, id, plainArray(undone, (userId) => userId)]);
}
