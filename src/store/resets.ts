import type { EmailPair, ResetStore } from '../operations/ports.ts';
import type { Database } from './database.ts';

const createToken = `
  insert into tokens (app_no, purpose, token_hash, tenant_no, user_id, email, expires_at)
  select $1, 2, decode($5, 'hex'), $2, coalesce(u.external_id, u.user_id::text), $4, $6
  from user_of($1, $3) u
  returning 1 as kept`;

/** The deleted row is the lock: a token is consumed once, and takes the user's other ones with it. */
const consumeToken = `
  with spent as (
    delete from tokens
    where app_no = $1 and purpose = 2 and token_hash = decode($3, 'hex') and tenant_no = $2 and expires_at > $4
    returning app_no, user_id, email
  ),
  siblings as (
    delete from tokens t using spent s where t.app_no = s.app_no and t.user_id = s.user_id and t.purpose = 2
  )
  select user_id as "userId", email from spent`;

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
