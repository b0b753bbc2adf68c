import type { ComparedChunk, Placed, PlacedChunk } from '../../../imports/ports.ts';
import type { Query, Savepoint } from '../../../database/database.ts';
import { isUniqueViolation } from '../../../database/sqlstate.ts';
import { FormerIdentity, placeMixed } from './mixed.ts';
import {
  comparedParametersOf,
  comparedRows,
  idsOf,
  isAsStated,
  type PlacedRow,
  remember,
  sameRows,
} from './simple-rows.ts';

/** Of rows that were expected to be unchanged, this share may be left to be read individually. */
const leftAtMost = 0.05;

/** Attempts while others take external ids of this chunk; more is not chance. */
const maxRaces = 20;

/**
 * Creates the new, finds the unchanged. An external id taken in mid-statement is found by its unique key only; the next attempt
 * finds its user.
 */
export async function placeRows(savepoint: Savepoint, chunk: PlacedChunk): Promise<Placed> {
  for (let races = 1; ; races++) {
    try {
      return placed(await savepoint((query) => placeMixed(query, chunk)));
    } catch (error) {
      const isRace = isUniqueViolation(error) || error instanceof FormerIdentity;
      if (!isRace || races === maxRaces) throw error;
    }
  }
}

/**
 * Compares users that all exist, which is the usual case of importing a file again: nothing else is tried. Without `on conflict`
 * remembering them takes PostgreSQL half the time.
 */
const compareBy = (same: string): string => `
  with ${comparedRows},
  ${same},
  remembered as (${remember})
  select
    0 as created,
    (select count(*) from same)::int as unchanged, ${idsOf('same')} as users,
    to_json(array(
      select p.n::int from input p where not ((p.n in (select s.n from same s)) is true) order by p.n
    )) as left`;
const compare = compareBy(sameRows('input'));
const compareWithHere = compareBy(sameRows('input', isAsStated));

/** Too many were left: the result is rolled back. */
class NotUnchanged extends Error {
  override readonly name = 'NotUnchanged';
}

/** @returns undefined when too many are not unchanged, or one of them was seen before: then nothing is written */
export async function compareRows(savepoint: Savepoint, chunk: ComparedChunk): Promise<Placed | undefined> {
  try {
    return await savepoint(async (query) => {
      const found = await placeSame(query, chunk);
      if (chunk.job.compare !== true && found.left.length > chunk.rows.count * leftAtMost)
        throw new NotUnchanged();
      return placed(found);
    });
  } catch (error) {
    if (error instanceof NotUnchanged || isUniqueViolation(error)) return undefined;
    throw error;
  }
}

/**
 * @returns the unchanged users; all other rows are left, also new ones
 * @throws the driver's error for a unique violation when one of them was seen by an earlier record of the job
 */
async function placeSame(query: Query, chunk: ComparedChunk): Promise<PlacedRow> {
  const statement = chunk.job.compare === true ? compareWithHere : compare;
  const [row] = await query<PlacedRow>(statement, comparedParametersOf(chunk));
  if (!row) throw new Error('comparing rows gave no result');
  return row;
}

function placed({ left, same, ...row }: PlacedRow): Placed {
  const fromZero = (n: number): number => n - 1;
  return { ...row, left: left.map(fromZero), ...(same && { same: same.map(fromZero) }) };
}
