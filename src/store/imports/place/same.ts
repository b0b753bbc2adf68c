import type { ComparedChunk } from '../../../imports/ports.ts';
import type { Query } from '../../database/database.ts';
import { comparedParametersOf, comparedRows, type PlacedRow, remember, sameRows } from './simple-rows.ts';

/**
 * Comparing users that are all there, which is what importing a file again mostly does: nothing else is tried. Without `on
 * conflict` remembering them takes PostgreSQL half the time.
 */
const compare = `
  with ${comparedRows},
  ${sameRows('input')},
  remembered as (${remember})
  select
    0 as created,
    (select count(*) from same)::int as unchanged,
    to_json(array(
      select p.n::int from input p where not ((p.n in (select s.n from same s)) is true) order by p.n
    )) as left`;

/**
 * @returns who is unchanged; all others are left, new ones too
 * @throws the driver's error for a unique violation when one of them was met by an earlier record of the job
 */
export async function placeSame(query: Query, chunk: ComparedChunk): Promise<PlacedRow> {
  const [row] = await query<PlacedRow>(compare, comparedParametersOf(chunk));
  if (!row) throw new Error('comparing rows gave no result');
  return row;
}
