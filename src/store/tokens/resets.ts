import type { EmailPair, ResetStore } from '../../operations/ports/ports.ts';
import { noteActivity } from '../users/activity.ts';
import type { Database } from '../../database/database.ts';
import { ownIdOf } from '../removal/heirs.ts';

/**
 * A statement, or a part of one, that removes the reset tokens of users whose password or email changes, because a link in an abandoned
 * or intercepted mailbox must not survive the change.
 *
 * Rows are found by the whole key of the user's index and deleted by position, so a plan that was made without tokens stays good
 * (password-users.ts).
 * @param ids a relation of `app_no` and `id`: the users' ids as callers know them, for each login method
 */
export function endResetTokens(ids: string): string {
  return `
    delete from tokens t where t.ctid = any(array(
      select e.place
      from ${ids} k
      cross join lateral (
        select e.ctid as place from tokens e
        where e.app_no = k.app_no and e.user_id = k.id and e.purpose = 2
        offset 0
      ) e
    ))`;
}

/**
 * The user has to exist, but not the login method: callers may know a user by the id of a removed head.
 */
const createToken = `
  insert into tokens (app_no, purpose, token_hash, tenant_no, user_id, email, expires_at)
  select $1, 2, decode($5, 'hex'), $2, meant.id, $4, $6
  from (
    select coalesce(u.external_id, u.user_id::text) as id from user_of($1, $3) u
    union all
    (
      select seen_user_id($1, l) from users l
      where l.app_no = $1 and l.primary_user_id = as_core_id($3) and l.primary_user_id <> l.user_id
        and not exists (select 1 from user_of($1, $3))
      limit 1
    )
  ) meant
  returning 1 as kept`;

/**
 * Consumes a token once, with the user's other ones. All are locked first, in one order, so that requests with different tokens of one
 * user cannot deadlock. The user counts as active.
 *
 * Passwords are changed by the id of the login method, which is the answer even if the method has its user's id, too.
 */
export const consumeToken = `
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
  consumed as materialized (select app_no, user_id, email from locked where token_hash = decode($3, 'hex')),
  active as materialized (
    select u.app_no, u.user_id
    from consumed c cross join lateral user_of(c.app_no, c.user_id) found
    cross join lateral (
      select u.app_no, u.user_id from users u
      where u.app_no = found.app_no and u.user_id = found.user_id for key share
    ) u
  ),
  noted as (${noteActivity('reset_at', 'active')}),
  spent as (
    delete from tokens t using locked l
    where t.app_no = l.app_no and t.purpose = 2 and t.token_hash = l.token_hash and exists (select 1 from consumed)
  )
  select coalesce((
      select ${ownIdOf('h.app_no', 'h.user_id')} from users h
      where h.app_no = c.app_no and h.external_id = c.user_id and h.recipe = 1
    ), c.user_id) as "userId", c.email, false as missed
  from consumed c
  union all
  select m.user_id, '', true from meant m where not exists (select 1 from consumed)`;

export interface Consumed extends EmailPair {
  /** The token changed before its lock was granted: consumed, or moved to another id by a mapping. */
  readonly missed: boolean;
}

/** Mappings of a user during one request; more come from a client that does nothing else. */
export const maxMissed = 10;

/** Password reset tokens, which are too rare for batches. */
export function resetStore(database: Database): Omit<ResetStore, 'resetPassword'> {
  const { write } = database;
  return {
    createToken: async ({ tenant, pair, tokenHash, expiresAt }) => {
      const parameters = [tenant.appNo, tenant.tenantNo, pair.userId, pair.email, tokenHash, expiresAt];
      return (await write(createToken, parameters)).length > 0;
    },
    consumeToken: async ({ tenant, tokenHash, now }) => {
      const parameters = [tenant.appNo, tenant.tenantNo, tokenHash, now];
      // Repeated after a deadlock: a change or removal of the user locks the user before the tokens.
      const consume = () => database.transaction((query) => query<Consumed>(consumeToken, parameters));
      let [found] = await consume();
      for (let missed = 1; found?.missed && missed < maxMissed; missed++) [found] = await consume();
      return found && !found.missed ? { userId: found.userId, email: found.email } : undefined;
    },
  };
}
