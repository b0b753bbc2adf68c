import type { EmailPair, NewToken, TokenUse, VerificationStore } from '../../operations/ports/ports.ts';
import { noteActivity } from '../users/activity.ts';
import { again } from '../batch/batcher.ts';
import type { BatchedStatement, Batches } from '../batch/batches.ts';
import { inputColumns } from '../batch/columns.ts';
import type { Database } from '../../database/database.ts';
import { ownIdOf } from '../removal/heirs.ts';

/**
 * Verification belongs to a pair of user id and email: a flag in the login method's row for its current email, otherwise a row of
 * verified_emails. Both are stored under the id that callers see, the external one if there is a mapping.
 */

/** The id that callers see of the user `user_id`; an unknown id is returned unchanged. */
const canonical = 'coalesce(u.external_id, u.user_id::text, i.user_id)';

/** A scalar instead of `exists`, which may be planned as a hash table of all verified emails of the app. */
const isNoted = `coalesce((
    select true from verified_emails v
    where v.app_no = i.app_no and v.user_id = ${canonical} and v.email = i.email
  ), false)`;

/** Pairs are stored under the user's id if a login method has that; answers have the method's own. */
const shownId = (row: string): string => `coalesce((
      select ${ownIdOf('h.app_no', 'h.user_id')} from users h
      where h.app_no = ${row}.app_no and h.external_id = ${row}.user_id
    ), ${row}.user_id)`;

const newTokens = inputColumns<NewToken>({
  app_no: ['int', ({ tenant }) => tenant.appNo],
  tenant_no: ['int', ({ tenant }) => tenant.tenantNo],
  user_id: ['text', ({ pair }) => pair.userId],
  email: ['text', ({ pair }) => pair.email],
  token_hash: ['digits', ({ tokenHash }) => tokenHash],
  expires_at: ['bigint', ({ expiresAt }) => expiresAt],
});

const createToken: BatchedStatement<
  NewToken,
  { n: number; verified: boolean },
  'created' | 'already-verified'
> = {
  name: 'create-verification-token',
  access: 'write',
  planned: 'once',
  text: `
    with pair as materialized (
      select i.*, ${canonical} as seen_id,
        coalesce(u.email_verified and u.email = i.email, false) or ${isNoted} as verified
      from ${newTokens.numberedAs('i')}
      left join lateral user_of(i.app_no, i.user_id) u on true
    ),
    kept as (
      insert into tokens (app_no, purpose, token_hash, tenant_no, user_id, email, expires_at)
      select app_no, 1, decode(token_hash, 'hex'), tenant_no, seen_id, email, expires_at
      from pair where not verified
    )
    select n::int as n, verified from pair`,
  parameters: newTokens.parameters,
  outcomeOf: ([row]) => (row?.verified ? 'already-verified' : 'created'),
};

const tokenUses = inputColumns<TokenUse>({
  app_no: ['int', ({ tenant }) => tenant.appNo],
  tenant_no: ['int', ({ tenant }) => tenant.tenantNo],
  token_hash: ['digits', ({ tokenHash }) => tokenHash],
  now_ms: ['bigint', ({ now }) => now],
});

/**
 * The first of a pair's tokens wins and removes the others. All tokens of the pair are locked first, in one order, so the later of two
 * redemptions finds nothing, and they cannot deadlock.
 *
 * A mapping may move a token to another user id while its lock is awaited: `missed` tokens are looked up again.
 *
 * The user counts as active even if the email is not the current one: `elsewhere` has the users that `flagged` has not changed, and so
 * not locked.
 */
const redeemToken: BatchedStatement<
  TokenUse,
  { n: number; user_id: string; email: string; missed: boolean },
  EmailPair | null
> = {
  name: 'redeem-verification-token',
  access: 'write',
  text: `
    with meant as materialized (
      select i.n, t.app_no, t.token_hash, t.user_id, t.email
      from ${tokenUses.numberedAs('i')}
      join tokens t on t.app_no = i.app_no and t.purpose = 1 and t.token_hash = decode(i.token_hash, 'hex')
        and t.tenant_no = i.tenant_no and t.expires_at > i.now_ms
    ),
    locked as materialized (
      select t.app_no, t.token_hash, t.user_id, t.email
      from (select distinct app_no, user_id, email from meant) p
      join tokens t on t.app_no = p.app_no and t.user_id = p.user_id and t.purpose = 1 and t.email = p.email
      order by t.app_no, t.token_hash
      for update of t
    ),
    winner as materialized (
      select distinct on (m.app_no, m.user_id, m.email) m.n, m.app_no, m.user_id, m.email
      from meant m
      where ((m.app_no, m.token_hash) in (select l.app_no, l.token_hash from locked l)) is true
      order by m.app_no, m.user_id, m.email, m.n
    ),
    spent as (
      delete from tokens t using locked l
      where t.app_no = l.app_no and t.purpose = 1 and t.token_hash = l.token_hash
        and ((l.app_no, l.user_id, l.email) in (select w.app_no, w.user_id, w.email from winner w)) is true
    ),
    flagged as (
      update users u set email_verified = true
      from winner w, lateral user_of(w.app_no, w.user_id) found
      where u.app_no = found.app_no and u.user_id = found.user_id and u.email = w.email
      returning w.n, u.app_no, u.user_id
    ),
    elsewhere as materialized (
      select u.app_no, u.user_id
      from (
        select found.app_no, found.user_id
        from winner w cross join lateral user_of(w.app_no, w.user_id) found
        where w.n not in (select n from flagged)
        order by found.app_no, found.user_id
      ) found
      cross join lateral (
        select u.app_no, u.user_id from users u
        where u.app_no = found.app_no and u.user_id = found.user_id for key share
      ) u
    ),
    active as (${noteActivity(
      'verified_at',
      '(select app_no, user_id from flagged union all select app_no, user_id from elsewhere)',
    )}),
    noted as (
      insert into verified_emails (app_no, user_id, email)
      select w.app_no, w.user_id, w.email from winner w where w.n not in (select n from flagged)
      on conflict do nothing
    )
    select w.n::int as n, ${shownId('w')} as user_id, w.email, false as missed from winner w
    union all
    select m.n::int, m.user_id, m.email, true from meant m
    where not (((m.app_no, m.token_hash) in (select l.app_no, l.token_hash from locked l)) is true)`,
  parameters: tokenUses.parameters,
  keyOf: ({ tokenHash }) => tokenHash,
  outcomeOf: ([row]) => redeemed(row),
};

function redeemed(
  row: { user_id: string; email: string; missed: boolean } | undefined,
): EmailPair | null | typeof again {
  if (!row) return null;
  return row.missed ? again : { userId: row.user_id, email: row.email };
}

const isVerified = `
  select coalesce(u.email_verified and u.email = i.email, false) or ${isNoted} as verified
  from (select $1::int as app_no, $2::text as user_id, $3::text as email) i
  left join lateral user_of(i.app_no, i.user_id) u on true`;

const pair = `pair as materialized (
    select i.app_no, i.email, u.user_id as core_id, ${canonical} as seen_id
    from (select $1::int as app_no, $2::text as user_id, $3::text as email) i
    left join lateral user_of(i.app_no, i.user_id) u on true
  )`;

const markVerified = `
  with ${pair},
  flagged as (
    update users u set email_verified = true from pair p
    where u.app_no = p.app_no and u.user_id = p.core_id and u.email = p.email
    returning 1
  )
  insert into verified_emails (app_no, user_id, email)
  select app_no, seen_id, email from pair where not exists (select 1 from flagged)
  on conflict do nothing`;

const unmarkVerified = `
  with ${pair},
  unflagged as (
    update users u set email_verified = false from pair p
    where u.app_no = p.app_no and u.user_id = p.core_id and u.email = p.email
  )
  delete from verified_emails v using pair p
  where v.app_no = p.app_no and v.user_id = p.seen_id and v.email = p.email`;

const removeTokens = `
  delete from tokens t
  where t.app_no = $1 and t.purpose = 1 and t.tenant_no = $2 and t.email = $4 and t.user_id = (
    select ${canonical}
    from (select $1::int as app_no, $3::text as user_id) i
    left join lateral user_of(i.app_no, i.user_id) u on true
  )`;

export function verificationStore(batches: Batches, { read, write }: Database): VerificationStore {
  const redeem = batches.add(redeemToken);
  return {
    createToken: batches.add(createToken),
    redeemToken: async (use) => (await redeem(use)) ?? undefined,
    isVerified: async (appNo, { userId, email }) => {
      const [row] = await read<{ verified: boolean }>(isVerified, [appNo, userId, email]);
      return row?.verified ?? false;
    },
    setVerified: async (appNo, { userId, email }, verified) => {
      await write(verified ? markVerified : unmarkVerified, [appNo, userId, email]);
    },
    removeTokens: async (tenant, { userId, email }) => {
      await write(removeTokens, [tenant.appNo, tenant.tenantNo, userId, email]);
    },
  };
}
