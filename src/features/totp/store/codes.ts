import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { FoundCodes, NewCode, SoughtCodes, TriedCode } from '../model.ts';
import type { BatchedStatement } from '../../../store/batch/batches.ts';
import { removeBy } from '../../../store/expired-rows.ts';

/** Codes are counted by app and user: a guess that is refused in one tenant is refused in all. */
const ofApp = 0;

interface CodesRow extends FoundCodes {
  readonly n: number;
  readonly tried: readonly TriedCode[];
}

export const findCodes: BatchedStatement<SoughtCodes, CodesRow, FoundCodes> = {
  name: 'find-totp-codes',
  access: 'read',
  text: `
    with wanted as materialized (
      select w.*, totp_key(w.app_no, u, w.user_id) as user_key, u.user_id as method,
        coalesce(u.primary_user_id, u.user_id) as head
      from unnest($1::int[], $2::int[], $3::text[], $4::int[], $5::bigint[])
        with ordinality as w (app_no, tenant_no, user_id, at_most, now_ms, n)
      left join lateral user_of(w.app_no, w.user_id) u on true
    )
    select w.n::int as n, to_json(array(
      select json_build_object('seq', c.seq, 'isRight', c.code is not null, 'at', c.created_at)
      from totp_codes c
      where c.app_no = w.app_no and c.user_key = w.user_key and c.tenant_no = ${ofApp}
      order by c.seq desc limit w.at_most
    )) as tried, to_json(array(
      select c.code from totp_codes c
      where c.app_no = w.app_no and c.user_key = w.user_key and c.tenant_no = ${ofApp}
        and c.code is not null and c.expires_at > w.now_ms
    )) as used, w.method is not null and not exists (
      select from (
        select m.* from users m where m.app_no = w.app_no and m.user_id = w.method
        union all
        select m.* from users m where m.app_no = w.app_no and m.user_id = w.head and w.head <> w.method
        union all
        select m.* from users m
        where m.app_no = w.app_no and m.primary_user_id = w.head and m.primary_user_id <> m.user_id
      ) m
      cross join lateral identities_of(w.app_no, m) i
      where i.tenant_no = w.tenant_no
    ) as "isElsewhere"
    from wanted w`,
  parameters: (sought) => [
    plainArray(sought, ({ tenant }) => tenant.appNo),
    plainArray(sought, ({ tenant }) => tenant.tenantNo),
    textArray(sought, ({ userId }) => userId),
    plainArray(sought, ({ atMost }) => atMost),
    plainArray(sought, ({ now }) => now),
  ],
  outcomeOf: ([row]) => {
    if (row === undefined) throw new Error('looking for codes gave no result');
    return { tried: row.tried, used: row.used, isElsewhere: row.isElsewhere };
  },
};

/**
 * The next number belongs to one code: of those that were judged by the same state, here or in another core, one is stored and
 * the others are judged again. So sending codes concurrently gives no more attempts.
 */
export const keepCode: BatchedStatement<NewCode, { n: number }, boolean> = {
  name: 'keep-totp-code',
  access: 'write',
  text: `
    with first as materialized (
      select distinct on (g.app_no, g.user_key, g.tenant_no, g.seq) g.*
      from unnest(
        $1::int[], $2::text[], $3::int[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::uuid[],
        $10::uuid[], $11::uuid[], $12::text[]
      ) with ordinality as g (
        app_no, user_key, tenant_no, seq, code, created_at, expires_at, kept_until, verifies, spends, codes_id, codes, n
      )
      order by g.app_no, g.user_key, g.tenant_no, g.seq, g.n
    ),
    kept as (
      insert into totp_codes (app_no, user_key, tenant_no, seq, code, created_at, expires_at, kept_until)
      select f.app_no, f.user_key, f.tenant_no, f.seq, f.code, f.created_at, f.expires_at, f.kept_until
      from first f order by f.app_no, f.user_key, f.tenant_no, f.seq
      on conflict do nothing
      returning app_no, user_key, tenant_no, seq
    ),
    judged as materialized (select f.* from first f join kept k using (app_no, user_key, tenant_no, seq)),
    verified as (
      update totp_devices d set verified = true from judged j
      where d.app_no = j.app_no and d.user_key = j.user_key and d.id = j.verifies
      returning j.n
    ),
    spent as (
      update totp_devices d set id = j.codes_id, sealed_secret = decode(j.codes, 'hex') from judged j
      where d.app_no = j.app_no and d.user_key = j.user_key and d.name = '' and d.id = j.spends
      returning j.n
    )
    select j.n::int as n from judged j
    where (j.verifies is null or (j.n in (select v.n from verified v)) is true)
      and (j.spends is null or (j.n in (select s.n from spent s)) is true)`,
  parameters: (codes) => [
    plainArray(codes, ({ tenant }) => tenant.appNo),
    textArray(codes, ({ userKey }) => userKey),
    plainArray(codes, () => ofApp),
    plainArray(codes, ({ seq }) => seq),
    textArray(codes, ({ code }) => code),
    plainArray(codes, ({ now }) => now),
    plainArray(codes, ({ expiresAt }) => expiresAt),
    plainArray(codes, ({ keptUntil }) => keptUntil),
    plainArray(codes, ({ verifies }) => verifies),
    plainArray(codes, ({ spends }) => spends?.former),
    plainArray(codes, ({ spends }) => spends?.codes.id),
    plainArray(codes, ({ spends }) => spends && Buffer.from(spends.codes.sealedSecret).toString('hex')),
  ],
  outcomeOf: ([row]) => row !== undefined,
};

/** Removes codes that no longer count. */
export const removeExpiredCodes = removeBy(`
  with expired as materialized (
    select ctid from totp_codes where kept_until <= $1::bigint limit $2::int for update skip locked
  ),
  removed as (
    delete from totp_codes c where c.ctid = any(array(select e.ctid from expired e)) returning 1
  )
  select count(*)::int as count from removed`);
