import type { PasswordCheck, SignInMark, SignInStore } from '../../operations/ports/ports.ts';
import { laterActivity } from './active-users.ts';
import type { BatchedStatement, Batches } from '../batch/batches.ts';
import { inputColumns } from '../batch/columns.ts';

interface Mark {
  readonly appNo: number;
  readonly userId: string;
  readonly at: number;
  readonly isSignIn: boolean;
  /** Undefined if there was no password. */
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

/** Longer than between a verification and its note: statements time out after a minute. */
const lateMs = 60_000;

/**
 * Several marks of a login method become one row: `last_right` is the position of the last right password, and only wrong ones after it
 * count as refusals.
 *
 * The time is updated even by a millisecond, by the database's clock: an import may have begun in between, and its undo depends on it.
 * `for key share` locks the user against undos and removals: either they finish first and the user is not marked, or they wait and see
 * the mark. Sorted, so that batches lock rows in one order.
 *
 * Of concurrent sign-ins the first may upgrade the hash before the others are noted: those verified the old hash and change nothing.
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
 * Last sign-in and outcomes of passwords for each login method. Checks have a separate backlog, so a flood of wrong passwords does not
 * delay sign-ins.
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
