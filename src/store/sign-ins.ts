import type { SignInMark, SignInStore } from '../operations/ports.ts';
import type { BatchedStatement, Batches } from './batches.ts';
import { plainArray } from '../columns.ts';

/**
 * Written anew whenever it is later, be it by a millisecond: an import may have begun in between, and its undo goes by
 * this. `for key share` holds the user: an undo or a removal, which locks it, is waited for and nobody is marked whom it
 * took, or it waits and sees the mark. Sorted, so that two batches lock rows in one order.
 */
const mark: BatchedStatement<SignInMark, { n: number }, true> = {
  name: 'mark-sign-in',
  access: 'write',
  text: `
    insert into sign_ins (app_no, user_id, last_at)
    select i.app_no, i.user_id, i.last_at
    from (
      select app_no, user_id, max(at) as last_at
      from unnest($1::int[], $2::uuid[], $3::bigint[]) as i (app_no, user_id, at)
      group by app_no, user_id
      order by app_no, user_id
    ) i
    cross join lateral (
      select from users u where u.app_no = i.app_no and u.user_id = i.user_id for key share
    ) u
    on conflict (app_no, user_id) do update set last_at = excluded.last_at where sign_ins.last_at < excluded.last_at`,
  parameters: (marks) => [
    plainArray(marks, ({ appNo }) => appNo),
    plainArray(marks, ({ userId }) => userId),
    plainArray(marks, ({ at }) => at),
  ],
  outcomeOf: () => true,
};

/** When each login method last signed in. */
export function signInStore(batches: Batches): SignInStore {
  const submit = batches.add(mark);
  return {
    mark: async (each) => {
      await submit(each);
    },
  };
}
