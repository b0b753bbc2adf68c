import type { RemovedMatch, SingleRecord, SoughtKeys } from '../parse/types.ts';
import type { ChunkTransaction, ImportThreads } from '../ports.ts';
import { type ChunkToWrite, singleRecord } from './prepared.ts';
import type { Tally } from './tally.ts';

/** Repetitions because other writers took the keys of these records; more than this is not chance. */
const maxRaces = 20;

interface Individually {
  /** The parsed records of the chunk, some of which are decided here. */
  readonly chunk: ChunkToWrite;
  /** The records of users who were removed here. */
  readonly removed: readonly RemovedMatch[];
  readonly tally: Tally;
  /** A record waits for earlier ones that change its user. */
  readonly isInOrder: boolean;
}

/**
 * Decides records of a chunk individually, and writes the decisions. Repeats as long as records wait for others, or another
 * transaction takes their keys in the meantime.
 * @param records ordinals of the chunk's valid records, ascending
 * @returns false when a later line of the chunk was compared too early: see Decided.isOutOfOrder
 */
export async function decideEach(
  transaction: ChunkTransaction,
  threads: ImportThreads,
  records: readonly number[],
  { chunk, removed, tally, isInOrder }: Individually,
): Promise<boolean> {
  const { rules, job, rivals } = chunk;
  let pending = records;
  for (let races = 0; pending.length > 0;) {
    const singles = pending.map((record) => singleRecord(chunk, record));
    const holders = await transaction.find({ job }, await keysOf(threads, chunk, singles));
    tally.addTouched(holders.methods);
    const decided = await threads.run({ type: 'decide', records: singles, holders, rules, removed, rivals });
    if (isInOrder && decided.isOutOfOrder) return false;
    if (await transaction.change({ job }, decided.changes)) {
      if (decided.restored.length > 0) await transaction.restore(job, decided.restored);
      tally.addDecided(decided);
      pending = decided.deferred;
    } else if (++races === maxRaces) {
      throw new Error(`the keys of a chunk were taken by others ${maxRaces} times in a row`);
    }
  }
  return true;
}

/** Those of complex records were found when the chunk was parsed. */
async function keysOf(
  threads: ImportThreads,
  { rules, parsed: { complexRecords, complexKeys } }: ChunkToWrite,
  singles: readonly SingleRecord[],
): Promise<SoughtKeys> {
  const isEachComplex =
    singles.length === complexRecords.length &&
    singles.every(({ record }, place) => record === complexRecords[place]);
  return isEachComplex ? complexKeys : threads.run({ type: 'keys', records: singles, rules });
}
