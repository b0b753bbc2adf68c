import type { PasswordCheck, SignInMark, SignInStore } from '../../operations/ports/ports.ts';
import { laterActivity } from './active-users.ts';
import type { BatchedStatement, Batches } from '../batch/batches.ts';
import { inputColumns } from '../batch/columns.ts';

interface Mark {
  readonly appNo: number;
  readonly userId: string;
  readonly at: number;
  readonly isSignIn: boolean;
  /** Whether the password was right; undefined when none came. */
  readonly isRight: boolean | undefined;
  readonly passwordHash: string | undefined;
}

const marks = inputColumns<Mark>({
  app_no: ['int', ({ appNo }) => appNo],
  user_id: ['uuid', ({ userId }) => userId],
  at: ['bigint', ({ at }) => at],
  is_sign_in: ['bool', ({ isSignIn }) => isSignIn],
  is_right: ['bool', ({ isRight }) => isRight],
  password_hash: ['text', ({ passwordHash }) => passwordHash],
});

/** More than passes between a verification and its note: a statement is given up after a minute. */
const lateMs = 60_000;

/**
 * Several marks of one login method become one row, as if they had come one after the other: `last_right` is the place
 * of the last right password among them, and only wrong ones behind it count as refusals.
 *
 * Written again whenever it is later, be it by a millisecond: an import may have begun in between, and its undo goes by
 * this, by the database's clock: two cores' clocks may disagree about what came first. `for key share` holds the user: an undo or a removal, which locks it, is waited for and no user is marked whom it
 * took, or it waits and sees the mark. Sorted, so that two batches lock rows in one order.
 *
 * Of many sign-ins at once the first one's hash may be upgraded, which proves the new hash, before the others are noted:
 * they proved the old one, and take nothing back.
 */
const text = `
  insert into sign_ins (app_no, user_id, last_at, signed_in_at, proven_at, proven_hash, refused_at, refusals, active_at)
  select i.app_no, i.user_id, i.last_at, case when i.last_at > 0 then clock_ms() end, i.proven_at, i.proven_hash,
    i.refused_at, i.refusals, nullif(i.last_at, 0)
  from (
    select app_no, user_id,
      coalesce(max(at) filter (where is_sign_in), 0) as last_at,
      max(at) filter (where is_right) as proven_at,
      hash_mark((array_agg(password_hash order by n desc) filter (where is_right))[1]) as proven_hash,
      max(at) filter (where not is_right) as refused_at,
      count(*) filter (where not is_right and n > coalesce(last_right, 0)) as refusals
    from (
      select *, max(n) filter (where is_right) over (partition by app_no, user_id) as last_right
      from ${marks.numberedAs('m')}
    ) m
    group by app_no, user_id
    order by app_no, user_id
  ) i
  cross join lateral (
    select 1 from users u where u.app_no = i.app_no and u.user_id = i.user_id for key share
  ) u
  on conflict (app_no, user_id) do update set
    last_at = greatest(sign_ins.last_at, excluded.last_at),
    signed_in_at = greatest(sign_ins.signed_in_at, excluded.signed_in_at),
    proven_at = greatest(sign_ins.proven_at, excluded.proven_at),
    proven_hash = case
      when excluded.proven_hash = sign_ins.upgraded_from and excluded.proven_at < sign_ins.upgraded_at + ${lateMs}
        then sign_ins.proven_hash
      when excluded.proven_at >= coalesce(sign_ins.proven_at, 0) then excluded.proven_hash
      else sign_ins.proven_hash
    end,
    refused_at = greatest(sign_ins.refused_at, excluded.refused_at),
    refusals = excluded.refusals + case when excluded.proven_at is null then sign_ins.refusals else 0 end,
    active_at = ${laterActivity('sign_ins')}
  where sign_ins.last_at < excluded.last_at
    or sign_ins.signed_in_at is distinct from greatest(sign_ins.signed_in_at, excluded.signed_in_at)
    or sign_ins.proven_at is distinct from greatest(sign_ins.proven_at, excluded.proven_at)
    or sign_ins.proven_hash is distinct from coalesce(excluded.proven_hash, sign_ins.proven_hash)
    or excluded.refused_at is not null`;

function markStatement(name: string): BatchedStatement<Mark, { n: number }, true> {
  return {
    name,
    access: 'write',
    planned: 'once',
    gathers: true,
    text,
    parameters: marks.parameters,
    outcomeOf: () => true,
  };
}

/**
 * When each login method last signed in, and how its password fared. Checks wait in a backlog of their own: a flood of
 * wrong passwords is in no sign-in's way.
 */
export function signInStore(batches: Batches): SignInStore {
  const mark = batches.add(markStatement('mark-sign-in'));
  const note = batches.add(markStatement('note-password-check'));
  return {
    mark: async (each) => {
      await mark(markOf(each));
    },
    markCheck: async (each) => {
      await note(checkOf(each));
    },
  };
}

function markOf({ appNo, userId, at, passwordHash }: SignInMark): Mark {
  const isRight = passwordHash === undefined ? undefined : true;
  return { appNo, userId, at, isSignIn: true, isRight, passwordHash };
}

function checkOf({ appNo, userId, at, isRight, passwordHash }: PasswordCheck): Mark {
  return { appNo, userId, at, isSignIn: false, isRight, passwordHash: isRight ? passwordHash : undefined };
}
