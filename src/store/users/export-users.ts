import type {
  ExportedDevice,
  ExportedPage,
  ExportedUser,
  ExportStore,
  StagedFactor,
  KeptRestrictions,
  StoredMethod,
  UserRole,
} from '../../operations/ports/ports.ts';
import { plainArray } from '../../domain/pg-array.ts';
import type { Database } from '../../database/database.ts';
import { heirOf } from '../removal/heirs.ts';
import { accountOf, type LoginRow, recipeOf } from './load-users.ts';

interface MethodRow extends LoginRow {
  readonly password_hash: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly roles: readonly UserRole[] | null;
  readonly totp_devices: readonly StagedFactor[] | null;
  readonly sealed_devices:
    readonly (Omit<ExportedDevice, 'sealedSecret'> & { readonly sealed: string })[] | null;
  readonly restrictions: KeptRestrictions | null;
}

/** The second half finds users whose head's own login method was removed. */
const heads = `
    (select u.user_id as head from users u
     where u.app_no = $1 and u.user_id > $2 and (u.primary_user_id is null or u.primary_user_id = u.user_id)
     order by u.user_id limit $3)
    union
    (select distinct l.primary_user_id from users l
     where l.app_no = $1 and l.primary_user_id <> l.user_id and l.primary_user_id > $2
     order by 1 limit $3)
    order by head limit $3`;

/** Of changes by requests, in `sign_ins`. An upgraded hash is a change, too: the old system has the old one. */
const changes = [
  'reset_at',
  'password_changed_at',
  'email_changed_at',
  'verified_at',
  'restricted_at',
  'linked_at',
  'details_changed_at',
  'upgraded_at',
].map((column) => `s.${column}`);

/** Users by their heads, with whether they were created here or changed since $4. */
const changedHeads = `
  with heads as materialized (${heads}
  )
  select h.head, exists (
    select 1
    from (
      select u.user_id, u.time_joined, u.import_job from users u where u.app_no = $1 and u.user_id = h.head
      union all
      select l.user_id, l.time_joined, l.import_job from users l
      where l.app_no = $1 and l.primary_user_id = h.head and l.primary_user_id <> l.user_id
    ) m
    where (m.import_job is null and m.time_joined >= $4::bigint)
      or exists (
        select 1 from sign_ins s
        where s.app_no = $1 and s.user_id = m.user_id and greatest(${changes.join(', ')}) >= $4
        offset 0
      )
  ) or exists (
    select 1 from totp_devices t
    where t.app_no = $1 and t.user_key = h.head::text and not t.imported and t.created_at >= $4
    offset 0
  ) as is_changed
  from heads h order by h.head`;

const beginning = `
  select j.begun_at::float8 as at from import_jobs j
  where j.app_no = $1 and j.job_id = $2::uuid`;

/**
 * A page of whole users in one snapshot: otherwise a user who is linked while it is read would appear twice or not at all. A call of
 * roles_of takes as long as all the rest of a user, and few users have roles.
 */
const pageOf = (chosen: string): string => `
  with heads as materialized (${chosen}
  )
  select h.head, m.user_id, m.primary_user_id, m.recipe, m.email, m.email_verified, m.phone, m.third_party_id,
    m.third_party_user_id, m.password_hash, m.time_joined, m.external_id, d.metadata,
    case when exists (select from user_roles r where r.app_no = $1 and r.user_key = h.head::text)
      then roles_of($1, h.head::text) end as roles,
    case when jsonb_typeof(d.totp_devices) = 'array' then d.totp_devices end as totp_devices,
    (
      select json_agg(json_build_object(
        'id', t.id, 'name', t.name, 'period', t.period, 'skew', t.skew,
        'algorithm', t.algorithm, 'digits', t.digits, 'sealed', encode(t.sealed_secret, 'hex')
      ) order by t.created_at, t.name)
      from totp_devices t
      where t.app_no = $1 and t.user_key = h.head::text and t.verified
        and not (t.imported and jsonb_typeof(d.totp_devices) is not distinct from 'array')
    ) as sealed_devices,
    d.restrictions,
    case when m.user_id <> h.head then ${heirOf('$1', 'h.head')} end as heir,
    (select json_agg(distinct t.tenant_id order by t.tenant_id) from identities_of($1, m) i
      join tenants t on t.app_no = i.app_no and t.tenant_no = i.tenant_no) as tenant_ids
  from heads h
  cross join lateral (
    select u.* from users u where u.app_no = $1 and u.user_id = h.head
    union all
    select l.* from users l where l.app_no = $1 and l.primary_user_id = h.head and l.primary_user_id <> l.user_id
  ) m
  left join user_details d on d.app_no = $1 and d.user_id = h.head
  order by h.head, m.time_joined, m.user_id`;

const page = pageOf(heads);
const pageOfHeads = pageOf('select i.head from unnest($2::uuid[]) i (head)');

const firstId = '00000000-0000-0000-0000-000000000000';

/** Reads whole apps page by page: each page is a separate statement, so that no transaction is open for long. */
export function exportStore({ read }: Database): ExportStore {
  return {
    page: async (appNo, after = firstId, limit) => {
      const rows = await read<MethodRow>(page, [appNo, after, limit]);
      return toPage([...Map.groupBy(rows, (row) => row.head).entries()], limit);
    },
    changedPage: async (appNo, after = firstId, limit, since) => {
      const found = await read<{ head: string; is_changed: boolean }>(changedHeads, [
        appNo,
        after,
        limit,
        since,
      ]);
      const changed = found.filter((each) => each.is_changed).map(({ head }) => head);
      const rows =
        changed.length === 0 ? [] : await read<MethodRow>(pageOfHeads, [appNo, plainArray(changed, String)]);
      const { users } = toPage([...Map.groupBy(rows, (row) => row.head).entries()], limit);
      return { users, next: found.length < limit ? undefined : found.at(-1)?.head };
    },
    ofHeads: async (appNo, ids) => {
      const rows = await read<MethodRow>(pageOfHeads, [appNo, plainArray(ids, String)]);
      // One that is linked to another user by now is found by its id, and is no user.
      const own = rows.filter(({ head, primary_user_id: of, user_id: id }) => (of ?? id) === head);
      const byHead = Map.groupBy(own, (row) => row.head);
      return new Map(Array.from(byHead, ([head, methods]) => [head, toUser(head, methods)]));
    },
    beginningOf: async (appNo, jobId) => {
      const [row] = await read<{ at: number }>(beginning, [appNo, jobId]);
      return row?.at;
    },
  };
}

function toPage(users: readonly (readonly [string, readonly MethodRow[]])[], limit: number): ExportedPage {
  const next = users.length < limit ? undefined : users.at(-1)?.[0];
  return { users: users.map(([head, rows]) => toUser(head, rows)), next };
}

/**
 * The primary method is the head's own; if that was removed, its heir replaces it, or else the method that joined first, with the
 * user's external id.
 */
function toUser(head: string, rows: readonly MethodRow[]): ExportedUser {
  const own = rows.find((row) => row.user_id === head) ?? rows.find((row) => row.user_id === row.heir);
  const primary = own ?? rows[0];
  return {
    externalId: primary?.external_id ?? undefined,
    isPrimary: rows.some((row) => row.primary_user_id !== null),
    methods: [...rows].sort((a, b) => Number(b === primary) - Number(a === primary)).map(toMethod),
    metadata: primary?.metadata ?? undefined,
    roles: primary?.roles ?? undefined,
    totpDevices: primary?.totp_devices ?? undefined,
    sealedDevices: devicesOf(primary),
    restrictions: primary?.restrictions ?? undefined,
  };
}

function devicesOf(row: MethodRow | undefined): ExportedDevice[] {
  const found = row?.sealed_devices ?? [];
  return found.map(({ sealed, ...device }) => ({ ...device, sealedSecret: Buffer.from(sealed, 'hex') }));
}

function toMethod(row: MethodRow): StoredMethod {
  return {
    recipeId: recipeOf(row),
    recipeUserId: row.user_id,
    ...accountOf(row, row.email_verified),
    ...(row.external_id !== null && { externalId: row.external_id }),
    ...(row.password_hash !== null && { passwordHash: row.password_hash }),
  };
}
