import { inputColumns } from '../batch/columns.ts';
import type { HashUpgrade } from '../../operations/ports/ports.ts';
import type { BatchedStatement } from '../batch/batches.ts';

/**
 * True if an upgrade replaced the hash of `mark` by that of the row `method` of users. Then an import of the old hash changes nothing: it
 * is the same password. After another change the old hash states another password, and is written.
 */
export function isUpgradeOf(
  method: { readonly app: string; readonly id: string; readonly hash: string },
  mark: string,
): string {
  return `exists (
          select 1 from sign_ins s
          where s.app_no = ${method.app} and s.user_id = ${method.id}
            and s.upgraded_from = ${mark} and s.upgraded_to = hash_mark(${method.hash})
          offset 0
        )`;
}

const upgrades = inputColumns<HashUpgrade>({
  app_no: ['int', ({ appNo }) => appNo],
  user_id: ['uuid', ({ userId }) => userId],
  from_hash: ['text', ({ from }) => from],
  to_hash: ['text', ({ to }) => to],
  at: ['bigint', ({ at }) => at],
});

/**
 * Replaces hashes that are still those that were verified, and notes the old ones. By upserts, because an update would join, and the plan
 * of a join varies (password-users.ts).
 *
 * - `held` waits for a transaction that changes the user, and then reads the hash again.
 * - A second upgrade keeps the mark of the first hash, which an old export has.
 */
export const upgradeHash: BatchedStatement<HashUpgrade, { readonly n: number }, boolean> = {
  name: 'upgrade-hash',
  access: 'write',
  planned: 'once',
  text: `
    with input as materialized (
      select * from ${upgrades.numberedAs('i')}
    ),
    held as materialized (
      select i.*, u.recipe, u.email_verified, u.time_joined
      from (select * from input order by app_no, user_id) i
      cross join lateral (
        select u.recipe, u.email_verified, u.time_joined from users u
        where u.app_no = i.app_no and u.user_id = i.user_id and u.password_hash = i.from_hash
        for no key update
      ) u
    ),
    replaced as (
      insert into users (app_no, recipe, email_verified, user_id, time_joined, password_hash)
      select app_no, recipe, email_verified, user_id, time_joined, to_hash from held
      on conflict (app_no, user_id) do update set password_hash = excluded.password_hash
    ),
    noted as (
      insert into sign_ins as s (app_no, user_id, proven_at, proven_hash, upgraded_at, upgraded_from, upgraded_to)
      select app_no, user_id, at, hash_mark(to_hash), at, hash_mark(from_hash), hash_mark(to_hash) from held
      on conflict (app_no, user_id) do update set
        proven_at = greatest(s.proven_at, excluded.proven_at), proven_hash = excluded.proven_hash,
        upgraded_at = excluded.upgraded_at, upgraded_to = excluded.upgraded_to,
        upgraded_from = case
          when s.upgraded_to = excluded.upgraded_from then s.upgraded_from else excluded.upgraded_from
        end
    )
    select n::int as n from held`,
  parameters: upgrades.parameters,
  keyOf: ({ appNo, userId }) => `${appNo} ${userId}`,
  outcomeOf: (rows) => rows.length > 0,
};
