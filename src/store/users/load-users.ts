import type { LoginMethod, RecipeId, User } from '../../domain/model.ts';
import { assembleUser } from '../../domain/user.ts';
import type { BatchedStatement } from '../batch/batches.ts';
import { inputColumns } from '../batch/columns.ts';
import { heirOf, ownerOf, ownIdOf } from '../removal/heirs.ts';

export interface UserLookup {
  readonly appNo: number;
  /** Any id by which the caller knows the user. */
  readonly id: string;
}

/** A login method as it is read. */
export interface LoginRow {
  /** The head of its user. */
  readonly head: string;
  readonly user_id: string;
  readonly primary_user_id: string | null;
  readonly recipe: number;
  readonly email: string | null;
  readonly phone: string | null;
  readonly third_party_id: string | null;
  readonly third_party_user_id: string | null;
  readonly email_verified: boolean;
  readonly time_joined: number;
  /** The user's, if the login method has inherited it from a removed head. */
  readonly external_id: string | null;
  /** The method that has the user's external id after the head was removed; null at the head. */
  readonly heir: string | null;
  readonly tenant_ids: string[] | null;
}

interface MethodRow extends LoginRow {
  readonly n: number;
  /** The external id of the login method itself, if `external_id` is that of its user. */
  readonly own_id: string | null;
}

/** The recipe's name by its number in the table. */
export const recipeNames: Readonly<Record<number, RecipeId>> = {
  1: 'emailpassword',
  2: 'thirdparty',
  3: 'passwordless',
};

/** The numbers of the given recipes; of all by default. */
export function recipeNumbers(recipes: readonly RecipeId[]): number[] {
  const all = Object.entries(recipeNames);
  return all
    .filter(([, name]) => recipes.length === 0 || recipes.includes(name))
    .map(([number]) => Number(number));
}

const lookups = inputColumns<UserLookup>({
  app_no: ['int', ({ appNo }) => appNo],
  id: ['text', ({ id }) => id],
});

/**
 * Whole users, with every login method that is linked to them. The id may be that of any of the methods, or of a head whose own
 * login method was removed while others were left.
 */
export const loadUser: BatchedStatement<UserLookup, MethodRow, User | null> = {
  name: 'load-user',
  access: 'read',
  planned: 'once',
  gathers: true,
  text: `
    with wanted as materialized (
      select w.n, w.app_no, coalesce(
        own.primary_user_id, own.user_id, mapped.primary_user_id, mapped.user_id,
        kept.primary_user_id, kept.user_id,
        (select l.primary_user_id from users l
          where l.app_no = w.app_no and l.primary_user_id = w.core_id and l.primary_user_id <> l.user_id limit 1)
      ) as head
      from (
        select i.n, i.app_no, i.id, as_core_id(i.id) as core_id
        from ${lookups.numberedAs('i')}
        offset 0
      ) w
      left join lateral (
        select u.user_id, u.primary_user_id from users u where u.app_no = w.app_no and u.user_id = w.core_id
        offset 0
      ) own on true
      left join lateral (
        select u.user_id, u.primary_user_id from users u
        where u.app_no = w.app_no and u.external_id = w.id and own.user_id is null
        offset 0
      ) mapped on true
      left join lateral (
        select u.user_id, u.primary_user_id from users u
        where u.app_no = w.app_no and own.user_id is null and mapped.user_id is null and u.user_id = ${ownerOf('w.app_no', 'w.id')}
        offset 0
      ) kept on true
    )
    select w.n::int as n, w.head, m.user_id, m.primary_user_id, m.recipe, m.email, m.phone, m.third_party_id,
      m.third_party_user_id, m.email_verified, m.time_joined, m.external_id,
      case when m.external_id is not null then ${ownIdOf('w.app_no', 'm.user_id')} end as own_id,
      case when m.user_id <> w.head then ${heirOf('w.app_no', 'w.head')} end as heir,
      (select json_agg(distinct t.tenant_id) from identities_of(w.app_no, m) i
        join tenants t on t.app_no = i.app_no and t.tenant_no = i.tenant_no) as tenant_ids
    from wanted w
    cross join lateral (
      (select u.* from users u where u.app_no = w.app_no and u.user_id = w.head offset 0)
      union all
      (
        select l.* from users l
        where l.app_no = w.app_no and l.primary_user_id = w.head and l.primary_user_id <> l.user_id
        offset 0
      )
    ) m`,
  parameters: lookups.parameters,
  outcomeOf: (rows) => toUser(rows) ?? null,
};

function toUser(rows: readonly MethodRow[]): User | undefined {
  const [first] = rows;
  if (!first) return undefined;
  const bearer = rows.find((row) => row.user_id === row.head) ?? rows.find((row) => row.user_id === row.heir);
  const isPrimary = rows.some((row) => row.primary_user_id !== null);
  return assembleUser(bearer?.external_id ?? first.head, isPrimary, rows.map(toLoginMethod));
}

function toLoginMethod(row: MethodRow): LoginMethod {
  // A sign-in by phone needs a code sent to the number, and there is no other way to verify one.
  const isVerified = row.email_verified || (row.recipe === 3 && row.email === null);
  const recipeUserId = row.own_id ?? row.external_id ?? row.user_id;
  // In the order in which clients have always had the fields.
  return { recipeId: recipeOf(row), recipeUserId, ...accountOf(row, isVerified) };
}

export const recipeOf = ({ recipe }: LoginRow): RecipeId => recipeNames[recipe] ?? 'emailpassword';

/** The fields of a login method that every answer has. */
export function accountOf(row: LoginRow, verified: boolean): Omit<LoginMethod, 'recipeId' | 'recipeUserId'> {
  return {
    tenantIds: row.tenant_ids ?? [],
    timeJoined: row.time_joined,
    verified,
    ...(row.email !== null && { email: row.email }),
    ...(row.phone !== null && { phoneNumber: row.phone }),
    ...(row.third_party_id !== null && {
      thirdParty: { id: row.third_party_id, userId: row.third_party_user_id ?? '' },
    }),
  };
}
