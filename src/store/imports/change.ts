import type { ChunkChanges, IdentityColumns } from '../../imports/parse/types.ts';
import type { Query, Savepoint } from '../database/database.ts';
import { endResetTokens } from '../tokens/resets.ts';
import { isUniqueViolation } from '../database/sqlstate.ts';

/** Planned once: see place.ts. In all texts $1 is the app. */

/** Who was there and is about to change, as it is now. A user that this job changed before keeps its first image. */
export const keepImages = `
  insert into import_before_images (app_no, job_id, user_id, before, after)
  select $1::int, $2::uuid, w.user_id, w.image, '{}'
  from (
    select distinct w.user_id, image_of($1, w.user_id) as image from unnest($3::uuid[]) w (user_id)
  ) w
  where w.image is not null
  on conflict do nothing`;

export const completeImages = `
  update import_before_images b set after = image_of($1::int, b.user_id)
  where b.app_no = $1 and b.job_id = $2::uuid and b.user_id = any($3::uuid[])`;

const isAnother = '(w.password_hash is distinct from w.old_hash or w.email is distinct from w.old_email)';

/**
 * By an upsert, because an update would join, and a join has a plan. An address that is left stays verified in the side
 * table, and one that is taken up again may be verified there. What was kept under the core's id moves to an external
 * one, as when it is mapped, but for the password reset tokens that end: of those whose hash or email becomes another.
 */
const update = `
  with wanted as materialized (
    select w.*, u.recipe, u.time_joined, u.old_email, u.old_verified, u.old_external_id, u.old_hash, u.old_head
    from unnest($2::uuid[], $3::uuid[], $4::bool[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
      $10::text[])
      as w (user_id, primary_user_id, verified, email, password_hash, third_party_user_id, phone, external_id, base)
    cross join lateral (
      select u.recipe, u.time_joined, u.email as old_email, u.email_verified as old_verified,
        u.external_id as old_external_id, u.password_hash as old_hash, u.primary_user_id as old_head
      from users u where u.app_no = $1::int and u.user_id = w.user_id
      for no key update
    ) u
  ),
  reset_ids as materialized (
    select $1 as app_no, coalesce(w.old_external_id, w.user_id::text) as id from wanted w where ${isAnother}
    union all
    select $1, l.id from wanted w cross join lateral linked_ids($1, w.old_head) l (id) where ${isAnother}
  ),
  ended as (${endResetTokens('reset_ids')}),
  former as (
    insert into verified_emails (app_no, user_id, email)
    select $1, coalesce(w.external_id, w.user_id::text), w.old_email
    from wanted w where w.old_verified and w.old_email is not null and w.old_email is distinct from w.email
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
  insert into users as u (
    app_no, recipe, email_verified, user_id, primary_user_id, time_joined, email, password_hash, third_party_user_id,
    phone, external_id, base
  )
  select $1, w.recipe, w.verified or exists (
      select 1 from verified_emails v
      where v.app_no = $1 and v.user_id = any(array[w.external_id, w.user_id::text]) and v.email = w.email
      offset 0
    ),
    w.user_id, w.primary_user_id, w.time_joined, w.email, w.password_hash, w.third_party_user_id, w.phone,
    w.external_id, decode(w.base, 'hex')
  from wanted w
  order by w.user_id
  on conflict (app_no, user_id) do update set
    email_verified = excluded.email_verified, primary_user_id = excluded.primary_user_id, email = excluded.email,
    password_hash = excluded.password_hash, third_party_user_id = excluded.third_party_user_id, phone = excluded.phone,
    external_id = excluded.external_id, base = excluded.base`;

const removeIdentities = `
  delete from identities i
  where i.app_no = $1::int and i.kind = any(array[1, 2, 3, 4]::smallint[]) and i.key = any($4::uuid[])
    and (((i.tenant_no, i.kind, i.key, i.user_id) in (
      select r.* from unnest($2::int[], $3::smallint[], $4::uuid[], $5::uuid[]) r (tenant_no, kind, key, user_id)
    )) is true)`;

/**
 * A user whom an earlier line found unchanged is remembered by its id, which stands for the keys that it has. One that it
 * gives up must be remembered by itself.
 */
const keepClaims = `
  insert into import_claims (app_no, job_id, kind, key, tenant_no, line)
  select $1::int, $2::uuid, r.kind, r.key, r.tenant_no, c.line
  from unnest($3::int[], $4::smallint[], $5::uuid[], $6::uuid[]) r (tenant_no, kind, key, user_id)
  cross join lateral (
    select c.line from import_claims c
    where c.app_no = $1 and c.job_id = $2 and c.kind = 6 and c.key = r.user_id and c.tenant_no = r.tenant_no
    offset 0
  ) c
  on conflict do nothing`;

const createIdentities = `
  insert into identities (app_no, tenant_no, kind, key, user_id)
  select $1::int, c.* from unnest($2::int[], $3::smallint[], $4::uuid[], $5::uuid[]) c (tenant_no, kind, key, user_id)
  on conflict do nothing
  returning 1`;

/** A record that still states these leads to the login method. */
const keepFormer = `
  insert into former_identities (app_no, tenant_no, kind, key, user_id)
  select $1::int, f.* from unnest($2::int[], $3::smallint[], $4::uuid[], $5::uuid[]) f (tenant_no, kind, key, user_id)
  on conflict (app_no, kind, key, tenant_no) do update set user_id = excluded.user_id`;

const createUsers = `
  insert into users (
    app_no, import_job, user_id, primary_user_id, recipe, email_verified, time_joined, email, password_hash,
    third_party_id, third_party_user_id, phone, external_id, base
  )
  select $1::int, $2::uuid, c.user_id, c.primary_user_id, c.recipe, c.verified or exists (
      select 1 from verified_emails v
      where v.app_no = $1 and v.user_id = c.external_id and v.email = c.email
      offset 0
    ),
    c.time_joined, c.email, c.password_hash, c.third_party_id, c.third_party_user_id, c.phone, c.external_id,
    decode(c.base, 'hex')
  from unnest(
    $3::uuid[], $4::uuid[], $5::smallint[], $6::bool[], $7::bigint[], $8::text[], $9::text[], $10::text[], $11::text[],
    $12::text[], $13::text[], $14::text[]
  ) as c (
    user_id, primary_user_id, recipe, verified, time_joined, email, password_hash, third_party_id, third_party_user_id,
    phone, external_id, base
  )`;

/** No import makes restrictions nothing, so where none are given others may have come in between. */
const putDetails = `
  insert into user_details as t (app_no, user_id, metadata, roles, totp_devices, restrictions)
  select $1::int, d.user_id, d.metadata::jsonb, d.roles::jsonb, d.totp_devices::jsonb, d.restrictions::jsonb
  from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[])
    d (user_id, metadata, roles, totp_devices, restrictions)
  on conflict (app_no, user_id) do update set
    metadata = excluded.metadata, roles = excluded.roles, totp_devices = excluded.totp_devices,
    restrictions = coalesce(excluded.restrictions, t.restrictions)`;

/** Somebody took a key: what was written is taken back. */
class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

/**
 * Writes what was decided about single records, all of it or nothing.
 * @returns false when another transaction took a key meanwhile
 */
export async function changeRows(
  savepoint: Savepoint,
  { appNo, id }: { readonly appNo: number; readonly id: string },
  changes: ChunkChanges,
): Promise<boolean> {
  try {
    await savepoint((query) => write(query, appNo, id, changes));
    return true;
  } catch (error) {
    if (isUniqueViolation(error) || error instanceof KeyTaken) return false;
    throw error;
  }
}

async function write(query: Query, appNo: number, jobId: string, changes: ChunkChanges): Promise<void> {
  const { users, updates, details, identities, removedIdentities, formerIdentities } = changes;
  const changed = [updates, details].filter(({ count }) => count > 0).map(({ userId }) => userId);
  for (const ids of changed) await query(keepImages, [appNo, jobId, ids]);
  if (updates.count > 0) await updateUsers(query, appNo, updates);
  if (removedIdentities.count > 0) {
    await query(removeIdentities, [appNo, ...keyColumns(removedIdentities)]);
    await query(keepClaims, [appNo, jobId, ...keyColumns(removedIdentities)]);
  }
  if (identities.count > 0) {
    const created = await query(createIdentities, [appNo, ...keyColumns(identities)]);
    if (created.length < identities.count) throw new KeyTaken();
  }
  if (formerIdentities.count > 0) await query(keepFormer, [appNo, ...keyColumns(formerIdentities)]);
  if (users.count > 0) await insertUsers(query, appNo, jobId, users);
  if (details.count > 0) {
    const { userId, metadata, roles, totpDevices, restrictions } = details;
    await query(putDetails, [appNo, userId, metadata, roles, totpDevices, restrictions]);
  }
  for (const ids of changed) await query(completeImages, [appNo, jobId, ids]);
}

function keyColumns({ tenantNo, kind, key, userId }: IdentityColumns): string[] {
  return [tenantNo, kind, key, userId];
}

async function updateUsers(query: Query, appNo: number, updates: ChunkChanges['updates']): Promise<void> {
  const { userId, primaryUserId, verified, email, passwordHash, ...rest } = updates;
  const { thirdPartyUserId, phone, externalId, base } = rest;
  const own = [userId, primaryUserId, verified, email, passwordHash];
  await query(update, [appNo, ...own, thirdPartyUserId, phone, externalId, base]);
}

async function insertUsers(
  query: Query,
  appNo: number,
  jobId: string,
  users: ChunkChanges['users'],
): Promise<void> {
  const { userId, primaryUserId, recipe, verified, timeJoined, email, passwordHash, ...rest } = users;
  const { thirdPartyId, thirdPartyUserId, phone, externalId, base } = rest;
  const own = [userId, primaryUserId, recipe, verified, timeJoined, email, passwordHash];
  await query(createUsers, [appNo, jobId, ...own, thirdPartyId, thirdPartyUserId, phone, externalId, base]);
}
