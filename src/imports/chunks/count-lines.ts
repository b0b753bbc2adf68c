/** Counts lines of a chunk that are counted once it is known which of them are rejected. */

import { mapColumns } from '../../domain/columns.ts';
import { type LineCounter, lineCounters } from '../../domain/jobs/job-fields.ts';
import type { ByState, SignInState } from '../../domain/jobs/sign-in-states.ts';
import type { ByFactor, Reject, SecondFactor } from '../model.ts';
import type { PreparedChunk } from './prepared.ts';

type Lines = Pick<PreparedChunk, 'parsed' | 'linesBefore'>;
/** Of the chunk, with lines of the whole upload. */
type Rejected = readonly Pick<Reject, 'line'>[];

/** Counts the records of a chunk by their second factors. */
export function countFactors({ parsed, linesBefore }: Lines, rejects: Rejected): ByFactor {
  if (parsed.factors.length === 0) return {};
  const rejected = linesOf(rejects);
  const counts: Partial<Record<SecondFactor, number>> = {};
  for (const { line, factors } of parsed.factors) {
    if (rejected.has(linesBefore + line)) continue;
    for (const factor of factors) counts[factor] = (counts[factor] ?? 0) + 1;
  }
  return counts;
}

/** Counts the records of a chunk that the parser has listed. */
export function countLines(
  { parsed, linesBefore }: Lines,
  rejects: Rejected,
): Readonly<Record<LineCounter, number>> {
  const rejected = linesOf(rejects);
  return mapColumns(
    lineCounters,
    (_, counter) => parsed.counted[counter].filter((line) => !rejected.has(linesBefore + line)).length,
  );
}

/**
 * Counts the records of a chunk by whether and how their users can sign in. The parser lists all that do not sign in with a
 * password, so the rest does.
 * @param imported how many of its records are not rejected
 */
export function countStates({ parsed, linesBefore }: Lines, rejects: Rejected, imported: number): ByState {
  const counts: Partial<Record<SignInState, number>> = {};
  let password = imported;
  if (parsed.keptOut.length > 0) {
    const rejected = linesOf(rejects);
    for (const { state, lines } of parsed.keptOut) {
      const count = lines.filter((line) => !rejected.has(linesBefore + line)).length;
      if (count > 0) counts[state] = count;
      password -= count;
    }
  }
  return password > 0 ? { password, ...counts } : counts;
}

function linesOf(rejects: Rejected): ReadonlySet<number> {
  return new Set(rejects.map(({ line }) => line));
}
