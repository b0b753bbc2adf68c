import type { Tenant } from '../../../domain/model.ts';
import { identityKey, identityKind } from '../../../domain/identity.ts';
import type { BatchedStatement } from '../../../store/batch/batches.ts';
import { inputColumns } from '../../../store/batch/columns.ts';

/** A user as an app names one: exactly one of both. */
export interface Named {
  readonly email?: string | undefined;
  readonly userId?: string | undefined;
}

export interface Asked {
  readonly tenant: Tenant;
  readonly named: Named;
}

const asked = inputColumns<Asked>({
  app_no: ['int', ({ tenant }) => tenant.appNo],
  tenant_no: ['int', ({ tenant }) => tenant.tenantNo],
  key: ['uuid', ({ named: { email } }) => (email === undefined ? undefined : identityKey(email))],
  email: ['text', ({ named }) => named.email],
  id: ['text', ({ named }) => named.userId],
});

const withEmail = (kind: number): string => `(
        select d.user_id from identities d
        where d.app_no = i.app_no and d.kind = ${kind} and d.key = i.key and d.tenant_no = i.tenant_no
      )`;

/** The login method that has the email, or the id. */
export const methodOf = `
    left join lateral (
      select coalesce(
        ${withEmail(identityKind.email)},
        ${withEmail(identityKind.passwordlessEmail)},
        (select t.user_id from users t where t.app_no = i.app_no and t.recipe = 2 and t.email = i.email limit 1),
        (select u.user_id from user_of(i.app_no, i.id) u)
      ) as user_id
      offset 0
    ) m on true`;

/**
 * The text that stands for a person: of a linked user the email of the oldest login method that has one, whichever of them was named.
 * So the answer is the same by email and by id, for every email of a user. An unknown email or id stands for itself: a user who
 * signs up with it gets the same answer afterwards.
 */
export const findPerson: BatchedStatement<Asked, { n: number; person: string | null }, string> = {
  name: 'find-person-of-move',
  access: 'read',
  planned: 'once',
  text: `
    select i.n::int as n, coalesce(e.email, h.head::text) as person
    from ${asked.numberedAs('i')}
    ${methodOf}
    left join lateral (
      select coalesce(u.primary_user_id, u.user_id) as head from users u
      where u.app_no = i.app_no and u.user_id = m.user_id
      offset 0
    ) h on true
    left join lateral (
      select x.email from (
        select u.email, u.time_joined, u.user_id from users u where u.app_no = i.app_no and u.user_id = h.head
        union all
        select l.email, l.time_joined, l.user_id from users l
        where l.app_no = i.app_no and l.primary_user_id = h.head and l.primary_user_id <> l.user_id
      ) x
      where x.email is not null
      order by x.time_joined, x.user_id limit 1
    ) e on true`,
  parameters: asked.parameters,
  outcomeOf: ([row], { named: { email, userId } }) => row?.person ?? email ?? userId ?? '',
};
