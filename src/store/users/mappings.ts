import type {
  KeptKind,
  MapOutcome,
  MappingStore,
  UserIdMapping,
  UserIdType,
} from '../../operations/ports/mapping.ts';
import { again } from '../batch/batcher.ts';
import type { BatchedStatement, Batches } from '../batch/batches.ts';
import { inputColumns } from '../batch/columns.ts';
import type { Database } from '../../database/database.ts';
import { asCoreId } from '../../domain/identity.ts';
import { isUniqueViolation } from '../../database/sqlstate.ts';
import { moveTotp } from './move-totp.ts';
import { keptOfMapped, keptOfUnmapped } from './kept-data.ts';
import { ownerOf } from '../removal/heirs.ts';

interface MapItem extends UserIdMapping {
  readonly appNo: number;
}

interface MapRow {
  readonly n: number;
  readonly known: boolean;
  readonly user_mapped: boolean;
  readonly external_mapped: boolean;
  readonly names_a_user: boolean;
  readonly mapped: boolean;
}

const mapItems = inputColumns<MapItem>({
  app_no: ['int', ({ appNo }) => appNo],
  core_id: ['uuid', ({ superTokensUserId }) => asCoreId(superTokensUserId)],
  external_id: ['text', ({ externalUserId }) => externalUserId],
  info: ['text', ({ externalUserIdInfo }) => externalUserIdInfo],
});

/**
 * Maps, and in the same statement moves data stored under the core's id (verified pairs, tokens of both kinds) to the external
 * one. An external id taken by another item at the same moment is a unique violation: that item is repeated alone and then sees
 * its user. So is an item whose user was mapped by another core at the same moment: it appeared free, but could no longer be
 * updated.
 */
const map: BatchedStatement<MapItem, MapRow, MapOutcome> = {
  name: 'map-user-id',
  access: 'write',
  text: `
    with state as materialized (
      select i.*, u.user_id is not null as known, u.external_id is not null as user_mapped,
        exists (select 1 from users e where e.app_no = i.app_no and e.external_id = i.external_id) or coalesce(
          ${ownerOf('i.app_no', 'i.external_id')} <> i.core_id, false
        ) as external_mapped,
        exists (select 1 from users o where o.app_no = i.app_no and o.user_id = as_core_id(i.external_id)) as names_a_user
      from ${mapItems.numberedAs('i')}
      left join users u on u.app_no = i.app_no and u.user_id = i.core_id
    ),
    free as materialized (
      select * from state where known and not (user_mapped or external_mapped or names_a_user)
      order by app_no, core_id -- in which every statement locks users
    ),
    mapped as (
      update users u set
        external_id = f.external_id,
        email_verified = u.email_verified or exists (
          select 1 from verified_emails v where v.app_no = u.app_no and v.user_id = f.external_id and v.email = u.email
        )
      from free f
      where u.app_no = f.app_no and u.user_id = f.core_id and u.external_id is null
      returning f.n, f.app_no, f.core_id, f.external_id, f.info
    ),
    informed as (
      insert into external_id_info (app_no, user_id, info)
      select app_no, core_id, info from mapped where info is not null
      on conflict (app_no, user_id) do update set info = excluded.info
    ),
    left_behind as (
      delete from verified_emails v using mapped m
      where v.app_no = m.app_no and v.user_id = m.core_id::text
      returning m.app_no, m.external_id, v.email
    ),
    moved as (
      insert into verified_emails (app_no, user_id, email)
      select app_no, external_id, email from left_behind on conflict do nothing
    ),
    renamed as (
      update tokens t set user_id = m.external_id from mapped m
      where t.app_no = m.app_no and t.user_id = m.core_id::text
    ),
    adopted as (
      update sessions s set user_key = m.core_id::text from mapped m
      where s.app_no = m.app_no and s.user_key = m.external_id
    ),
    roles_adopted as (
      update user_roles r set user_key = m.core_id::text from mapped m
      where r.app_no = m.app_no and r.user_key = m.external_id and not exists (
        select 1 from user_roles o
        where o.app_no = r.app_no and o.user_key = m.core_id::text and o.tenant_no = r.tenant_no and o.role = r.role
      )
    ),
    roles_had as (
      delete from user_roles r using mapped m, user_roles o
      where r.app_no = m.app_no and r.user_key = m.external_id
        and o.app_no = r.app_no and o.user_key = m.core_id::text and o.tenant_no = r.tenant_no and o.role = r.role
    ),
    no_more_awaited as (
      delete from awaited_ids a where a.ctid = any(array(
        select a.place from mapped m
        cross join lateral (
          select a.ctid as place from awaited_ids a
          where a.app_no = m.app_no
            and a.mark = rare_mark((select d.secret from decoy_secret d limit 1), m.app_no, 'x' || m.external_id)
          offset 0
        ) a
      ))
    ),
    text_left as (
      delete from text_metadata t using mapped m
      where t.app_no = m.app_no and t.user_key = m.external_id
      returning m.app_no, m.core_id, t.metadata
    ),
    metadata_adopted as (
      insert into user_details as d (app_no, user_id, metadata) select l.* from text_left l
      on conflict (app_no, user_id) do update set metadata = coalesce(d.metadata, excluded.metadata)
    ),
    ${moveTotp('(select app_no, external_id as former, core_id::text as key from mapped)')}
    select n::int as n, known, user_mapped, external_mapped, names_a_user,
      (n in (select m.n from mapped m)) is true as mapped
    from state`,
  parameters: mapItems.parameters,
  keyOf: ({ appNo, superTokensUserId }) => `${appNo} ${superTokensUserId}`,
  repeatAlone: isUniqueViolation,
  outcomeOf: ([row]) => mapOutcome(row),
};

function mapOutcome(row: MapRow | undefined): MapOutcome | typeof again {
  if (!row?.known) return { outcome: 'unknown-user' };
  if (row.user_mapped || row.external_mapped) {
    return { outcome: 'exists', userHasMapping: row.user_mapped, externalIdHasMapping: row.external_mapped };
  }
  if (row.names_a_user) return { outcome: 'id-of-a-user' };
  return row.mapped ? { outcome: 'mapped' } : again;
}

/**
 * The mapped user that `$2` means, interpreted as the caller's `$3` states: ANY tries the core's ids first. Whether that user is
 * mapped is checked after the look-up: the index of all mapped users of the app looks equally good to the planner.
 */
const target = `
  select u.app_no, u.user_id, u.external_id
  from (select * from users where app_no = $1 and user_id = as_core_id($2) offset 0) u
  where u.external_id is not null and $3 <> 'EXTERNAL'
  union all
  select u.app_no, u.user_id, u.external_id from users u
  where u.app_no = $1 and $3 <> 'SUPERTOKENS' and u.external_id = $2
  limit 1`;

/** The same for a login method with the external id of its user, by its own external id, or by the core's. */
const isOwnTarget = `
  o.app_no = $1 and o.user_id = coalesce(
    (
      select k.user_id from own_external_ids k
      where k.app_no = $1 and k.user_id = as_core_id($2) and $3 <> 'EXTERNAL'
    ),
    case when $3 <> 'SUPERTOKENS' then ${ownerOf('$1', '$2')} end
  )`;

const find = `
  with target as (${target})
  select o.user_id as "superTokensUserId", o.external_id as "externalUserId", o.info
  from own_external_ids o where ${isOwnTarget}
  union all
  select t.user_id, t.external_id, e.info
  from target t left join external_id_info e using (app_no, user_id)
  limit 1`;

const unmapOwn = `delete from own_external_ids o where ${isOwnTarget} returning 1 as done`;
const setOwnInfo = `update own_external_ids o set info = $4::text where ${isOwnTarget} returning 1 as done`;

/** The reverse: data stored under the external id moves to the core's, so that nothing verified is lost. $2 and $3: see target. */
export const unmap = `
  with target as materialized (${target}),
  unmapped as (
    update users u set external_id = null from target t
    where u.app_no = t.app_no and u.user_id = t.user_id and u.external_id = t.external_id
  ),
  uninformed as (
    delete from external_id_info e using target t where e.app_no = t.app_no and e.user_id = t.user_id
  ),
  left_behind as (
    delete from verified_emails v using target t
    where v.app_no = t.app_no and v.user_id = t.external_id
    returning t.app_no, t.user_id, v.email
  ),
  moved as (
    insert into verified_emails (app_no, user_id, email)
    select app_no, user_id::text, email from left_behind on conflict do nothing
  ),
  renamed as (
    update tokens k set user_id = t.user_id::text from target t
    where k.app_no = t.app_no and k.user_id = t.external_id
  )
  select 1 as done from target`;

const setInfo = `
  with target as materialized (${target}),
  removed as (
    delete from external_id_info e using target t
    where $4::text is null and e.app_no = t.app_no and e.user_id = t.user_id
  ),
  kept as (
    insert into external_id_info (app_no, user_id, info)
    select app_no, user_id, $4::text from target where $4::text is not null
    on conflict (app_no, user_id) do update set info = excluded.info
  )
  select 1 as done from target`;

const keptOfTarget = keptOfMapped(target);

interface FoundRow extends Omit<UserIdMapping, 'externalUserIdInfo'> {
  readonly info: string | null;
}

export function mappingStore(batches: Batches, { read, write }: Database): MappingStore {
  const submit = batches.add(map);
  const touches = async (text: string, parameters: (string | number | null)[]): Promise<boolean> =>
    (await write(text, parameters)).length > 0;
  const kept = async (text: string, parameters: (string | number)[]): Promise<KeptKind | undefined> => {
    const [row] = await read<{ kind: KeptKind | null }>(text, parameters);
    return row?.kind ?? undefined;
  };
  return {
    keptOfUnmapped: (appNo, id, now) => kept(keptOfUnmapped, [appNo, id, now]),
    keptOfMapped: (appNo, id, type, now) => kept(keptOfTarget, [appNo, id, type, now]),
    map: (appNo, mapping) => submit({ appNo, ...mapping }),
    find: async (appNo, id, type) => {
      const [row] = await read<FoundRow>(find, [appNo, id, type]);
      if (!row) return undefined;
      const { info, ...mapping } = row;
      return info === null ? mapping : { ...mapping, externalUserIdInfo: info };
    },
    unmap: async (appNo, id, type: UserIdType) =>
      (await touches(unmapOwn, [appNo, id, type])) || (await touches(unmap, [appNo, id, type])),
    setInfo: async (appNo, id, type: UserIdType, info) =>
      (await touches(setOwnInfo, [appNo, id, type, info])) ||
      (await touches(setInfo, [appNo, id, type, info])),
  };
}
