/** What a comparison has found, settled alike by class: the records of one class, to import them with one rule. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createWriteStream } from 'node:fs';
import { Refusal } from '../../domain/errors.ts';
import type { Difference } from '../../imports/difference.ts';
import { isThere, linesIn, recordsOf } from './record-lists.ts';
import { settledKinds, type Settled, type SettledKind } from './model.ts';

/** In the folder of a comparison: all differences, and the records whose import settles those that are unexplained. */
export const differencesName = 'differences.ndjson';
export const repairName = 'repair.ndjson';

/** The number of records of each class. @param folder of the run @throws Refusal NOT_FOUND for a run without a comparison */
export async function settlingCounts(
  folder: string,
  signal: AbortSignal,
): Promise<Readonly<Record<SettledKind, number>>> {
  const counts = { missingHere: 0, there: 0, both: 0, unknown: 0 };
  for await (const { kind } of settling(folder, signal)) counts[kind] += 1;
  return counts;
}

/**
 * Writes the records of a class to a file, for their owner alone.
 * @returns their number
 * @throws Refusal NOT_FOUND for a run without a comparison, INVALID_FIELD for a class without a record, or a choice that it does not have
 */
export async function writeSettling(
  { folder, to }: { readonly folder: string; readonly to: string },
  { kind, choice }: Settled,
  signal: AbortSignal,
): Promise<number> {
  if (choice === 'ours' && (kind === 'missingHere' || kind === 'there'))
    throw invalid(
      'choice',
      `of the class '${kind}' an import takes the source's side: leave these, or choose 'theirs'`,
    );
  let count = 0;
  const lines = async function* (): AsyncGenerator<string> {
    for await (const each of settling(folder, signal)) {
      if (kind !== 'all' && each.kind !== kind) continue;
      count += 1;
      yield `${each.record}\n`;
    }
  };
  await pipeline(Readable.from(lines()), createWriteStream(to, { mode: 0o600 }), { signal });
  if (count === 0) throw invalid('kind', `the comparison has no record of the class '${kind}'`);
  return count;
}

/** The records that settle something, in the order of the file. */
async function* settling(
  folder: string,
  signal: AbortSignal,
): AsyncGenerator<{ readonly kind: SettledKind; readonly record: string }> {
  if (!(await isThere(`${folder}/${repairName}`)))
    throw new Refusal('NOT_FOUND', 'The run is not a comparison that has ended');
  const records = linesIn(`${folder}/${repairName}`, signal);
  for await (const { entries, record } of recordsOf(unsettled(folder, signal), records))
    yield { kind: kindOf(entries), record };
}

interface Unsettled {
  readonly line: number;
  readonly kind: SettledKind;
}

async function* unsettled(folder: string, signal: AbortSignal): AsyncGenerator<Unsettled> {
  for await (const text of linesIn(`${folder}/${differencesName}`, signal)) {
    const found = JSON.parse(text) as Difference;
    if (found.explained) continue;
    if (found.is === 'missingHere') yield { line: found.line, kind: 'missingHere' };
    // A change here alone is explained.
    if (found.is === 'different' && found.changed !== 'here') yield { line: found.line, kind: found.changed };
  }
}

/** Of a user with several differences: the one that needs a decision most. */
function kindOf(entries: readonly Unsettled[]): SettledKind {
  return settledKinds.find((kind) => entries.some((entry) => entry.kind === kind)) ?? 'missingHere';
}

function invalid(field: string, why: string): Refusal {
  return new Refusal('INVALID_FIELD', `Field name '${field}' is invalid in JSON input: ${why}`);
}
