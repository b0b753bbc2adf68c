import type { HashPage, HashReportStore, PasswordMismatch } from '../../operations/ports/ports.ts';
import { isMark } from '../../domain/legacy-mark.ts';
import type { Database } from '../../database/database.ts';
import { heirOf } from '../removal/heirs.ts';

/**
 * In the order of the primary key, so that pages neither overlap nor miss a user who is not removed. A line break in a salt
 * becomes a space: it does not affect the hash's kind or cost, and a line is a hash.
 */
const page = `
  with page as materialized (
    select u.user_id, u.password_hash from users u
    where u.app_no = $1 and u.user_id > $2
    order by u.user_id limit $3
  )
  select coalesce(
      string_agg(translate(p.password_hash, E'\\n', ' '), E'\\n') filter (where not ${isMark('p.password_hash')}), ''
    ) as lines,
    case when count(*) = $3 then (select l.user_id from page l order by l.user_id desc limit 1) end as next
  from page p`;

const firstId = '00000000-0000-0000-0000-000000000000';

/** Users whose right password was verified with their present hash, or with the one that an upgrade replaced. */
const isProven =
  '(hash_mark(u.password_hash) in (s.proven_hash, case when s.upgraded_at is not null then s.upgraded_to end)) is true';

/** Reads the app's rows of sign_ins: few requests need it, so there is no index for it. */
const countUpgraded = `
  select count(*)::int as upgraded
  from sign_ins s join users u on u.app_no = s.app_no and u.user_id = s.user_id
  where s.app_no = $1 and s.upgraded_at is not null and s.upgraded_to = hash_mark(u.password_hash)`;

const countActive = `
  select count(*)::int as active, (count(*) filter (where s.proven_at >= $2 and ${isProven}))::int as proven
  from sign_ins s join users u on u.app_no = s.app_no and u.user_id = s.user_id
  where s.app_no = $1 and greatest(s.proven_at, s.refused_at) >= $2 and u.password_hash is not null
    and not ${isMark('u.password_hash')}`;

const listMismatches = `
  select coalesce(
      h.external_id,
      (select l.external_id from users l where l.app_no = $1 and l.user_id = ${heirOf('$1', 'u.primary_user_id')}),
      u.primary_user_id::text, u.external_id, u.user_id::text
    ) as "userId", u.email,
    u.password_hash as "passwordHash", s.refusals, s.refused_at as "refusedAt"
  from sign_ins s
  join users u on u.app_no = s.app_no and u.user_id = s.user_id
  left join users h on h.app_no = u.app_no and h.user_id = u.primary_user_id
  where s.app_no = $1 and s.refused_at >= $2 and u.password_hash is not null and not ${isProven}
    and not ${isMark('u.password_hash')}
  order by s.refused_at desc, s.user_id limit $3`;

/** The report of an app's hashes. Separate statements, so that each is short. */
export function hashReportStore({ read }: Database): HashReportStore {
  return {
    hashes: async (appNo, after = firstId, limit) => {
      const [row] = await read<{ lines: string; next: string | null }>(page, [appNo, after, limit]);
      const { lines = '', next = null } = row ?? {};
      return { lines, next: next ?? undefined } satisfies HashPage;
    },
    countUpgraded: async (appNo) => {
      const [row] = await read<{ upgraded: number }>(countUpgraded, [appNo]);
      return row?.upgraded ?? 0;
    },
    activity: async (appNo, since) => {
      const [row] = await read<{ active: number; proven: number }>(countActive, [appNo, since]);
      return row ?? { active: 0, proven: 0 };
    },
    mismatches: (appNo, since, limit) => read<PasswordMismatch>(listMismatches, [appNo, since, limit]),
  };
}
