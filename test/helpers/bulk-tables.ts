/** The result of an import in comparable form: without values that differ each time. */
import type { Job } from '../../src/imports/model.ts';
import type { EmbeddedConnection } from '../../src/embedded/embedded.ts';
import type postgres from 'postgres';
import { withSql } from './database-door.ts';

/** A row of users by its identifying values: ids are random. */
const nameOf = (row: string): string =>
  `concat_ws(' ', ${row}.recipe, ${row}.third_party_id, ${row}.third_party_user_id, ${row}.email, ${row}.phone)`;

const users = `
  select ${nameOf('u')} as name, u.email_verified, u.time_joined, u.password_hash, u.external_id,
    u.import_job is not null as is_imported, h.name as head, t.metadata, roles_of(u.app_no, u.user_id::text) as roles,
    -- A core that starts seals them: their mark stays.
    coalesce(t.totp_devices -> 'digest', t.totp_devices -> 0 -> 'digest', to_jsonb(encode(hash_mark(t.totp_devices::text), 'hex'))) as totp_devices, i.identities
  from users u
  left join (select h.user_id, ${nameOf('h')} as name from users h where h.app_no = $1::int) h
    on h.user_id = u.primary_user_id
  left join user_details t on t.app_no = u.app_no and t.user_id = u.user_id
  left join (
    select i.user_id, array_agg(i.tenant_no || ' ' || i.kind || ' ' || i.key order by i.kind, i.key, i.tenant_no) identities
    from identities i where i.app_no = $1::int group by i.user_id
  ) i on i.user_id = u.user_id
  where u.app_no = $1::int
  order by name, identities`;

const counts = `
  select
    (select count(*)::int from users where app_no = $1) as users,
    (select count(*)::int from identities where app_no = $1) as identities,
    (select count(*)::int from user_details where app_no = $1) as details,
    (select count(*)::int from import_claims where app_no = $1) as claims`;

const verifiedEmails = `
  select coalesce(
      v.user_id = (select u.external_id from users u where u.app_no = v.app_no and u.external_id = v.user_id), false
    ) as by_external_id, v.email
  from verified_emails v where v.app_no = $1::int order by v.email`;

const images = `
  select ${nameOf('u')} as name, b.before #>> '{user,email}' as email_before, b.after #>> '{user,email}' as email_after,
    b.before #>> '{user,password_hash}' as hash_before, b.after #>> '{user,password_hash}' as hash_after
  from import_before_images b join users u on u.app_no = b.app_no and u.user_id = b.user_id
  where b.app_no = $1::int order by name`;

/** The tables are new: without statistics the server would assume small ones. */
async function prepare(sql: postgres.Sql): Promise<void> {
  await sql`set search_path to carryover`;
  await sql`analyze users, identities, user_details, import_before_images, import_rejects`;
}

const tables = { users, counts, verifiedEmails, images };

const hasClaims = `
  select from import_claims c join import_jobs j on j.job_id = c.job_id
  where j.job_id = $1 and j.state <> 1 limit 1`;

/** Resolves when no claim of a receiving job is left: they are removed directly after the end of the job. */
export async function claimsSpent(connection: EmbeddedConnection, id: string): Promise<void> {
  await withSql(connection, async (sql) => {
    await sql`set search_path to carryover`;
    while ((await sql.unsafe(hasClaims, [id])).length > 0);
  });
}

/** The comparable content of all tables of an app. */
export function tablesOf(connection: EmbeddedConnection, appNo: number): Promise<Record<string, object[]>> {
  return withSql(connection, async (sql) => {
    await prepare(sql);
    const rows = Object.entries(tables).map(async ([name, text]) => [name, await sql.unsafe(text, [appNo])]);
    return Object.fromEntries(await Promise.all(rows)) as Record<string, object[]>;
  });
}

/** A job's own fields, without ids and times. */
export function standingOf(job: Job) {
  const { state, bytes, physicalLines, created, updated, unchanged, skipped, rejected, byKind } = job;
  return { state, bytes, physicalLines, created, updated, unchanged, skipped, rejected, byKind };
}

/** States that must never occur, whatever wrote concurrently: one row for each fault found, in all apps. */
const faults = `
  select 'identity without its user' as fault, i.app_no, i.user_id::text as id from identities i
  where not exists (
    select from users u, lateral identities_of(u.app_no, u) own
    where u.app_no = i.app_no and u.user_id = i.user_id
      and own.kind = i.kind and own.key = i.key and own.tenant_no = i.tenant_no
  )
  union all
  select 'login method without an identity', u.app_no, u.user_id::text from users u
  where not exists (select from identities_of(u.app_no, u))
  union all
  select 'passwordless email or phone without an identity', u.app_no, u.user_id::text from users u
  where u.recipe = 3 and u.email is not null and u.phone is not null
    and (select count(distinct i.kind) from identities_of(u.app_no, u) i) < 2
  union all
  select 'identity in a tenant that is not there', i.app_no, i.user_id::text from identities i
  where not exists (select from tenants t where t.app_no = i.app_no and t.tenant_no = i.tenant_no)
  union all
  select 'linked to nobody', u.app_no, u.user_id::text from users u
  where u.primary_user_id is not null and not exists (
    select from users h where h.app_no = u.app_no and h.user_id = u.primary_user_id and h.primary_user_id = h.user_id
  )
  union all
  select 'external id of two', u.app_no, u.external_id from users u
  where u.external_id is not null group by u.app_no, u.external_id having count(*) > 1
  union all
  select 'details of nobody', d.app_no, d.user_id::text from user_details d
  where not exists (
    select from users u
    where u.app_no = d.app_no and u.user_id = d.user_id and coalesce(u.primary_user_id, u.user_id) = u.user_id
  )
  union all
  select 'role of nobody', r.app_no, r.user_key from user_roles r
  where not exists (
    select from users u join tenants t on t.app_no = r.app_no and t.tenant_no = r.tenant_no
    where u.app_no = r.app_no and u.user_id = as_core_id(r.user_key)
  )
  union all
  select 'claims of a job that is over', j.app_no, j.job_id::text from import_jobs j
  where j.state <> 1 and exists (select from import_claims c where c.job_id = j.job_id)
  union all
  select 'rejects that are not counted', j.app_no, j.job_id::text from import_jobs j
  where j.rejected <> (select coalesce(sum(r.lines), 0) from import_rejects r where r.job_id = j.job_id)`;

/** @returns the faults in the tables: empty when every identity has one user, every user its identities, and so on */
export function faultsOf(connection: EmbeddedConnection): Promise<object[]> {
  return withSql(connection, async (sql) => {
    await prepare(sql);
    // The claims of a job are removed in the background, after its end: they have to be removed, but nothing waits for that.
    for (;;) {
      const found = await sql.unsafe<{ fault: string }[]>(faults);
      if (found.length === 0 || found.some(({ fault }) => !fault.startsWith('claims of a job'))) return found;
    }
  });
}
