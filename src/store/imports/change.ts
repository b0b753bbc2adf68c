import { pickColumns } from '../../domain/columns.ts';
import {
  credentialColumns,
  identityColumns,
  methodColumns,
  replacedColumns,
  storedDetails,
  updateColumns,
} from '../../domain/user-columns.ts';
import type { ChunkChanges } from '../../imports/parse/types.ts';
import type { WritingJob } from '../../imports/model.ts';
import type { Query, Savepoint } from '../../database/database.ts';
import {
  arraysIn,
  assignedFrom,
  isAnother,
  namedFrom,
  namesOf,
  storedFrom,
  unnested,
} from '../../database/relation.ts';
import { adoptKept } from './place/adopt.ts';
import { factorsOfChanged } from './undo/imaged-factors.ts';
import { replaceStatedRoles } from './stated-roles.ts';
import { endSessionsOfDisabled, sessionKeysOf } from '../users/end-sessions.ts';
import { endResetTokens } from '../tokens/resets.ts';
import { isUniqueViolation } from '../../database/sqlstate.ts';
import { dropTaken, partTaken } from './take-over.ts';

/** Planned once: see place.ts. In all texts $1 is the app. */

/**
 * Part of the statement's plan on the server: as an argument with a separate query it would not be. `offset` keeps the planner from
 * making each image once for each time that it is named.
 */
const imagesOfThese = `(
    select distinct on (i.user_id) i.user_id, image_without_secrets(i.image) as image,
      i.image #> '{details,totp_devices}' as devices
    from (select i.* from images_of($1::int, $3::uuid[]) i offset 0) i
    order by i.user_id
  )`;

/** Existing users about to change, as they are now. A user that this job changed before keeps its first image. */
export const keepImages = `
  insert into import_before_images (app_no, job_id, user_id, before, after, factors)
  select $1, $2::uuid, i.user_id, i.image, '{}', ${factorsOfChanged('i.user_id', 'i.devices')}
  from ${imagesOfThese} i
  on conflict do nothing`;

/** For stored rows: new users have no image. The first image is put aside only for the upsert. */
export const completeImages = `
  insert into import_before_images (app_no, job_id, user_id, before, after)
  select $1, $2::uuid, i.user_id, '{}', i.image from ${imagesOfThese} i
  where exists (
    select 1 from import_before_images b where b.app_no = $1 and b.job_id = $2 and b.user_id = i.user_id offset 0
  )
  on conflict (app_no, job_id, user_id) do update set after = excluded.after`;

const isNewCredential = isAnother(
  credentialColumns,
  (name) => `w.old_${name}`,
  (name) => `w.${name}`,
);

/** Values for the insert of the upsert, which never happens: columns that are not otherwise set and never NULL. */
const upsertColumns = {
  ...updateColumns,
  ...pickColumns(methodColumns, ['recipe', 'timeJoined']),
};

/**
 * By an upsert, because an update would join, and the plan of a join varies. A former address stays verified in the side table,
 * and one that is taken up again may be verified there. Data stored under the core's id moves to an external one, as in a
 * mapping, except for password reset tokens that end because the hash or email changes. A user who signed up here without proving
 * to own the email, and whose password the record replaces, loses the sessions too.
 */
const update = `
  with wanted as materialized (
    select w.*, u.*
    from ${unnested(updateColumns, 2)} as w (${namesOf(updateColumns)})
    cross join lateral (
      select u.recipe, u.time_joined, ${namedFrom('u', updateColumns, (name) => `old_${name}`)}
      from users u where u.app_no = $1::int and u.user_id = w.user_id
      for no key update
    ) u
  ),
  reset_ids as materialized (
    select $1 as app_no, coalesce(w.old_external_id, w.user_id::text) as id from wanted w where ${isNewCredential}
    union all
    select $1, l.id from wanted w cross join lateral linked_ids($1, w.old_primary_user_id) l (id) where ${isNewCredential}
  ),
  ended as (${endResetTokens('reset_ids')}),
  of_strangers as (
    delete from sessions s
    where s.app_no = $1 and s.user_key = any(array(
      select k.key from wanted w cross join ${sessionKeysOf('w', 'w.old_external_id')}
      where w.old_base is null and not w.old_email_verified and w.old_password_hash is distinct from w.password_hash
    ))
  ),
  former as (
    insert into verified_emails (app_no, user_id, email)
    select $1, coalesce(w.external_id, w.user_id::text), w.old_email
    from wanted w where w.old_email_verified and w.old_email is not null and w.old_email is distinct from w.email
    on conflict do nothing
  ),
  left_behind as (
    delete from verified_emails v
    where v.app_no = $1 and v.user_id = any(array(
      select w.user_id::text from wanted w where w.external_id is not null and w.old_external_id is null
    ))
    returning v.user_id, v.email
  ),
  moved as (
    insert into verified_emails (app_no, user_id, email)
    select $1, (select w.external_id from wanted w where w.user_id::text = l.user_id), l.email from left_behind l
    on conflict do nothing
  ),
  renamed as (
    update tokens t set user_id = (select w.external_id from wanted w where w.user_id::text = t.user_id)
    where t.app_no = $1 and t.user_id = any(array(
      select w.user_id::text from wanted w where w.external_id is not null and w.old_external_id is null
    ))
      and not (t.purpose = 2 and ((t.user_id in (select r.id from reset_ids r)) is true))
  )
  insert into users as u (app_no, ${namesOf(upsertColumns)})
  select $1, ${storedFrom('w', upsertColumns, {
    isVerified: `w.email_verified or exists (
      select 1 from verified_emails v
      where v.app_no = $1 and v.user_id = any(array[w.external_id, w.user_id::text]) and v.email = w.email
      offset 0
    )`,
  })}
  from wanted w
  order by w.user_id
  on conflict (app_no, user_id) do update set ${assignedFrom('excluded', replacedColumns)}`;

const identityNames = namesOf(identityColumns);

const removeIdentities = `
  delete from identities i
  where i.app_no = $1::int and i.kind = any(array[1, 2, 3, 4]::smallint[]) and i.key = any($4::uuid[])
    and (((${namedFrom('i', identityColumns)}) in (
      select r.* from ${unnested(identityColumns, 2)} r (${identityNames})
    )) is true)`;

/**
 * A user found unchanged by an earlier line is remembered by its id, which represents its keys. A key that it gives up must be
 * remembered separately.
 */
const keepClaims = `
  insert into import_claims (app_no, job_id, kind, key, tenant_no, line)
  select $1::int, $2::uuid, r.kind, r.key, r.tenant_no, c.line
  from ${unnested(identityColumns, 3)} r (${identityNames})
  cross join lateral (
    select c.line from import_claims c
    where c.app_no = $1 and c.job_id = $2 and c.kind = 6 and c.key = r.user_id and c.tenant_no = r.tenant_no
    offset 0
  ) c
  on conflict do nothing`;

const createIdentities = `
  insert into identities (app_no, ${identityNames})
  select $1::int, c.* from ${unnested(identityColumns, 2)} c (${identityNames})
  on conflict do nothing
  returning 1`;

/** A record that still states these keys leads to the login method. */
const keepFormer = `
  insert into former_identities (app_no, ${identityNames})
  select $1::int, f.* from ${unnested(identityColumns, 2)} f (${identityNames})
  on conflict (app_no, kind, key, tenant_no) do update set user_id = excluded.user_id`;

const createUsers = `
  insert into users (app_no, import_job, ${namesOf(methodColumns)})
  select $1::int, $2::uuid, ${storedFrom('c', methodColumns, {
    isVerified: `c.email_verified or exists (
      select 1 from verified_emails v
      where v.app_no = $1 and v.user_id = c.external_id and v.email = c.email
      offset 0
    )`,
  })}
  from ${unnested(methodColumns, 3)} as c (${namesOf(methodColumns)})`;

/** An import never clears restrictions, so if the record states none, others may have been set in between. */
const putDetails = `
  insert into user_details as t (app_no, ${namesOf(storedDetails)})
  select $1::int, ${storedFrom('d', storedDetails)}
  from ${unnested(storedDetails, 2)} d (${namesOf(storedDetails)})
  where d.metadata is not null or d.totp_devices is not null or d.restrictions is not null
    or exists (select 1 from user_details o where o.app_no = $1 and o.user_id = d.user_id offset 0)
  on conflict (app_no, user_id) do update set
    metadata = excluded.metadata, totp_devices = excluded.totp_devices,
    restrictions = coalesce(excluded.restrictions, t.restrictions)`;

/** Another transaction took a key: the written rows are rolled back. */
class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

/**
 * Writes the decisions about single records, all of them or none.
 * @returns false when another transaction took a key in the meantime
 */
export async function changeRows(
  savepoint: Savepoint,
  job: WritingJob,
  changes: ChunkChanges,
): Promise<boolean> {
  try {
    await savepoint((query) => write(query, job, changes));
    return true;
  } catch (error) {
    if (isUniqueViolation(error) || error instanceof KeyTaken) return false;
    throw error;
  }
}

/** Before the details are written: for users who are disabled by them, or were until now. Others are not looked at. */
async function endSessions(
  query: Query,
  appNo: number,
  { userId, restrictions }: ChunkChanges['details'],
): Promise<void> {
  // An array literal without an object.
  if (!restrictions.includes('{', 1)) return;
  await query(endSessionsOfDisabled, [appNo, userId, restrictions]);
}

async function write(query: Query, job: WritingJob, changes: ChunkChanges): Promise<void> {
  const { appNo, id: jobId, dryRun } = job;
  const { users, updates, details, identities, removedIdentities, formerIdentities, takenOver } = changes;
  const changed = [updates, details].filter(({ count }) => count > 0).map(({ userId }) => userId);
  await partTaken(query, appNo, takenOver);
  for (const ids of changed) await query(keepImages, [appNo, jobId, ids]);
  await dropTaken(query, appNo, takenOver);
  if (updates.count > 0) await query(update, [appNo, ...arraysIn(updateColumns, updates)]);
  if (removedIdentities.count > 0) {
    await query(removeIdentities, [appNo, ...arraysIn(identityColumns, removedIdentities)]);
    await query(keepClaims, [appNo, jobId, ...arraysIn(identityColumns, removedIdentities)]);
  }
  if (identities.count > 0) {
    const created = await query(createIdentities, [appNo, ...arraysIn(identityColumns, identities)]);
    if (created.length < identities.count) throw new KeyTaken();
  }
  if (formerIdentities.count > 0)
    await query(keepFormer, [appNo, ...arraysIn(identityColumns, formerIdentities)]);
  if (users.count > 0) await query(createUsers, [appNo, jobId, ...arraysIn(methodColumns, users)]);
  if (details.count > 0) {
    await endSessions(query, appNo, details);
    await query(putDetails, [appNo, ...arraysIn(storedDetails, details)]);
    await replaceStatedRoles(query, { ...details, appNo, dryRun });
  }
  const brought = [users, updates].filter(({ count }) => count > 0);
  if (brought.length > 0) await adoptKept(query, appNo, ...brought.map(({ externalId }) => externalId));
  for (const ids of changed) await query(completeImages, [appNo, jobId, ids]);
}
