import type { PlacedChunk } from '../../bulk/ports.ts';
import type { Query } from '../database.ts';
import { comparedParametersOf, comparedRows, type Placed, sameRows } from './simple-rows.ts';

/** Comparing users that are all there, which is what importing a file again mostly does: nothing else is tried. */
const compare = `
  with ${comparedRows},
  ${sameRows('input')}
  select
    0 as created,
    (select count(*) from unchanged)::int as unchanged,
    to_json(array(
      select p.n::int from input p where not ((p.n in (select u.n from unchanged u)) is true) order by p.n
    )) as left`;

/** @returns who is unchanged; all others are left, new ones too */
export async function placeSame(query: Query, chunk: PlacedChunk): Promise<Placed> {
  const [row] = await query<Placed>(compare, comparedParametersOf(chunk));
  if (!row) throw new Error('comparing rows gave no result');
  return row;
}
