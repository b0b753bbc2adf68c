import type { TenantUser, TenantUserAdded, TenantUserStore } from '../../../operations/ports/linking.ts';
import type { Database, Query } from '../../../database/database.ts';
import { isUniqueViolation } from '../../../database/sqlstate.ts';
import { endSessionsOfMethodIn } from '../end-sessions.ts';
import { noteLinked } from './link.ts';
import { rivalOf } from './rivals.ts';
import { lockUsers, methodOf } from './users.ts';

/** Prevents the tenant's removal before the commit. Tenants are locked before users, as in every other statement. */
const holdTenant = 'select 1 from tenants where app_no = $1::int and tenant_no = $2::int for key share';

/** Every identity that a login method has in a tenant, and its user. */
const findPlaces = `
  select x.kind, x.key, d.user_id as holder
  from users u
  cross join lateral (values
    (identity_kind(u.recipe, u.email),
      identity_key(u.recipe, u.email, u.third_party_id, u.third_party_user_id, u.phone)),
    (4::smallint,
      case when u.recipe = 3 and u.email is not null then identity_key(3::smallint, null, null, null, u.phone) end)
  ) x (kind, key)
  left join lateral (
    select d.user_id from identities d
    where d.app_no = $1::int and d.kind = x.kind and d.key = x.key and d.tenant_no = $3::int
    offset 0
  ) d on true
  where u.app_no = $1 and u.user_id = $2::uuid and x.key is not null
  order by x.kind`;

interface Place {
  readonly kind: number;
  readonly key: string;
  readonly holder: string | null;
}

const takePlace = `
  insert into identities (app_no, tenant_no, kind, key, user_id)
  values ($1::int, $3::int, $4::smallint, $5::uuid, $2::uuid)`;

const takenBy = { 1: 'email-taken', 2: 'third-party-taken', 3: 'email-taken', 4: 'phone-taken' } as const;

/** An identity taken after the look at it is seen by the next attempt. */
const maxAttempts = 5;

const leave = `
  delete from identities i
  using users u, lateral identities_of($1::int, u) own
  where u.app_no = $1 and u.user_id = $2::uuid and own.tenant_no = $3::int
    and i.app_no = own.app_no and i.kind = own.kind and i.key = own.key and i.tenant_no = own.tenant_no
  returning i.kind`;

/** Also those that were requested under another id of the user, for the login method's email. */
const endTokensHere = `
  with method as materialized (select u.* from users u where u.app_no = $1::int and u.user_id = $2::uuid),
  known_as as materialized (
    select coalesce(m.external_id, m.user_id::text) as id, null::text as email from method m
    union all
    select l.id, m.email from method m cross join lateral linked_ids($1, m.primary_user_id) l (id)
    where m.email is not null
  )
  delete from tokens t where t.ctid = any(array(
    select e.place from known_as k cross join (values (1), (2)) p (purpose)
    cross join lateral (
      select e.ctid as place from tokens e
      where e.app_no = $1 and e.user_id = k.id and e.purpose = p.purpose and e.tenant_no = $3::int
        and (k.email is null or e.email = k.email)
      offset 0
    ) e
  ))`;

const dropRolesHere = `
  delete from user_roles where app_no = $1::int and user_key = $2::text and tenant_no = $3::int`;

/** The tenants in which login methods may sign in. */
export function tenantUserStore(database: Database): TenantUserStore {
  return {
    async add(user) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await database.transaction((query) => add(query, user));
        } catch (error) {
          if (!isUniqueViolation(error) || attempt === maxAttempts) throw error;
        }
      }
    },
    remove: (user) => database.transaction((query) => remove(query, user)),
  };
}

async function add(query: Query, { tenant, recipeUserId }: TenantUser): Promise<TenantUserAdded> {
  const { appNo, tenantNo } = tenant;
  if ((await query(holdTenant, [appNo, tenantNo])).length === 0) return { outcome: 'tenant-gone' };
  await lockUsers(query, appNo, recipeUserId);
  const method = await methodOf(query, appNo, recipeUserId);
  if (!method) return { outcome: 'unknown-user' };
  const places = await query<Place>(findPlaces, [appNo, method.id, tenantNo]);
  const taken = places.find(({ holder }) => holder !== null && holder !== method.id);
  if (taken) return { outcome: takenBy[taken.kind as keyof typeof takenBy] };
  const free = places.filter(({ holder }) => holder === null);
  if (free.length === 0) return { outcome: 'added', wasThere: true };
  const head = method.primaryUserId;
  const joining = { methodId: method.id, tenantNo };
  const rival = head === null ? undefined : await rivalOf(query, { appNo, heads: [head], joining });
  if (rival) return { outcome: 'info-taken', info: rival.info };
  for (const { kind, key } of free) await query(takePlace, [appNo, method.id, tenantNo, kind, key]);
  await query(noteLinked, [appNo, method.id]);
  return { outcome: 'added', wasThere: false };
}

async function remove(query: Query, { tenant, recipeUserId }: TenantUser) {
  const { appNo, tenantNo } = tenant;
  await query(holdTenant, [appNo, tenantNo]);
  await lockUsers(query, appNo, recipeUserId);
  const method = await methodOf(query, appNo, recipeUserId);
  if (!method) return 'unknown-user';
  const left = await query(leave, [appNo, method.id, tenantNo]);
  if (left.length === 0) return 'was-not-there';
  await query(endSessionsOfMethodIn, [appNo, method.id, tenantNo]);
  await query(endTokensHere, [appNo, method.id, tenantNo]);
  await query(dropRolesHere, [appNo, method.id, tenantNo]);
  await query(noteLinked, [appNo, method.id]);
  return 'removed';
}
