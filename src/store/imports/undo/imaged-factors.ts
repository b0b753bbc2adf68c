/** Second factors of users as images hold them: see import_before_images.factors. In all texts $1 is the app. */

import type { FactorSeals } from '../../../operations/ports/ports.ts';

/** A row of totp_devices as to_jsonb gives it; what only passes through has no name here. */
export interface FactorRow {
  /** Empty for the backup codes. */
  readonly name: string;
  readonly id: string;
  /** `\x…` */
  readonly sealed_secret: string;
}

export interface ImagedFactors {
  readonly rows?: readonly FactorRow[] | null;
}

const rowsOf = (userId: string, condition: string): string => `(
      select jsonb_agg(to_jsonb(d) order by d.name) from totp_devices d
      where d.app_no = $1 and d.user_key = ${userId}::text${condition}
    )`;

/** All that a user has, who is about to be removed: `{"rows"}`, null for none. */
export function factorsOfRemoved(userId: string): string {
  return `jsonb_build_object('rows', ${rowsOf(userId, '')})`;
}

/** Those of imports, which a job may replace. @param devices user_details.totp_devices */
export function factorsOfChanged(userId: string, devices: string): string {
  return `case when jsonb_typeof(${devices}) = 'object'
      then jsonb_build_object('rows', ${rowsOf(userId, ' and d.imported')}) end`;
}

export function sealedIn({ sealed_secret: sealed }: FactorRow): Buffer {
  return Buffer.from(sealed.slice(2), 'hex');
}

/** A kind of `secondFactors`, for what cannot be brought back. */
export type LostFactor = 'totp' | 'backup';

export function kindOf({ name }: FactorRow): LostFactor {
  return name === '' ? 'backup' : 'totp';
}

/** Rows that a key opens, and the kinds of the others. */
export function sortFactors(
  rows: readonly FactorRow[],
  seals: FactorSeals,
): { readonly usable: readonly FactorRow[]; readonly lost: readonly LostFactor[] } {
  const isUsable = (row: FactorRow): boolean => seals.opens(sealedIn(row));
  const lost = rows.filter((row) => !isUsable(row)).map(kindOf);
  return { usable: rows.filter(isUsable), lost: [...new Set(lost)] };
}

/** $2 ids of login methods, $3 rows of each, as JSON: they become theirs. */
export const putFactorRows = `
  insert into totp_devices
  select r.* from unnest($2::uuid[], $3::text[]) w (user_id, rows)
  cross join lateral jsonb_array_elements(w.rows::jsonb) e (value)
  cross join lateral jsonb_populate_record(
    null::totp_devices, e.value || jsonb_build_object('app_no', $1::int, 'user_key', w.user_id::text)
  ) r
  on conflict do nothing`;
