import { plainArray } from '../../../domain/pg-array.ts';
import type { CarriedSession, CarryObstacle, CarryOutcome } from '../model.ts';
import { arraysOf, insertSessions, newSessionArrays, newSessionColumns } from '../../sessions/feature.ts';
import { again } from '../../../store/batch/batcher.ts';
import type { BatchedStatement } from '../../../store/batch/batches.ts';
import { methodId } from '../../../store/removal/heirs.ts';

interface CarryRow {
  readonly n: number;
  readonly obstacle: CarryObstacle | null;
  readonly is_taken: boolean;
  readonly user_id: string | null;
  readonly recipe_user_id: string | null;
  readonly method_id: string | null;
  readonly handle: string | null;
  readonly caller: string | null;
  readonly anti_csrf: boolean | null;
  readonly carried_at: number | null;
}

/**
 * All login methods of the users are locked against change until the commit, in the order of their ids, before checking
 * whether the user may: so what was reset, changed, signed out, disabled or removed by then counts, and a later change
 * finds the session. Of several exchanges of one token the first is stored; one that loses to another core's is read again.
 */
export const carry: BatchedStatement<CarriedSession, CarryRow, CarryOutcome> = {
  name: 'carry-session',
  access: 'write',
  text: `
    with meant as materialized (
      select i.*, u.user_id as method_id, coalesce(u.primary_user_id, u.user_id) as head,
        seen_user_id(i.app_no, u) as seen_id,
        ${methodId('i.app_no', 'u')} as recipe_user_id
      from unnest(
        ${newSessionArrays},
        $11::text[], $12::text[], $13::bool[], $14::bigint[], $15::bigint[]
      ) with ordinality as i (
        ${newSessionColumns('external_id')},
        digest, caller, anti_csrf, issued_at, kept_until, n
      )
      left join lateral user_called(i.app_no, i.external_id) u on true
    ),
    methods as materialized (
      select m.app_no, m.method_id as user_id from meant m where m.method_id is not null
      union
      select m.app_no, m.head from meant m where m.method_id is not null
      union
      select l.app_no, l.user_id from meant m
      cross join lateral (
        select l.app_no, l.user_id from users l
        where l.app_no = m.app_no and l.primary_user_id = m.head and l.primary_user_id <> l.user_id
        offset 0
      ) l
      order by 1, 2
    ),
    locked as materialized (
      select u.app_no, u.user_id from methods d
      cross join lateral (
        select u.app_no, u.user_id from users u where u.app_no = d.app_no and u.user_id = d.user_id for share
      ) u
    ),
    judged as materialized (
      select m.*, e.handle as former_handle, e.caller as former_caller, e.anti_csrf as former_anti_csrf,
        e.carried_at as former_at,
        case
          when m.method_id is null then 'unknown-user'
          else carry_obstacle(m.app_no, m.tenant_no, m.method_id, m.issued_at, l.count)
        end as obstacle
      from meant m
      cross join (select count(*) from locked) l
      left join carried_sessions e on e.app_no = m.app_no and e.token_digest = decode(m.digest, 'hex')
    ),
    first as materialized (
      select distinct on (j.app_no, j.digest) j.* from judged j
      where j.obstacle is null and j.former_handle is null
      order by j.app_no, j.digest, j.n
    ),
    taken as (
      insert into carried_sessions (app_no, token_digest, handle, caller, anti_csrf, carried_at, expires_at)
      select f.app_no, decode(f.digest, 'hex'), f.handle, decode(f.caller, 'hex'), f.anti_csrf, f.created_at, f.kept_until
      from first f
      order by f.app_no, f.digest
      on conflict do nothing
      returning app_no, handle
    ),
    kept as (${insertSessions('f', 'f.method_id::text')}
      from first f join taken t on t.app_no = f.app_no and t.handle = f.handle
    )
    select j.n::int as n, j.obstacle, t.handle is not null and t.handle = j.handle as is_taken, j.seen_id as user_id,
      j.recipe_user_id, j.method_id, coalesce(j.former_handle, t.handle) as handle,
      coalesce(encode(j.former_caller, 'hex'), f.caller) as caller, coalesce(j.former_anti_csrf, f.anti_csrf) as anti_csrf,
      coalesce(j.former_at, f.created_at) as carried_at
    from judged j
    left join first f on f.app_no = j.app_no and f.digest = j.digest
    left join taken t on t.app_no = f.app_no and t.handle = f.handle`,
  parameters: (sessions) => [
    ...arraysOf(sessions, ({ externalId }) => externalId),
    plainArray(sessions, ({ tokenDigest }) => tokenDigest),
    plainArray(sessions, ({ caller }) => caller),
    plainArray(sessions, ({ antiCsrf }) => (antiCsrf ? 't' : 'f')),
    plainArray(sessions, ({ issuedAt }) => issuedAt),
    plainArray(sessions, ({ keptUntil }) => keptUntil),
  ],
  outcomeOf: ([row]) => {
    if (row === undefined) throw new Error('carrying a session gave no result');
    return outcomeOf(row);
  },
};

function outcomeOf(row: CarryRow): CarryOutcome | typeof again {
  const {
    obstacle,
    handle,
    caller,
    method_id: methodId,
    user_id: userId,
    recipe_user_id: recipeUserId,
  } = row;
  if (obstacle !== null) return { outcome: 'refused', obstacle };
  if (row.is_taken && methodId !== null && userId !== null && recipeUserId !== null)
    return { outcome: 'carried', userId, recipeUserId, methodId };
  // Another core's exchange of it was committed while this one waited.
  if (handle === null || caller === null) return again;
  const before = {
    sessionId: handle,
    caller,
    antiCsrf: row.anti_csrf === true,
    carriedAt: row.carried_at ?? 0,
  };
  return { outcome: 'before', before };
}
