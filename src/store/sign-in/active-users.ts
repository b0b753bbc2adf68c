import { inputColumns } from '../batch/columns.ts';
import { activityStepMs } from '../../domain/model.ts';
import type { ActiveUserStore, Touch } from '../../operations/ports/ports.ts';
import type { BatchedStatement, Batches } from '../batch/batches.ts';
import type { Database } from '../../database/database.ts';

/** @param row alias of the table */
const isOfLaterStep = (row: string) =>
  `excluded.active_at / ${activityStepMs} > coalesce(${row}.active_at, 0) / ${activityStepMs}`;

/** Changes once a step: the column is indexed, and updates without indexed columns cost less. @param row alias of the table */
export function laterActivity(row: string): string {
  return `case when ${isOfLaterStep(row)} then excluded.active_at else ${row}.active_at end`;
}

const touches = inputColumns<Touch>({
  app_no: ['int', ({ appNo }) => appNo],
  id: ['text', ({ id }) => id],
  at: ['bigint', ({ at }) => at],
});

/** Locks rows in the order of marks of sign-ins, which write the same rows. Skips unknown ids. */
const touch: BatchedStatement<Touch, { n: number }, true> = {
  name: 'touch-user',
  access: 'write',
  text: `
    insert into sign_ins as s (app_no, user_id, active_at)
    select m.app_no, m.user_id, m.at
    from (
      select i.app_no, u.user_id, max(i.at) as at
      from ${touches.as('i')}
      cross join lateral user_of(i.app_no, i.id) u
      group by i.app_no, u.user_id
      order by i.app_no, u.user_id
    ) m
    cross join lateral (
      select 1 from users u where u.app_no = m.app_no and u.user_id = m.user_id for key share
    ) u
    on conflict (app_no, user_id) do update set active_at = excluded.active_at
    where ${isOfLaterStep('s')}`,
  parameters: touches.parameters,
  outcomeOf: () => true,
};

/**
 * Counts a linked user once, by the most recently used login method. `+ 0` keeps the planner from the primary key, which it takes for as
 * good as the index of times.
 */
const count = `
  select count(distinct u.head) as count
  from (
    select s.user_id from sign_ins s where s.app_no + 0 = $1::int and s.active_at >= $2::bigint offset 0
  ) s
  cross join lateral (
    select coalesce(u.primary_user_id, u.user_id) as head from users u
    where u.app_no = $1 and u.user_id = s.user_id
    offset 0
  ) u`;

/** Recently active users. */
export function activeUserStore(batches: Batches, { read }: Database): ActiveUserStore {
  const note = batches.add(touch);
  return {
    touch: async (each) => {
      await note(each);
    },
    count: async (appNo, since) => (await read<{ count: number }>(count, [appNo, since]))[0]?.count ?? 0,
  };
}
