import type { ByState, Reject, SignInState } from '../model.ts';
import type { MergeInput } from './write-chunk.ts';

/**
 * Counts the records of a chunk by whether their people can sign in.
 * @param rejects of the chunk, with lines of the whole upload
 * @param imported how many of its records are not rejected
 */
export function countStates(
  { parsed, linesBefore }: Pick<MergeInput, 'parsed' | 'linesBefore'>,
  rejects: readonly Pick<Reject, 'line'>[],
  imported: number,
): ByState {
  const counts: Partial<Record<SignInState, number>> = {};
  let canSignIn = imported;
  if (parsed.keptOut.length > 0) {
    const rejected = new Set(rejects.map(({ line }) => line));
    for (const { state, lines } of parsed.keptOut) {
      const count = lines.filter((line) => !rejected.has(linesBefore + line)).length;
      if (count > 0) counts[state] = count;
      canSignIn -= count;
    }
  }
  return canSignIn > 0 ? { canSignIn, ...counts } : counts;
}
