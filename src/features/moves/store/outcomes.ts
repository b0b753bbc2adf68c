import type { Tenant } from '../../../domain/model.ts';
import { identityKey } from '../../../domain/identity.ts';
import type { BatchedStatement } from '../../../store/batch/batches.ts';
import { inputColumns } from '../../../store/batch/columns.ts';
import type { Round } from '../model.ts';
import { methodOf, type Named } from './people.ts';

/** A password at a sign-in. */
export interface Outcome {
  readonly tenant: Tenant;
  /** The login method's core id: here; else a user as an app names one: at the old system. */
  readonly user: string | Named;
  readonly isRight: boolean;
}

const named = ({ user }: Outcome): Named => (typeof user === 'string' ? {} : user);

const given = inputColumns<Outcome>({
  app_no: ['int', ({ tenant }) => tenant.appNo],
  tenant_no: ['int', ({ tenant }) => tenant.tenantNo],
  user_id: ['uuid', ({ user }) => (typeof user === 'string' ? user : undefined)],
  key: [
    'uuid',
    (outcome) => {
      const { email } = named(outcome);
      return email === undefined ? undefined : identityKey(email);
    },
  ],
  email: ['text', (outcome) => named(outcome).email],
  id: ['text', (outcome) => named(outcome).userId],
  is_right: ['bool', ({ isRight }) => isRight],
});

/** Wrong passwords in a row that count as a refusal. */
const wrongAtMost = 2;

/**
 * Counts a user once in a round; see refusals.ts. Only users with the password that the old system has: imported, and not changed here
 * by a reset or a request. Here a round is under way while the stage is leading, and round 0, of the old system, while the move is open.
 *
 * Rows of users are locked in the order of their keys, and those of rounds after them.
 */
export const countOutcome: BatchedStatement<Outcome, Round & { n: number }, Round | null> = {
  name: 'count-outcome-of-move',
  access: 'write',
  text: `
    with meant as materialized (
      select i.n, i.app_no, i.is_right, v.move_no, r.round,
        substring(encode(sha256(convert_to(v.share_key::text || u.user_id::text, 'UTF8')), 'hex') for 32)::uuid as person
      from ${given.numberedAs('i')}
      ${methodOf}
      cross join lateral (
        select u.user_id from users u
        where u.app_no = i.app_no and u.user_id = coalesce(i.user_id, m.user_id) and u.base is not null
        offset 0
      ) u
      cross join lateral (
        select v.move_no, v.share_key from moves v
        where v.app_no = i.app_no and v.stage <> 4 and (v.stage = 3 or i.user_id is null)
        offset 0
      ) v
      cross join lateral (
        select max(r.round) as round from move_rounds r
        where r.app_no = i.app_no and r.move_no = v.move_no and (i.user_id is not null or r.round = 0)
      ) r
      where not exists (
        select 1 from sign_ins s
        where s.app_no = i.app_no and s.user_id = u.user_id
          and (s.reset_at is not null or s.password_changed_at is not null)
      )
    ),
    by_person as materialized (
      select w.app_no, w.move_no, w.round, w.person, bool_or(w.is_right) as has_right,
        count(*) filter (where not w.is_right and w.n < coalesce(w.first_right, w.n + 1)) as wrong
      from (
        select m.*, min(m.n) filter (where m.is_right) over (partition by m.app_no, m.round, m.person) as first_right
        from meant m
      ) w
      group by w.app_no, w.move_no, w.round, w.person
    ),
    kept as (
      insert into move_outcomes as o (app_no, move_no, round, person, wrong, outcome)
      select b.app_no, b.move_no, b.round, b.person, least(b.wrong, ${wrongAtMost}),
        case when b.wrong >= ${wrongAtMost} then 2 when b.has_right then 1 end
      from by_person b
      order by b.app_no, b.move_no, b.round, b.person
      on conflict (app_no, move_no, round, person) do update set
        wrong = o.wrong + excluded.wrong,
        outcome = case
          when o.wrong + excluded.wrong >= ${wrongAtMost} then 2
          when excluded.outcome = 1 then 1
        end
      where o.outcome is null
      returning o.app_no, o.move_no, o.round, o.outcome
    ),
    settled as materialized (
      select k.app_no, k.move_no, k.round, count(*) as users, count(*) filter (where k.outcome = 2) as refused
      from kept k where k.outcome is not null
      group by k.app_no, k.move_no, k.round
    ),
    counted as (
      update move_rounds r set users = r.users + s.users, refused = r.refused + s.refused
      from settled s
      where r.app_no = s.app_no and r.move_no = s.move_no and r.round = s.round
      returning r.*
    )
    select m.n::int as n, c.round, c.users, c.refused, coalesce(c.refused_before, 0) as "refusedBefore"
    from meant m join counted c on c.app_no = m.app_no and c.move_no = m.move_no and c.round = m.round`,
  parameters: given.parameters,
  outcomeOf: ([row]) => {
    if (row === undefined) return null;
    const { round, users, refused, refusedBefore } = row;
    return { round, users, refused, refusedBefore };
  },
};
