import type {
  KeptRestrictions,
  RestrictedUser,
  RestrictionChange,
  RestrictionStore,
} from '../../operations/ports/ports.ts';
import { checkAtSource, protectingActions } from '../../domain/required-actions.ts';
import { textArray } from '../../domain/pg-array.ts';
import { endSessionsOfDisabled } from './end-sessions.ts';
import { noteActivity } from './activity.ts';
import type { Database, Query } from '../../database/database.ts';

/** Why a sign-in is refused, as SQL over `user_details.restrictions`; null where it is not. */
export function restrictionOf(restrictions: string): string {
  return `case
        when disabled_until(${restrictions}) > clock_ms() then 'DISABLED'
        when ${restrictions} ? 'isHeld'
          then case when ${restrictions} -> 'stated' ? 'secondFactors' then 'SECOND_FACTOR' else 'REQUIRED_ACTION' end
      end`;
}

interface Row {
  readonly head: string;
  readonly seen_id: string;
  readonly restrictions: KeptRestrictions | null;
}

/** The head may have no row: its own login method may have been removed while others are left. */
const find = `
  with wanted as materialized (
    select coalesce(u.primary_user_id, u.user_id) as head from user_of($1, $2) u
    union all
    select l.head from (
      select l.primary_user_id as head from users l
      where l.app_no = $1 and l.primary_user_id = as_core_id($2) and l.primary_user_id <> l.user_id limit 1
    ) l
    where not exists (select 1 from user_of($1, $2))
  )
  select w.head, coalesce(h.external_id, w.head::text) as seen_id, t.restrictions
  from wanted w
  left join users h on h.app_no = $1 and h.user_id = w.head
  left join user_details t on t.app_no = $1 and t.user_id = w.head`;

/** The same lock as an import's on users that it changes, so that neither overwrites what the other has read. */
const lock = `
  select u.user_id from users u
  where u.app_no = $1 and u.user_id = any(array(
    select $2::uuid
    union all
    select l.user_id from users l where l.app_no = $1 and l.primary_user_id = $2 and l.primary_user_id <> l.user_id
  ))
  order by u.user_id
  for no key update`;

const keep = `
  insert into user_details (app_no, user_id, restrictions) values ($1, $2, $3::text::jsonb)
  on conflict (app_no, user_id) do update set restrictions = excluded.restrictions`;

const noteRestricted = noteActivity(
  'restricted_at',
  '(select $1::int as app_no, unnest($2::uuid[]) as user_id)',
);

function isImaged(method: string): string {
  return `exists (
        select from import_before_images b where b.app_no = $1 and b.job_id = $5 and b.user_id = ${method} offset 0
      )`;
}

/**
 * Whether an action alone restricts a user: a check disables, any other action holds. A user who is disabled or held by a
 * request, or by a second factor or another action, is not restricted by it alone.
 */
function isRestrictedBy(restrictions: string, action: string): string {
  const stated = `${restrictions} -> 'stated'`;
  return `(
      ${stated} -> 'requiredActions' ? ${action} and case when ${action} = '${checkAtSource}'
        then ${restrictions} ? 'isDisabled' and ${restrictions} #> '{here,isDisabled}' is null
        else ${restrictions} ? 'isHeld' and ${restrictions} #> '{here,isHeld}' is null
          and not ${stated} ? 'secondFactors'
          and not exists (
            select from jsonb_array_elements_text(${stated} -> 'requiredActions') a (name)
            where a.name <> ${action} and upper(replace(a.name, '-', '_')) = any(array['${protectingActions.join("','")}'])
          )
      end
    )`;
}

const list = `
  select t.user_id as head, coalesce(h.external_id, t.user_id::text) as seen_id, t.restrictions
  from user_details t
  left join users h on h.app_no = t.app_no and h.user_id = t.user_id
  where t.app_no = $1 and t.restrictions is not null and t.user_id > $2
    and (t.restrictions ? 'isHeld' or disabled_until(t.restrictions) > clock_ms())
    and ($4::text is null or ${isRestrictedBy('t.restrictions', '$4')})
    and ($5::uuid is null or exists (
      select from users u
      where u.app_no = $1 and u.user_id = t.user_id and (u.import_job = $5 or ${isImaged('u.user_id')})
      offset 0
    ) or exists (
      select from users l
      where l.app_no = $1 and l.primary_user_id = t.user_id and l.primary_user_id <> l.user_id
        and (l.import_job = $5 or ${isImaged('l.user_id')})
      offset 0
    ))
  order by t.user_id limit $3`;

const firstId = '00000000-0000-0000-0000-000000000000';

/** Restrictions of sign-ins, to be read and changed. */
export function restrictionStore(database: Database): RestrictionStore {
  const { read } = database;
  return {
    find: async (appNo, userId) => {
      const [row] = await read<Row>(find, [appNo, userId]);
      return row && toUser(row);
    },
    change: (change) => database.transaction((query) => apply(query, change)),
    list: async (appNo, after = firstId, limit, { requiredAction, job } = {}) => {
      const rows = await read<Row>(list, [appNo, after, limit, requiredAction ?? null, job ?? null]);
      return { users: rows.map(toUser), next: rows.length < limit ? undefined : rows.at(-1)?.head };
    },
  };
}

const findKept = `
  select t.user_id as head, '' as seen_id, t.restrictions from user_details t
  where t.app_no = $1::int and t.user_id = any(array[$2::uuid, $3::uuid])`;

/** A restriction survives linking and unlinking. Both users are locked. */
export async function carryRestrictions(
  query: Query,
  { appNo, from, to }: { readonly appNo: number; readonly from: string; readonly to: string },
): Promise<void> {
  const rows = await query<Row>(findKept, [appNo, from, to]);
  const keptOf = (head: string): KeptRestrictions =>
    rows.find((row) => row.head === head)?.restrictions ?? {};
  const { isDisabled, isHeld, stated } = keptOf(from);
  if (!isDisabled && !isHeld) return;
  const own = keptOf(to);
  const longer = longerOf(isDisabled, own.isDisabled);
  const change = { ...(longer && { isDisabled: longer }), ...(isHeld && { isHeld }) };
  const kept = changed({ ...(stated && { stated }), ...own }, { appNo, userId: to, ...change });
  await query(keep, [appNo, to, JSON.stringify(kept)]);
}

type Disabled = KeptRestrictions['isDisabled'];

function longerOf(one: Disabled, other: Disabled): Disabled {
  if (one === undefined || other === undefined) return one ?? other;
  return one === true || other === true ? true : Math.max(one, other);
}

function toUser({ seen_id: userId, restrictions }: Row): RestrictedUser {
  return { userId, kept: restrictions ?? {} };
}

async function apply(query: Query, change: RestrictionChange): Promise<RestrictedUser | undefined> {
  const { appNo, userId } = change;
  const [found] = await query<Row>(find, [appNo, userId]);
  if (!found) return undefined;
  const locked = await query<{ user_id: string }>(lock, [appNo, found.head]);
  const [row] = await query<Row>(find, [appNo, userId]);
  if (!row) return undefined;
  const before = row.restrictions ?? {};
  const kept = changed(before, change);
  if (change.isDisabled !== undefined)
    await query(endSessionsOfDisabled, [
      appNo,
      `{${row.head}}`,
      textArray([kept], (each) => JSON.stringify(each)),
    ]);
  if (kept !== before) {
    await query(keep, [appNo, row.head, JSON.stringify(kept)]);
    await query(noteRestricted, [appNo, `{${locked.map((each) => each.user_id).join(',')}}`]);
  }
  return { userId: row.seen_id, kept };
}

/** A restriction set or lifted here is not changed by imports. A user who was and remains unrestricted was not decided here. */
function changed(kept: KeptRestrictions, change: RestrictionChange): KeptRestrictions {
  let result = kept;
  for (const flag of ['isDisabled', 'isHeld'] as const) {
    const { [flag]: before, ...rest } = result;
    const wanted = change[flag];
    if (wanted === undefined || (wanted === false && before === undefined)) continue;
    result = { ...rest, ...(wanted !== false && { [flag]: wanted }), here: { ...rest.here, [flag]: true } };
  }
  return result;
}
