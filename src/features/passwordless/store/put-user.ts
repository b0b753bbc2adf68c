import type { Restriction } from '../../../operations/ports/ports.ts';
import type { NewPasswordlessUser, PlacedPasswordless } from '../model.ts';
import { identityKey, identityKind } from '../../../domain/identity.ts';
import { plainArray, textArray } from '../../../domain/pg-array.ts';
import { again } from '../../../store/batch/batcher.ts';
import type { BatchedStatement } from '../../../store/batch/batches.ts';
import {
  claim,
  held,
  isClaimed,
  isHeld,
  placed,
  type PlacedRow,
} from '../../../store/users/password-users.ts';
import { restrictionOf } from '../../../store/users/restrictions.ts';

interface Row extends PlacedRow {
  readonly verified: boolean | null;
  readonly restriction: Restriction | null;
}

/** Creates passwordless users, or finds existing ones. The user has verified the contact. See password-users.ts. */
export const putPasswordlessUser: BatchedStatement<NewPasswordlessUser, Row, PlacedPasswordless> = {
  name: 'put-passwordless-user',
  access: 'import',
  text: `
    with input as materialized (
      select * from unnest(
        $1::int[], $2::int[], $3::smallint[], $4::uuid[], $5::text[], $6::text[], $7::uuid[], $8::bigint[], $9::bool[]
      ) with ordinality as i (app_no, tenant_no, kind, key, email, phone, user_id, time_joined, verifies, n)
    ),
    held as materialized (${held}),
    claimed as (${claim('i.kind')}),
    created as (
      insert into users (app_no, recipe, email_verified, user_id, time_joined, email, phone)
      select i.app_no, 3, i.email is not null and i.verifies, i.user_id, i.time_joined, i.email, i.phone
      from input i where ${isClaimed}
    )
    select i.n::int as n, true as created, false as gone, null::uuid as holder, null::boolean as verified,
      null as restriction
    from input i where ${isClaimed}
    union all
    select i.n::int, false, true, null, null, null from input i where not ${isHeld}
    union all
    select i.n::int, false, false, u.user_id, u.email_verified, (
      select ${restrictionOf('t.restrictions')} from user_details t where t.app_no = i.app_no and t.user_id = u.head
      offset 0
    )
    from (select * from input i where not ${isClaimed}) i
    cross join lateral (
      select d.user_id from identities d
      where d.app_no = i.app_no and d.kind = i.kind and d.key = i.key and d.tenant_no = i.tenant_no
      offset 0
    ) d
    cross join lateral (
      select u.user_id, u.email_verified, coalesce(u.primary_user_id, u.user_id) as head from users u
      where u.app_no = i.app_no and u.user_id = d.user_id and (u.email = i.email or u.phone = i.phone)
      offset 0
    ) u`,
  parameters: (users) => [
    plainArray(users, ({ tenant }) => tenant.appNo),
    plainArray(users, ({ tenant }) => tenant.tenantNo),
    plainArray(users, ({ contact }) =>
      contact.email === undefined ? identityKind.passwordlessPhone : identityKind.passwordlessEmail,
    ),
    plainArray(users, ({ contact }) => identityKey(contact.email ?? contact.phoneNumber)),
    textArray(users, ({ contact }) => contact.email),
    textArray(users, ({ contact }) => contact.phoneNumber),
    plainArray(users, ({ userId }) => userId),
    plainArray(users, ({ timeJoined }) => timeJoined),
    plainArray(users, ({ verifiesEmail }) => verifiesEmail),
  ],
  keyOf: ({ tenant, contact }) =>
    `${tenant.appNo} ${tenant.tenantNo} ${contact.email ?? contact.phoneNumber}`,
  outcomeOf: ([row]) => {
    const result = placed(row);
    if (result === again || result.outcome !== 'existing') return result;
    const { verified, restriction } = row ?? {};
    return { ...result, isVerified: verified ?? false, ...(restriction && { restriction }) };
  },
};
