import type { BatchedStatement } from '../../../store/batch/batches.ts';
import { methodId } from '../../../store/removal/heirs.ts';
import { isDisabledAt } from '../../../store/users/end-sessions.ts';
import { isMethodHeld, lockedMethods, seenUserId } from '../../../store/users/locked-methods.ts';
import type { SessionOfUser, SessionUser } from '../model.ts';
import { arraysOf, insertSessions, newSessionArrays, newSessionColumns } from './new-sessions.ts';
import type { UserRow } from './rows.ts';

type CreatedRow = UserRow | { readonly n: number; readonly user_id: null; readonly recipe_user_id: null };

/**
 * Looks up the user of each id, and stores the sessions. The login method is locked unchanged, so that a concurrent removal
 * removes the session too, or comes first and leaves its text. A user who is linked or unlinked in the meantime gets a session of
 * the resulting user: the ids are those of the locked row. A session that begins while its user is being disabled is not found
 * from then on, and ends when that is lifted; it is not found after the end of a lock either.
 */
export const createSession: BatchedStatement<SessionOfUser, CreatedRow, SessionUser | 'disabled'> = {
  name: 'create-session',
  access: 'write',
  planned: 'once',
  gathers: true,
  text: `
    with named as materialized (
      select i.*, u.user_id as method_id, ${isDisabledAt('clock_ms()', 'i.app_no', 'u')} as is_disabled
      from unnest(
        ${newSessionArrays}
      ) with ordinality as i (
        ${newSessionColumns('user_id')}, n
      )
      left join lateral user_of(i.app_no, i.user_id) u on true
    ),
    meant as materialized (select * from named where not is_disabled),
    locked as materialized (${lockedMethods}),
    kept as (${insertSessions('m', `case when ${isMethodHeld} then m.method_id::text else m.user_id end`)}
      from meant m
    )
    select i.n::int as n, ${seenUserId('l.app_no', '(l.method)')} as user_id,
      ${methodId('l.app_no', '(l.method)')} as recipe_user_id
    from locked l cross join lateral unnest(l.items) i (n)
    union all
    select m.n::int, m.user_id, m.user_id from meant m where not ${isMethodHeld}
    union all
    select m.n::int, null, null from named m where m.is_disabled`,
  parameters: (sessions) => arraysOf(sessions, ({ userId }) => userId),
  outcomeOf: ([row]) => {
    if (row === undefined) throw new Error('keeping a session gave no result');
    if (row.user_id === null) return 'disabled';
    return { userId: row.user_id, recipeUserId: row.recipe_user_id };
  },
};
