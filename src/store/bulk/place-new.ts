import type { PlacedChunk } from '../../bulk/ports.ts';
import type { Query, Savepoint } from '../database.ts';
import { isNullViolation, isUniqueViolation } from '../sqlstate.ts';

/**
 * Creating users that are all new, which is what an import mostly does: plain inserts take half the time of inserts that
 * look for conflicts first (bench bulk). The unique keys are the judges: any conflict takes everything back.
 */

/** All tenants in one look: one by one, a plan made while there were few would read all of the app's for each. */
const holdTenants = `
  with wanted as materialized (
    select w.tenant_no from unnest($2::int[]) w (tenant_no)
  ),
  held as materialized (
    select t.tenant_no from tenants t
    where t.app_no = $1::int and t.tenant_no = any(array(select w.tenant_no from wanted w))
    for key share
  )
  select ((select count(*) from wanted) - (select count(*) from held))::int as missing`;

/** In the order of the keys, so that two imports of the same people wait for each other instead of deadlocking. */
const createIdentities = `
  insert into identities (app_no, tenant_no, kind, key, user_id)
  select $1::int, i.tenant_no, i.kind, i.key, i.user_id
  from unnest($2::int[], $3::smallint[], $4::uuid[], $5::uuid[]) as i (tenant_no, kind, key, user_id)
  order by i.kind, i.key, i.tenant_no`;

/**
 * No external id may be the core id of somebody; those are UUIDv7, so others need not be looked for. Where one is, the
 * row gets no id, which is an error: counting what was inserted would cost more than all other checks.
 */
const createUsers = `
  insert into users (
    app_no, recipe, email_verified, user_id, primary_user_id, time_joined, email, password_hash, third_party_id,
    third_party_user_id, phone, external_id, import_job
  )
  select $1::int, least(i.kind, 3), i.verified or exists (
      select from verified_emails v
      where v.app_no = $1 and v.user_id = i.external_id and v.email = i.email
      offset 0
    ),
    case
      when octet_length(i.external_id) = 36 and substr(i.external_id, 15, 1) = '7'
        and exists (select from users u where u.app_no = $1 and u.user_id = as_core_id(i.external_id) offset 0)
      then null
      else i.user_id
    end,
    case when i.is_primary then i.user_id end, i.time_joined, i.email, i.password_hash,
    i.third_party_id, i.third_party_user_id, i.phone, i.external_id, $2::uuid
  from unnest(
    $3::smallint[], $4::uuid[], $5::bigint[], $6::bool[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
    $12::bool[], $13::text[]
  ) as i (
    kind, user_id, time_joined, verified, email, password_hash, third_party_id, third_party_user_id, phone,
    is_primary, external_id
  )`;

const createDetails = `
  insert into user_details (app_no, user_id, metadata, roles, totp_devices)
  select $1::int, d.user_id, d.metadata::jsonb, d.roles::jsonb, d.totp_devices::jsonb
  from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as d (user_id, metadata, roles, totp_devices)
  where d.metadata is not null or d.roles is not null or d.totp_devices is not null`;

/** A tenant is gone: nothing of the chunk is tried. */
class NotAllNew extends Error {
  override readonly name = 'NotAllNew';
}

/** @returns whether all rows were new and are created; otherwise nothing is changed */
export async function placeNew(savepoint: Savepoint, { job, rows }: PlacedChunk): Promise<boolean> {
  try {
    await savepoint((query) => createAll(query, job, rows));
    return true;
  } catch (error) {
    if (isUniqueViolation(error) || isNullViolation(error) || error instanceof NotAllNew) return false;
    throw error;
  }
}

async function createAll(
  query: Query,
  { appNo, id }: PlacedChunk['job'],
  rows: PlacedChunk['rows'],
): Promise<void> {
  const [held] = await query<{ missing: number }>(holdTenants, [appNo, rows.tenants]);
  if (held?.missing !== 0) throw new NotAllNew();
  await query(createIdentities, [appNo, rows.tenantNo, rows.kind, rows.key, rows.userId]);
  const own = [rows.kind, rows.userId, rows.timeJoined, rows.verified, rows.email, rows.passwordHash];
  const others = [rows.thirdPartyId, rows.thirdPartyUserId, rows.phone, rows.isPrimary, rows.externalId];
  await query(createUsers, [appNo, id, ...own, ...others]);
  const details = [rows.metadata, rows.roles, rows.totpDevices];
  if (details.some((column) => column !== '{}')) await query(createDetails, [appNo, rows.userId, ...details]);
}
