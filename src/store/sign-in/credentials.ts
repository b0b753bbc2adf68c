import type { FoundCredential, Restriction } from '../../operations/ports/ports.ts';
import type { Tenant } from '../../domain/model.ts';
import type { GuessKeys, GuessState } from '../../operations/ports/guesses.ts';
import { inputColumns } from '../batch/columns.ts';
import { identityKey } from '../../domain/identity.ts';
import type { BatchedStatement } from '../batch/batches.ts';
import { guessesOf, guessStateOf } from './guesses.ts';
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
 * Identities that are looked at for a neighbour, so that the search has an end in a public tenant that is a small part
 * of its app, and among users without a password. All of them cost 0.2 ms, a usual sign-in's look-up 0.03 ms (measured,
 * 200,000 users).
 */
export const neighbourhood = 64;

/** Where a neighbourhood begins, and along which index: the whole key of its order, or the rows would be sorted. */
interface Walk {
  readonly from: 'place' | 'start';
  readonly inTenant?: boolean;
  /** Of those that are walked past. */
  readonly among?: string;
}

/** The first of a neighbourhood whose user has a hash, from the place onwards or from the start up to it. */
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

/** Whether the order of keys ends within the neighbourhood: it is a circle, and after the last key comes the first. */
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
  pair: ['uuid', ({ guesses }) => guesses?.pair],
  address: ['uuid', ({ guesses }) => guesses?.address],
  account: ['uuid', ({ guesses }) => guesses?.account],
});

/**
 * What to hold a password against: the user's own hash, and that of the neighbour.
 *
 * - The same rows are visited whether the email is known or not: where there is no user, the neighbour's row is read
 *   in the place of the user's own. Social users have no password identity, so their emails are unknown here.
 * - `place` is the first half of SHA-256 over a secret, the tenant and the email, as \`identity_key\` makes a key of
 *   an email. Without the secret, an email's neighbour can neither be predicted nor chosen.
 * - A tenant's keys have an index of their own. In the public one, which holds most users of its app, the primary key
 *   is followed and other tenants' entries are passed over. If there are only such in the neighbourhood, one of them it
 *   is: a public tenant that is a small minority of its app shows the app's mix.
 * - Whether the user may sign in is looked up along with it, or the neighbour's in its place: the hash is
 *   verified first, so a disabled user is answered no sooner than a wrong password.
 * - Each look-up is a sub-select over one table with a limit or an offset, which nothing can reorder, and \`coalesce\` goes
 *   no further than to the first one that finds a user.
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
