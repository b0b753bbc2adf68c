import type { CodeUse, UsedCode } from '../model.ts';
import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { BatchedStatement } from '../../../store/batch/batches.ts';

interface JudgedRow {
  readonly n: number;
  readonly outcome: UsedCode['outcome'];
  readonly failed: number;
}

/** Devices of a contact, in the order in which every statement locks them. */
const ofContact = `
  select w.n, d.app_no, d.device_hash, d.failed
  from (
    select i.n, o.app_no, o.device_hash
    from input i cross join lateral (
      select d.app_no, d.device_hash from passwordless_devices d
      where d.app_no = i.app_no and d.email = i.email and d.tenant_no = i.tenant_no
      union all
      select d.app_no, d.device_hash from passwordless_devices d
      where d.app_no = i.app_no and d.phone = i.phone and d.tenant_no = i.tenant_no
    ) o
    order by o.app_no, o.device_hash
  ) w
  cross join lateral (
    select d.app_no, d.device_hash, d.failed from passwordless_devices d
    where d.app_no = w.app_no and d.device_hash = w.device_hash
    for update
  ) d`;

/**
 * Judges a code and carries out the result, in one commit: of two right ones one finds its device, and each wrong one counts.
 *
 * - All devices of the contact are locked, not only the code's: they are removed together, and two codes of one contact would
 *   wait for each other in a cycle. In one statement a contact occurs only once (`keyOf`).
 * - A locked row is its newest version, so `failed` includes what others counted while this waited for the lock.
 * - An expired link counts for nothing.
 */
export const useCode: BatchedStatement<CodeUse, JudgedRow, UsedCode> = {
  name: 'use-passwordless-code',
  access: 'write',
  text: `
    with input as materialized (
      select * from unnest(
        $1::int[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::int[], $9::bool[], $10::bool[]
      ) with ordinality as i (
        app_no, tenant_no, device, email, phone, link, fresh_from, max_failed, is_typed, consumes, n
      )
    ),
    devices as materialized (${ofContact}),
    judged as materialized (
      select i.n, i.consumes, d.app_no, d.device_hash, d.failed, case
        when d.failed >= i.max_failed then 'restart'
        when c.created_at >= i.fresh_from then 'right'
        when not i.is_typed or d.failed + 1 >= i.max_failed then 'restart'
        when c.created_at is null then 'wrong'
        else 'expired'
      end as outcome, i.is_typed or d.failed >= i.max_failed as ends
      from input i
      join devices d on d.n = i.n and d.device_hash = decode(i.device, 'hex')
      left join lateral (
        select c.created_at from passwordless_codes c
        where c.app_no = i.app_no and c.link_hash = decode(i.link, 'hex') and c.device_hash = d.device_hash
        for update
      ) c on true
    ),
    ended as (
      delete from passwordless_devices d
      using (
        select j.app_no, j.device_hash from judged j where j.outcome = 'restart' and j.ends
        union all
        select o.app_no, o.device_hash from judged j join devices o on o.n = j.n
        where j.outcome = 'right' and j.consumes
      ) e
      where d.app_no = e.app_no and d.device_hash = e.device_hash
    ),
    counted as (
      update passwordless_devices d set failed = j.failed + 1
      from judged j
      where j.outcome in ('wrong', 'expired') and d.app_no = j.app_no and d.device_hash = j.device_hash
    )
    select n::int as n, outcome, failed + case when outcome = 'right' then 0 else 1 end as failed from judged`,
  parameters: (uses) => [
    plainArray(uses, ({ tenant }) => tenant.appNo),
    plainArray(uses, ({ tenant }) => tenant.tenantNo),
    plainArray(uses, ({ device }) => device.deviceHash),
    textArray(uses, ({ device }) => device.contact.email),
    textArray(uses, ({ device }) => device.contact.phoneNumber),
    plainArray(uses, ({ linkHash }) => linkHash),
    plainArray(uses, ({ freshFrom }) => freshFrom),
    plainArray(uses, ({ maxAttempts }) => maxAttempts),
    plainArray(uses, ({ isTyped }) => (isTyped ? 't' : 'f')),
    plainArray(uses, ({ consumes }) => (consumes ? 't' : 'f')),
  ],
  keyOf: ({ tenant, device: { contact } }) =>
    `${tenant.appNo} ${tenant.tenantNo} ${contact.email ?? contact.phoneNumber}`,
  outcomeOf: ([row]) => (row === undefined ? gone : { outcome: row.outcome, failed: row.failed }),
};

const gone: UsedCode = { outcome: 'restart', failed: 0 };
