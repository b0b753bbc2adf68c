/** Second factors of users as images hold them: see import_before_images.factors. In all texts $1 is the app. */

import type { FactorSeals, StagedFactor } from '../../../operations/ports/ports.ts';

/** A row of totp_devices as to_jsonb returns it; columns that are only passed on are not declared. */
export interface FactorRow {
  /** Empty for the backup codes. */
  readonly name: string;
  readonly id: string;
  /** `\x…` */
  readonly sealed_secret: string;
}

export interface ImagedFactors {
  readonly rows?: readonly FactorRow[] | null;
  /** Factors of an import that are not rows yet. */
  readonly staged?: readonly StagedFactor[] | null;
}

const rowsOf = (userId: string, condition: string): string => `(
      select jsonb_agg(to_jsonb(d) order by d.name) from totp_devices d
      where d.app_no = $1 and d.user_key = ${userId}::text${condition}
    )`;

/** An array, see seal-factors.ts of imports, until they become rows. */
const stagedIn = (devices: string): string =>
  `case when jsonb_typeof(${devices}) = 'array' then ${devices} end`;

/** All factors of a user about to be removed. @param devices user_details.totp_devices */
export function factorsOfRemoved(userId: string, devices: string): string {
  return `jsonb_build_object('rows', ${rowsOf(userId, '')}, 'staged', ${stagedIn(devices)})`;
}

/** Factors of imports, which a job may replace. @param devices user_details.totp_devices */
export function factorsOfChanged(userId: string, devices: string): string {
  return `case
      when jsonb_typeof(${devices}) = 'object'
      then jsonb_build_object('rows', ${rowsOf(userId, ' and d.imported')})
      when jsonb_typeof(${devices}) = 'array' then jsonb_build_object('staged', ${devices})
    end`;
}

export function sealedIn({ sealed_secret: sealed }: FactorRow): Buffer {
  return Buffer.from(sealed.slice(2), 'hex');
}

/** A kind of `secondFactors`, for factors that cannot be restored. */
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

/** Kinds of staged factors that no key opens. */
export function lostOf(staged: ImagedFactors['staged'], seals: FactorSeals): readonly LostFactor[] {
  const lost = (staged ?? []).flatMap((factor): LostFactor[] => {
    if ('sealed' in factor) return seals.opens(Buffer.from(factor.sealed, 'base64')) ? [] : ['totp'];
    if ('codes' in factor) return seals.opens(Buffer.from(factor.codes, 'base64')) ? [] : ['backup'];
    return [];
  });
  return [...new Set(lost)];
}

/** $2 ids of login methods, $3 what imports had left with the user's details for each, as JSON, or null. */
export const putStaged = `
  insert into user_details as t (app_no, user_id, totp_devices)
  select $1::int, w.user_id, w.staged::jsonb from unnest($2::uuid[], $3::text[]) w (user_id, staged)
  on conflict (app_no, user_id) do update set totp_devices = excluded.totp_devices`;

/** $2 ids of login methods, $3 rows for each, as JSON: they become theirs. */
export const putFactorRows = `
  insert into totp_devices
  select r.* from unnest($2::uuid[], $3::text[]) w (user_id, rows)
  cross join lateral jsonb_array_elements(w.rows::jsonb) e (value)
  cross join lateral jsonb_populate_record(
    null::totp_devices, e.value || jsonb_build_object('app_no', $1::int, 'user_key', w.user_id::text)
  ) r
  on conflict do nothing`;
