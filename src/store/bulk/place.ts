import type { PlacedChunk } from '../../bulk/ports.ts';
import type { Savepoint } from '../database.ts';
import { isUniqueViolation } from '../sqlstate.ts';
import { FormerIdentity, placeMixed } from './place-mixed.ts';
import { placeSame } from './place-same.ts';
import type { Placed } from './simple-rows.ts';

/** Of rows that were expected to be unchanged, as many may be left to be looked at one by one. */
const leftAtMost = 0.05;

/**
 * Creates the new, finds the unchanged. Which way is tried first depends on what is expected; the outcome does not.
 * @returns how many are new, how many are so already, and the places in `rows`, from 0, of the others
 */
export async function placeRows(savepoint: Savepoint, chunk: PlacedChunk) {
  const same = chunk.expected === 'unchanged' ? await placeUnchanged(savepoint, chunk) : undefined;
  const placed = same ?? (await placeAny(savepoint, chunk));
  const { created, unchanged, left } = placed;
  return { created, unchanged, left: left.map((n) => n - 1) };
}

/** Somebody else takes external ids of this chunk at the same time: as often as this, it is not chance. */
const maxRaces = 20;

/** Who takes an external id in mid-statement is met by its unique key only; the next attempt finds the holder. */
async function placeAny(savepoint: Savepoint, chunk: PlacedChunk): Promise<Placed> {
  for (let races = 1; ; races++) {
    try {
      return await savepoint((query) => placeMixed(query, chunk));
    } catch (error) {
      const isRace = isUniqueViolation(error) || error instanceof FormerIdentity;
      if (!isRace || races === maxRaces) throw error;
    }
  }
}

/** Too many were left: what was found is taken back. */
class NotUnchanged extends Error {
  override readonly name = 'NotUnchanged';
}

async function placeUnchanged(savepoint: Savepoint, chunk: PlacedChunk): Promise<Placed | undefined> {
  try {
    return await savepoint(async (query) => {
      const placed = await placeSame(query, chunk);
      if (placed.left.length > chunk.rows.count * leftAtMost) throw new NotUnchanged();
      return placed;
    });
  } catch (error) {
    if (error instanceof NotUnchanged) return undefined;
    throw error;
  }
}
