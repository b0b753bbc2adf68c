import type { ComparedChunk, PlacedChunk } from '../../../imports/ports.ts';
import type { Columns } from '../../../domain/columns.ts';
import {
  comparedColumns,
  detailDigestBytes,
  detailsTag,
  otherDetails,
  ownBaseBytes,
  simpleColumns,
} from '../../../domain/user-columns.ts';
import type { Parameter } from '../../../database/database.ts';
import { arraysIn, namesOf, unnested } from '../../../database/relation.ts';

/**
 * Parts of the statements that place simple rows. $1 is the app, $2 the job, $3 the lines before, $4 whether claims are looked
 * up.
 */

/** The number of created and of unchanged simple rows, and the ordinals of the others, from 1. */
export interface PlacedRow {
  readonly created: number;
  readonly unchanged: number;
  readonly left: readonly number[];
  /** See Placed. */
  readonly users: Uint8Array;
  /** Ordinals of the unchanged, if they were asked for. */
  readonly same?: readonly number[];
}

const inputOf = (columns: Columns): string => `
  input as materialized (
    select i.* from ${unnested(columns, 5)} with ordinality as i (${namesOf(columns)}, n)
  )`;

export const inputRows = inputOf(simpleColumns);
export const comparedRows = inputOf(comparedColumns);

/**
 * The row's identity and external id were not used by an earlier record that created nothing. The key of an external id is that
 * of an address (identity.ts), and is computed only if claims are looked up.
 */
export function unclaimed(row: string): string {
  return `(not exists (
        select 1 from import_claims c
        where c.app_no = $1 and c.job_id = $2 and c.kind = ${row}.kind and c.key = ${row}.key and c.tenant_no = ${row}.tenant_no offset 0
      ) and not exists (
        select 1 from import_claims c
        where c.app_no = $1 and c.job_id = $2 and c.kind = 5 and c.tenant_no = 0
          and c.key = identity_key(3::smallint, ${row}.external_id, null, null, null) offset 0
      ))`;
}

/**
 * Whether restrictions are those that were stated last. If the base has no more than a login method, none were; and if the
 * record's has more, it has their digest.
 */
const isStated = `(
            p.restrictions is null or octet_length(p.stated) > ${ownBaseBytes}
            or (octet_length(u.base) = ${ownBaseBytes} and coalesce(u.primary_user_id, u.user_id) = u.user_id)
            or is_stated(p.restrictions::jsonb, (
              select t.restrictions from user_details t
              where t.app_no = $1 and t.user_id = coalesce(u.primary_user_id, u.user_id)
              offset 0
            ))
          )`;

const endOfMetadata = ownBaseBytes + 1 + detailDigestBytes;

/**
 * The metadata that the base of the user `u` states is that of the record `p` and is stored, and the user is not restricted. Of roles,
 * TOTP devices and restrictions the base states none.
 */
const hasStatedMetadata = `(
              octet_length(u.base) = ${endOfMetadata + otherDetails * detailDigestBytes}
              and substring(u.base from ${ownBaseBytes + 1} for 1) = '\\x0${detailsTag}'
              and substring(u.base from ${endOfMetadata + 1}) = '\\x${'00'.repeat(otherDetails * detailDigestBytes)}'
              and p.metadata is not null and exists (
                select 1 from user_details t
                where t.app_no = $1 and t.user_id = u.user_id and t.metadata = p.metadata::jsonb and t.restrictions is null
                offset 0
              )
            )`;

const hasOnlyLoginMethod = `(
              octet_length(u.base) = ${ownBaseBytes} and not exists (
                select 1 from user_details t
                where t.app_no = $1 and t.user_id = u.user_id and t.restrictions is not null
                offset 0
              )
            )`;

/**
 * Whether the user `u` of one login method is still as its base states, which the record `p` states too, and has nothing more
 * here that a record could state. In case of doubt it is false. An upgrade of the stated hash is no change.
 */
export const isAsStated = `(
            (${hasOnlyLoginMethod} or ${hasStatedMetadata}) and get_byte(u.base, 0) & 1 = u.email_verified::int
            and (u.primary_user_id is null or (u.primary_user_id = u.user_id and not exists (
              select 1 from users l where l.app_no = $1 and l.primary_user_id = u.user_id and l.primary_user_id <> l.user_id
              offset 0
            )))
            and (select array_agg(d.tenant_no) from identities d
              where d.app_no = $1 and d.kind = p.kind and d.key = p.key and d.user_id = u.user_id) = array[p.tenant_no]
            and case u.recipe
              when 1 then substring(u.base from 12 for 6) = coalesce(substring(hash_mark(u.password_hash) for 6), '\\x000000000000')
                or exists (
                  select 1 from sign_ins s
                  where s.app_no = $1 and s.user_id = u.user_id and s.upgraded_to = hash_mark(u.password_hash)
                    and substring(s.upgraded_from for 6) = substring(u.base from 12 for 6)
                  offset 0
                )
              when 2 then substring(u.base from 12 for 6)
                = coalesce(substring(sha256(convert_to(u.email, 'UTF8')) for 6), '\\x000000000000')
              else u.email is null or u.phone is null end
          )`;

/** The same if only the mark of its line shows that the record states what the base does: its metadata was found by form. */
export const isAsMarked = `(
            (p.metadata_digest is null or substring(u.base from ${ownBaseBytes + 2} for ${detailDigestBytes}) = decode(p.metadata_digest, 'hex'))
            and ${isAsStated}
          )`;

/**
 * `same`: users whose last imports stated exactly the same as the record, among `rows`, by the external id, or else by the
 * identity; anything else is left, in case of doubt. Changes here since then are looked at by `isHere` alone.
 * @param rows a relation with the columns of `input`
 * @param isHere a further condition on the user `u`
 */
export function sameRows(rows: string, isHere = 'true'): string {
  return `
  same as materialized (
    select p.n, p.line, p.tenant_no, p.external_id is not null as with_external, u.user_id
    from (select r.*, decode(r.base, 'hex') as stated from ${rows} r) p
    cross join lateral (
      select u.user_id from users u
      where u.app_no = $1 and u.external_id = p.external_id
        and substring(u.base for octet_length(p.stated)) = p.stated and u.import_job is distinct from $2
          and ${isStated} and ${isHere}
      union all
      select u.user_id
      from (
        select d.user_id from identities d
        where p.external_id is null
          and d.app_no = $1 and d.kind = p.kind and d.key = p.key and d.tenant_no = p.tenant_no
        offset 0
      ) d
      cross join lateral (
        select u.user_id from users u
        where u.app_no = $1 and u.user_id = d.user_id
          and substring(u.base for octet_length(p.stated)) = p.stated and u.import_job is distinct from $2
          and ${isStated} and ${isHere}
        offset 0
      ) u
      limit 1
    ) u
    where not $4 or ${unclaimed('p')}
  )`;
}

/** That this job has seen those of `same`. */
export const remember = `
    insert into import_claims (app_no, job_id, kind, key, tenant_no, with_external, line)
    select $1, $2, 6, s.user_id, s.tenant_no, s.with_external, $3::bigint + s.line from same s
    order by s.user_id`;

/** @param rows a relation with `user_id` */
export function idsOf(rows: string): string {
  return `(select coalesce(string_agg(uuid_send(r.user_id), ''), '') from ${rows} r)`;
}

/** The parameters of a statement with `inputRows`. */
export function parametersOf({ job, rows, linesBefore, hasClaims }: PlacedChunk): Parameter[] {
  return [job.appNo, job.id, linesBefore, hasClaims, ...arraysIn(simpleColumns, rows)];
}

/** The parameters of a statement with `comparedRows`. */
export function comparedParametersOf({ job, rows, linesBefore, hasClaims }: ComparedChunk): Parameter[] {
  return [job.appNo, job.id, linesBefore, hasClaims, ...arraysIn(comparedColumns, rows)];
}
