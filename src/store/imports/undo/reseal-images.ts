import { textArray } from '../../../domain/pg-array.ts';
import type { Resealing } from '../../../operations/ports/sealed.ts';
import type { StagedFactor } from '../../../operations/ports/ports.ts';
import { factorPlace, type SealedPlace } from '../../../process/sealer.ts';
import type { Query } from '../../../database/database.ts';
import { type FactorRow, type ImagedFactors, sealedIn } from './imaged-factors.ts';

interface ImageRow {
  readonly place: string;
  readonly appNo: number;
  readonly factors: ImagedFactors;
}

const declare = `
  declare sealed_images no scroll cursor for
  select ctid::text as place, app_no as "appNo", factors from import_before_images
  where factors is not null for update`;

const keep = `
  update import_before_images b set factors = n.factors::jsonb
  from unnest($1::tid[], $2::text[]) n (place, factors) where b.ctid = n.place`;

const atOnce = 500;

/**
 * Reseals second factors in images of users, for later undos.
 * @returns number of values resealed
 */
export async function resealImages(query: Query, by: Resealing): Promise<number> {
  await query(declare);
  let count = 0;
  for (;;) {
    const images = await query<ImageRow>(`fetch ${atOnce} from sealed_images`);
    if (images.length === 0) break;
    const changed = images.flatMap(({ place, appNo, factors }) => {
      const rows = (factors.rows ?? []).map((row) => resealedRow(row, appNo, by));
      const staged = factors.staged?.map((each) => resealedStaged(each, appNo, by));
      const resealed =
        rows.filter((row, n) => row !== factors.rows?.[n]).length +
        (staged ?? []).filter((each, n) => each !== factors.staged?.[n]).length;
      count += resealed;
      return resealed === 0 ? [] : [{ place, factors: JSON.stringify({ ...factors, rows, staged }) }];
    });
    await query(keep, [
      textArray(changed, ({ place }) => place),
      textArray(changed, ({ factors }) => factors),
    ]);
  }
  await query('close sealed_images');
  return count;
}

function resealedRow(row: FactorRow, appNo: number, by: Resealing): FactorRow {
  const sealed = sealedAnew(sealedIn(row), factorPlace(appNo, row.id), by);
  return sealed ? { ...row, sealed_secret: `\\x${sealed.toString('hex')}` } : row;
}

function resealedStaged(factor: StagedFactor, appNo: number, by: Resealing): StagedFactor {
  const former = 'sealed' in factor ? factor.sealed : 'codes' in factor ? factor.codes : undefined;
  if (former === undefined || !('id' in factor)) return factor;
  const sealed = sealedAnew(Buffer.from(former, 'base64'), factorPlace(appNo, factor.id), by);
  if (sealed === undefined) return factor;
  const text = sealed.toString('base64');
  return 'sealed' in factor ? { ...factor, sealed: text } : { ...factor, codes: text };
}

/** A value that no key opens is left: its undo holds the user. */
function sealedAnew(
  sealed: Buffer,
  place: SealedPlace,
  { keyId, again, opens }: Resealing,
): Buffer | undefined {
  if (sealed.toString('hex', 1, 5) === keyId || !opens(sealed)) return undefined;
  return Buffer.from(again({ ...place, sealed }));
}
