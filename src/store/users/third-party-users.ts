import type { NewThirdPartyUser, PlacedThirdParty, Restriction } from '../../operations/ports/ports.ts';
import { again } from '../batch/batcher.ts';
import type { BatchedStatement } from '../batch/batches.ts';
import { inputColumns } from '../batch/columns.ts';
import { identityKind, thirdPartyKey } from '../../domain/identity.ts';
import { restrictionOf } from './restrictions.ts';
import { claim, held, isClaimed, isHeld, placed, type PlacedRow } from './password-users.ts';

interface PlacedThirdPartyRow extends PlacedRow {
  readonly email: string | null;
  readonly verified: boolean | null;
  readonly restriction: Restriction | null;
}

const newUsers = inputColumns<NewThirdPartyUser>({
  app_no: ['int', ({ tenant }) => tenant.appNo],
  tenant_no: ['int', ({ tenant }) => tenant.tenantNo],
  key: ['uuid', (user) => thirdPartyKey(user.thirdPartyId, user.thirdPartyUserId)],
  third_party_id: ['text', ({ thirdPartyId }) => thirdPartyId],
  third_party_user_id: ['text', ({ thirdPartyUserId }) => thirdPartyUserId],
  email: ['text', ({ email }) => email],
  verified: ['int', ({ isVerified }) => (isVerified ? 1 : 0)],
  user_id: ['uuid', ({ userId }) => userId],
  time_joined: ['bigint', ({ timeJoined }) => timeJoined],
});

/** Creates social users, or finds existing ones with their stored values. See password-users.ts. */
export const putThirdPartyUser: BatchedStatement<NewThirdPartyUser, PlacedThirdPartyRow, PlacedThirdParty> = {
  name: 'put-third-party-user',
  access: 'import',
  text: `
    with input as materialized (
      select * from ${newUsers.numberedAs('i')}
    ),
    held as materialized (${held}),
    claimed as (${claim(identityKind.thirdParty)}),
    created as (
      insert into users (
        app_no, recipe, email_verified, user_id, time_joined, email, third_party_id, third_party_user_id
      )
      select i.app_no, 2, i.verified = 1, i.user_id, i.time_joined, i.email, i.third_party_id, i.third_party_user_id
      from input i where ${isClaimed}
    )
    select i.n::int as n, true as created, false as gone, null::uuid as holder, null as email, null::boolean as verified,
      null as restriction
    from input i where ${isClaimed}
    union all
    select i.n::int, false, true, null, null, null, null from input i where not ${isHeld}
    union all
    select i.n::int, false, false, u.user_id, u.email, u.email_verified, (
      select ${restrictionOf('t.restrictions')} from user_details t where t.app_no = i.app_no and t.user_id = u.head
      offset 0
    )
    from (select * from input i where not ${isClaimed}) i
    cross join lateral (
      select d.user_id from identities d
      where d.app_no = i.app_no and d.kind = 2 and d.key = i.key and d.tenant_no = i.tenant_no
      offset 0
    ) d
    cross join lateral (
      select u.user_id, u.email, u.email_verified, coalesce(u.primary_user_id, u.user_id) as head from users u
      where u.app_no = i.app_no and u.user_id = d.user_id
        and u.third_party_id = i.third_party_id and u.third_party_user_id = i.third_party_user_id
      offset 0
    ) u`,
  parameters: newUsers.parameters,
  keyOf: ({ tenant, thirdPartyId, thirdPartyUserId }) =>
    `${tenant.appNo} ${tenant.tenantNo} ${thirdPartyKey(thirdPartyId, thirdPartyUserId)}`,
  outcomeOf: ([row]) => {
    const result = placed(row);
    if (result === again || result.outcome !== 'existing') return result;
    const { email, verified, restriction } = row ?? {};
    return {
      ...result,
      email: email ?? '',
      isVerified: verified ?? false,
      ...(restriction && { restriction }),
    };
  },
};
