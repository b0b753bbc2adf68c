import type { ByFactor, Reject, SecondFactor } from '../model.ts';
import type { MergeInput } from './write-chunk.ts';

/** Counts the records of a chunk by their second factors. @param rejects of the chunk, with lines of the whole upload */
export function countFactors(
  { parsed, linesBefore }: Pick<MergeInput, 'parsed' | 'linesBefore'>,
  rejects: readonly Pick<Reject, 'line'>[],
): ByFactor {
  if (parsed.factors.length === 0) return {};
  const rejected = new Set(rejects.map(({ line }) => line));
  const counts: Partial<Record<SecondFactor, number>> = {};
  for (const { line, factors } of parsed.factors) {
    if (rejected.has(linesBefore + line)) continue;
    for (const factor of factors) counts[factor] = (counts[factor] ?? 0) + 1;
  }
  return counts;
}

/** How many records of a chunk that are not rejected state an odd join date. @param rejects as above */
export function countOddDates(
  { parsed, linesBefore }: Pick<MergeInput, 'parsed' | 'linesBefore'>,
  rejects: readonly Pick<Reject, 'line'>[],
): number {
  if (parsed.oddDates.length === 0) return 0;
  const rejected = new Set(rejects.map(({ line }) => line));
  return parsed.oddDates.filter((line) => !rejected.has(linesBefore + line)).length;
}
