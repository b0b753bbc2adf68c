import type { FoundCredential, Restriction } from '../../operations/ports/ports.ts';
import type { Tenant } from '../../domain/model.ts';
import type { GuessKeys, GuessState } from '../../operations/ports/guesses.ts';
import { inputColumns } from '../batch/columns.ts';
import { identityKey } from '../../domain/identity.ts';
import type { BatchedStatement } from '../batch/batches.ts';
import { guessColumns, guessesOf, guessStateOf } from './guesses.ts';
import { restrictionOf } from '../users/restrictions.ts';

export interface CredentialLookup {
  readonly tenant: Tenant;
  readonly email: string;
  readonly guesses?: GuessKeys | undefined;
}

interface CredentialRow extends GuessState {
  readonly n: number;
  readonly user_id: string | null;
  readonly password_hash: string | null;
  readonly neighbour: string | null;
  readonly restriction: Restriction | null;
}

/**
 * Maximum number of identities to search for a neighbour, in a public tenant that is a small part of its app, or among users without
 * passwords. All of them cost 0.2 ms, a usual look-up 0.03 ms (200,000 users).
 */
export const neighbourhood = 64;

/** Start and index of a neighbourhood: the order is the index's whole key, or rows would be sorted. */
interface Walk {
  readonly from: 'place' | 'start';
  readonly inTenant?: boolean;
  /** Condition for the identities. */
  readonly among?: string;
}

/** The first user of a neighbourhood who has a hash, from the place onwards or from the start up to it. */
function neighbour({ from, inTenant = false, among = 'true' }: Walk): string {
  const order = inTenant ? ['key'] : ['key', 'tenant_no'];
  const by = (table: string) => order.map((column) => `${table}.${column}`).join(', ');
  return `(
        select w.user_id
        from (
          select d.key, d.tenant_no, d.user_id from identities d
          where d.app_no = i.app_no and d.kind = 1 and d.key ${from === 'place' ? '>=' : '<='} i.place
            ${inTenant ? 'and d.tenant_no = i.tenant_no and d.tenant_no <> 0' : ''}
          order by ${by('d')} limit ${neighbourhood}
        ) w
        cross join lateral (
          select 1 from users u
          where u.app_no = i.app_no and u.user_id = w.user_id and u.password_hash is not null
          offset 0
        ) u
        where ${among}
        order by ${by('w')} limit 1
      )`;
}

/** True if the keys end within the neighbourhood; the search then continues at the first key. */
const isAtEnd = `(
        select d.key from identities d
        where d.app_no = i.app_no and d.kind = 1 and d.key >= i.place
        order by d.key, d.tenant_no offset ${neighbourhood - 1} limit 1
      ) is null`;

const isPublic = 'w.tenant_no = 0';
const ofPublic = `coalesce(
      ${neighbour({ from: 'place', among: isPublic })},
      case when ${isAtEnd} then ${neighbour({ from: 'start', among: isPublic })} end,
      ${neighbour({ from: 'place' })},
      ${neighbour({ from: 'start' })}
    )`;
const ofOther = `coalesce(
      ${neighbour({ from: 'place', inTenant: true })},
      ${neighbour({ from: 'start', inTenant: true })}
    )`;

const lookups = inputColumns<CredentialLookup>({
  app_no: ['int', ({ tenant }) => tenant.appNo],
  tenant_no: ['int', ({ tenant }) => tenant.tenantNo],
  key: ['uuid', ({ email }) => identityKey(email)],
  email: ['text', ({ email }) => email],
  ...guessColumns<CredentialLookup>(({ guesses }) => guesses),
});

/**
 * The hashes to check a password against: the user's and the neighbour's.
 *
 * - The same rows are visited for known and unknown emails: without a user the neighbour's row is read instead. Social users have no
 *   password identity, so their emails are unknown here.
 * - `place` is the first half of SHA-256 of a secret, the tenant and the email, in the form of `identity_key`. Without the secret an
 *   email's neighbour can be neither predicted nor chosen.
 * - Keys of a tenant have a separate index. The public tenant has most users of its app, so its search follows the primary key and
 *   skips other tenants. If the neighbourhood has only those, one of them is taken: a public tenant that is a small minority shows the
 *   app's mix of hashes.
 * - The restriction of the user, or of the neighbour, is looked up too. The hash is verified first, so a disabled user gets no faster
 *   answer than a wrong password.
 * - Each look-up is a sub-select over one table with a limit or an offset, which the planner cannot reorder, and `coalesce` stops at the
 *   first user.
 */
export const findCredential: BatchedStatement<CredentialLookup, CredentialRow, FoundCredential> = {
  name: 'find-credential',
  access: 'read',
  planned: 'once',
  gathers: true,
  text: `
    select i.n::int as n,
      case when o.email = i.email then d.user_id end as user_id,
      case when o.email = i.email and d.user_id is not null then o.password_hash end as password_hash,
      h.password_hash as neighbour,
      case when o.email = i.email and d.user_id is not null then ${restrictionOf('t.restrictions')} end as restriction,
      g.pair, g.address, g.account
    from (
      select w.*,
        substring(
          encode(sha256(convert_to(concat_ws(' ', s.secret, w.app_no, w.tenant_no, w.email), 'UTF8')), 'hex') for 32
        )::uuid as place
      from ${lookups.numberedAs('w')}
      left join lateral (select secret from decoy_secret limit 1) s on true
      offset 0
    ) i
    cross join lateral ${guessesOf('i')} g
    cross join lateral (
      select case when i.tenant_no = 0 then ${ofPublic} else ${ofOther} end as user_id
      offset 0
    ) r
    left join lateral (
      select d.user_id from identities d
      where d.app_no = i.app_no and d.kind = 1 and d.key = i.key and d.tenant_no = i.tenant_no
      offset 0
    ) d on true
    left join lateral (
      select u.email, u.password_hash, coalesce(u.primary_user_id, u.user_id) as head from users u
      where u.app_no = i.app_no and u.user_id = coalesce(d.user_id, r.user_id)
      offset 0
    ) o on true
    left join lateral (
      select t.restrictions from user_details t where t.app_no = i.app_no and t.user_id = o.head
      offset 0
    ) t on true
    left join lateral (
      select u.password_hash from users u where u.app_no = i.app_no and u.user_id = r.user_id
      offset 0
    ) h on true`,
  parameters: lookups.parameters,
  outcomeOf: ([row], { guesses }) => ({
    credential:
      row?.user_id && row.password_hash
        ? { userId: row.user_id, passwordHash: row.password_hash }
        : undefined,
    restriction: row?.restriction ?? undefined,
    neighbour: row?.neighbour ?? undefined,
    ...(row && guesses && { guesses: guessStateOf(row) }),
  }),
};
