import type { MergeInput, RowsThreads } from './write-chunk.ts';
import type { ChunkTransaction } from '../ports.ts';
import type { RemovedMatch } from '../parse/types.ts';
import { singleRecord } from './single-record.ts';

/** A chunk, and which of its records speak of people who were removed here. */
export interface Sifted {
  readonly input: MergeInput;
  readonly removed: readonly RemovedMatch[];
}

/**
 * Looks for records of people who were removed here, and has those looked at one by one: who is placed with all others at
 * once is created without a further question. An app without such people is asked for one, and that is all.
 */
export async function setAside(
  transaction: ChunkTransaction,
  threads: RowsThreads,
  input: MergeInput,
): Promise<Sifted> {
  const { job, parsed, rules, bytes, isFirst } = input;
  const count = parsed.linesOf.length;
  if (count === 0 || !(await transaction.hasRemoved(job))) return { input, removed: [] };
  const records = Array.from({ length: count }, (_, record) => singleRecord(input, record));
  const removed = await transaction.findRemoved(job, await threads.run({ type: 'keys', records, rules }));
  if (removed.length === 0) return { input, removed };
  const aside = [...new Set(removed.map(({ record }) => record))];
  const again = await threads.run({ type: 'parse', bytes, isFirst, rules, aside });
  return { input: { ...input, parsed: again }, removed };
}
