import type { NewPasswordUser, Placed } from '../../operations/ports/ports.ts';
import { noteActivity } from './activity.ts';
import { again } from '../batch/batcher.ts';
import type { BatchedStatement } from '../batch/batches.ts';
import { inputColumns } from '../batch/columns.ts';
import { identityKey, identityKind } from '../../domain/identity.ts';
import { endResetTokens } from '../tokens/resets.ts';
import { isUpgradeOf } from '../sign-in/upgrade-hash.ts';

/**
 * Parts shared by the statements that create users. These are planned once, perhaps on empty tables, so their plans must not
 * depend on the tables' size: each look-up is a separate lateral sub-select over one table, which the planner cannot reorder,
 * because it locks or has an offset.
 */

/** Prevents the tenants' removal before this commit, and shows which were removed before. */
export const held = `
  select w.app_no, w.tenant_no
  from (select distinct app_no, tenant_no from input order by app_no, tenant_no) w
  cross join lateral (
    select 1 from tenants t where t.app_no = w.app_no and t.tenant_no = w.tenant_no for key share
  ) t`;

/**
 * Semi-joins with other parts of a statement. `is true` keeps the planner from turning them into joins: as a hashed subplan they
 * cost one probe an item, as nested loops a batch would cost the square of its size.
 */
export const isClaimed = '((i.user_id in (select c.user_id from claimed c)) is true)';
export const isHeld = '(((i.app_no, i.tenant_no) in (select h.app_no, h.tenant_no from held h)) is true)';

/**
 * Decides which users are new: the unique key of identities alone decides, also between cores. @param kind see identity.ts; or a
 * column of `i`
 */
export function claim(kind: number | 'i.kind'): string {
  return `
      insert into identities (app_no, tenant_no, kind, key, user_id)
      select i.app_no, i.tenant_no, ${kind}, i.key, i.user_id
      from input i where ${isHeld}
      order by i.app_no, i.key, i.tenant_no
      on conflict do nothing
      returning user_id`;
}

const newUsers = inputColumns<NewPasswordUser>({
  app_no: ['int', ({ tenant }) => tenant.appNo],
  tenant_no: ['int', ({ tenant }) => tenant.tenantNo],
  key: ['uuid', ({ email }) => identityKey(email)],
  email: ['text', ({ email }) => email],
  password_hash: ['text', ({ passwordHash }) => passwordHash],
  user_id: ['uuid', ({ userId }) => userId],
  time_joined: ['bigint', ({ timeJoined }) => timeJoined],
  replace: ['int', ({ replace }) => (replace ? 1 : 0)],
});

/**
 * Creates password users, or replaces the hash of existing ones.
 *
 * - `holder` locks the existing users, in the order of their keys so that two batches cannot deadlock. It compares the email
 *   itself: the key is only a digest of it.
 * - `replaced` finds the rows by their primary key, as a conflict: an update would join, and the plan of a join varies. It does
 *   not change the hash of a user whose sign-in upgraded this very hash. An upgrade that commits while this waits for its lock is
 *   not seen: the old hash is stored then, with the same password, and is upgraded again.
 * - `known_as` are the ids of users whose hash changes: their password reset tokens end.
 * - A user who is neither claimed nor visible lost a race to another transaction and is retried.
 */
export const putPasswordUser: BatchedStatement<NewPasswordUser, PlacedRow, Placed> = {
  name: 'put-password-user',
  access: 'import',
  text: `
    with input as materialized (
      select * from ${newUsers.numberedAs('i')}
    ),
    held as materialized (${held}),
    claimed as (${claim(identityKind.email)}),
    created as (
      insert into users (app_no, recipe, email_verified, user_id, time_joined, email, password_hash)
      select i.app_no, 1, false, i.user_id, i.time_joined, i.email, i.password_hash
      from input i where ${isClaimed}
    ),
    holder as materialized (
      select i.n, i.replace, i.password_hash as new_hash, u.*
      from (select * from input i where not ${isClaimed} order by app_no, key, tenant_no) i
      cross join lateral (
        select d.user_id from identities d
        where d.app_no = i.app_no and d.kind = 1 and d.key = i.key and d.tenant_no = i.tenant_no
        offset 0
      ) d
      cross join lateral (
        select u.app_no, u.recipe, u.email_verified, u.user_id, u.time_joined, u.password_hash as old_hash,
          u.primary_user_id as head, coalesce(u.external_id, u.user_id::text) as seen_id
        from users u
        where u.app_no = i.app_no and u.user_id = d.user_id and u.email = i.email
        for no key update
      ) u
    ),
    changing as materialized (
      select * from holder h
      where replace = 1 and old_hash is distinct from new_hash
        and not ${isUpgradeOf({ app: 'h.app_no', id: 'h.user_id', hash: 'h.old_hash' }, 'hash_mark(h.new_hash)')}
    ),
    replaced as (
      insert into users (app_no, recipe, email_verified, user_id, time_joined, password_hash)
      select app_no, recipe, email_verified, user_id, time_joined, new_hash from changing
      on conflict (app_no, user_id) do update set password_hash = excluded.password_hash
    ),
    noted as (${noteActivity('imported_at', 'changing')}),
    known_as as materialized (
      select app_no, seen_id as id from changing
      union all
      select c.app_no, l.id from changing c cross join lateral linked_ids(c.app_no, c.head) l (id)
    ),
    ended as (${endResetTokens('known_as')})
    select i.n::int as n, true as created, false as gone, null::uuid as holder from input i where ${isClaimed}
    union all
    select i.n::int, false, true, null from input i where not ${isHeld}
    union all
    select h.n::int, false, false, h.user_id from holder h`,
  parameters: newUsers.parameters,
  keyOf: ({ tenant, email }) => `${tenant.appNo} ${tenant.tenantNo} ${email}`,
  outcomeOf: ([row]) => placed(row),
};

export interface PlacedRow {
  readonly n: number;
  readonly created: boolean;
  readonly gone: boolean;
  readonly holder: string | null;
}

/** The outcome of one item of a statement that creates or finds users. */
export function placed(row: PlacedRow | undefined): Placed | typeof again {
  if (row?.created) return { outcome: 'created' };
  if (row?.gone) return { outcome: 'tenant-gone' };
  return row?.holder ? { outcome: 'existing', userId: row.holder } : again;
}
