import type { EmailPair, ResetStore } from '../operations/ports.ts';
import type { Database } from './database.ts';

const createToken = `
  insert into tokens (app_no, purpose, token_hash, tenant_no, user_id, email, expires_at)
  select $1, 2, decode($5, 'hex'), $2, coalesce(u.external_id, u.user_id::text), $4, $6
  from user_of($1, $3) u
  returning 1 as kept`;

/**
 * A token is consumed once, and takes the user's other ones with it. All of them are locked first, in one order: requests
 * that consume different tokens of one user must not wait for each other in a circle.
 */
const consumeToken = `
  with meant as materialized (
    select app_no, user_id from tokens
    where app_no = $1 and purpose = 2 and token_hash = decode($3, 'hex') and tenant_no = $2 and expires_at > $4
  ),
  locked as materialized (
    select t.app_no, t.token_hash, t.user_id, t.email
    from meant m join tokens t on t.app_no = m.app_no and t.user_id = m.user_id and t.purpose = 2
    order by t.token_hash
    for update of t
  ),
  consumed as materialized (select user_id, email from locked where token_hash = decode($3, 'hex')),
  spent as (
    delete from tokens t using locked l
    where t.app_no = l.app_no and t.purpose = 2 and t.token_hash = l.token_hash and exists (select from consumed)
  )
  select user_id as "userId", email from consumed`;

/** Password reset tokens: too rare to be written in batches. */
export function resetStore({ write }: Database): ResetStore {
  return {
    createToken: async ({ tenant, pair, tokenHash, expiresAt }) => {
      const parameters = [tenant.appNo, tenant.tenantNo, pair.userId, pair.email, tokenHash, expiresAt];
      return (await write(createToken, parameters)).length > 0;
    },
    consumeToken: async ({ tenant, tokenHash, now }) => {
      const rows = await write<EmailPair>(consumeToken, [tenant.appNo, tenant.tenantNo, tokenHash, now]);
      return rows[0];
    },
  };
}
