import { textArray } from '../../../domain/pg-array.ts';
import type { Resealing } from '../../../operations/ports/sealed.ts';
import { sealedPurposes } from '../../../process/sealer.ts';
import type { Query } from '../../database/database.ts';
import { type FactorRow, type ImagedFactors, sealedIn } from './imaged-factors.ts';

interface ImageRow {
  readonly place: string;
  readonly appNo: number;
  readonly factors: ImagedFactors;
}

const declare = `
  declare sealed_images no scroll cursor for
  select ctid::text as place, app_no as "appNo", factors from import_before_images
  where factors is not null and factors -> 'rows' <> 'null' for update`;

const keep = `
  update import_before_images b set factors = n.factors::jsonb
  from unnest($1::tid[], $2::text[]) n (place, factors) where b.ctid = n.place`;

const atOnce = 500;

/**
 * Second factors in images of users, for undos to come.
 * @returns how many were sealed anew
 */
export async function resealImages(query: Query, by: Resealing): Promise<number> {
  await query(declare);
  let count = 0;
  for (;;) {
    const images = await query<ImageRow>(`fetch ${atOnce} from sealed_images`);
    if (images.length === 0) break;
    const changed = images.flatMap(({ place, appNo, factors }) => {
      const rows = (factors.rows ?? []).map((row) => resealed(row, appNo, by));
      const anew = rows.filter((row, n) => row !== factors.rows?.[n]).length;
      count += anew;
      return anew === 0 ? [] : [{ place, factors: JSON.stringify({ ...factors, rows }) }];
    });
    await query(keep, [
      textArray(changed, ({ place }) => place),
      textArray(changed, ({ factors }) => factors),
    ]);
  }
  await query('close sealed_images');
  return count;
}

/** What no key opens is left: its undo holds the user. */
function resealed(row: FactorRow, appNo: number, { keyId, again, opens }: Resealing): FactorRow {
  const sealed = sealedIn(row);
  if (sealed.toString('hex', 1, 5) === keyId || !opens(sealed)) return row;
  const place = { purpose: sealedPurposes.totpSecret, appNo, row: row.id };
  return { ...row, sealed_secret: `\\x${Buffer.from(again({ ...place, sealed })).toString('hex')}` };
}
