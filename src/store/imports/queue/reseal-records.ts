import { textArray } from '../../../domain/pg-array.ts';
import type { Resealing } from '../../../operations/ports/sealed.ts';
import { sealedPurposes } from '../../../process/sealer.ts';
import type { Query } from '../../../database/database.ts';

/** Records with second factors that wait in a table: see sealed-records.ts of imports. */

const mark = 'sealed:';
const places = {
  import_queue: 'entry_id::text',
  import_postponed: `job_id || '/' || line`,
} as const;

interface RecordRow {
  readonly place: string;
  readonly appNo: number;
  readonly row: string;
  readonly record: string;
}

const atOnce = 500;

/** @returns number of values resealed */
export async function resealRecords(query: Query, by: Resealing): Promise<number> {
  let count = 0;
  for (const [table, row] of Object.entries(places)) {
    await query(`
      declare sealed_records no scroll cursor for
      select ctid::text as place, app_no as "appNo", ${row} as row, record from ${table}
      where record ^@ '${mark}' for update`);
    for (;;) {
      const rows = await query<RecordRow>(`fetch ${atOnce} from sealed_records`);
      if (rows.length === 0) break;
      const changed = rows.flatMap((each) => resealed(each, by));
      count += changed.length;
      await query(
        `update ${table} t set record = n.record from unnest($1::tid[], $2::text[]) n (place, record) where t.ctid = n.place`,
        [textArray(changed, ({ place }) => place), textArray(changed, ({ record }) => record)],
      );
    }
    await query('close sealed_records');
  }
  return count;
}

function resealed({ place, appNo, row, record }: RecordRow, { keyId, again, opens }: Resealing) {
  const sealed = Buffer.from(record.slice(mark.length), 'base64');
  if (sealed.toString('hex', 1, 5) === keyId || !opens(sealed)) return [];
  const text = Buffer.from(again({ purpose: sealedPurposes.record, appNo, row, sealed })).toString('base64');
  return [{ place, record: mark + text }];
}
