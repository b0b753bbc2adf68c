/** Records of a run that are imported again: rejected ones, corrected in the page, and those whose conflicts a person decides. */
import { Refusal } from '../../domain/errors.ts';
import { isThere, linesIn, recordsOf } from './record-lists.ts';

/** What the command's lists of rejects have in place of hashes and secrets. */
const maskedSecret = '(masked)';

interface Reject {
  readonly code: string;
  readonly record?: unknown;
}

/**
 * The command's list of rejects; each that can be corrected has `mend`, its place in the file of whole records.
 * @param folder of the run's job
 */
export async function* rejectLines(folder: string, signal: AbortSignal): AsyncGenerator<string> {
  const hasWhole = await isThere(`${folder}/mend.ndjson`);
  let mend = 0;
  for await (const line of linesIn(`${folder}/rejects.ndjson`, signal)) {
    const reject = JSON.parse(line) as Reject;
    const canMend = hasWhole && reject.record !== undefined && reject.code !== 'REMOVED_HERE';
    yield `${JSON.stringify(canMend ? { ...reject, mend: mend++ } : reject)}\n`;
  }
}

export interface Correction {
  /** As in the list of rejects. */
  readonly mend: number;
  /** The corrected record as JSON: what is masked in it stays as it was. */
  readonly record: string;
}

/**
 * The corrected records with their hashes and secrets, one a line.
 * @throws Refusal INVALID_FIELD for a text that is no object, or a place that is not there
 */
export async function corrected(folder: string, corrections: readonly Correction[]): Promise<string> {
  const wanted = new Map(corrections.map(({ mend, record }) => [mend, parsed(mend, record)]));
  const lines: string[] = [];
  let at = 0;
  for await (const line of linesIn(`${folder}/mend.ndjson`)) {
    const change = wanted.get(at++);
    if (change !== undefined) lines.push(JSON.stringify(unmasked(change, JSON.parse(line))));
  }
  if (lines.length < wanted.size)
    throw new Refusal(
      'INVALID_FIELD',
      "Field name 'records' is invalid in JSON input: the run has no such record to correct",
    );
  return `${lines.join('\n')}\n`;
}

/**
 * The records of these lines, among those whose conflicts are not decided.
 * @throws Refusal INVALID_FIELD for a line that is not among them
 */
export async function chosenRecords(folder: string, chosen: readonly number[]): Promise<string> {
  const wanted = new Set(chosen);
  const found: string[] = [];
  const records = recordsOf(conflictsIn(folder), linesIn(`${folder}/decide.ndjson`));
  for await (const { entries, record } of records)
    if (entries.some(({ line }) => wanted.has(line))) found.push(record);
  if (found.length < wanted.size)
    throw new Refusal(
      'INVALID_FIELD',
      "Field name 'lines' is invalid in JSON input: the run has no conflict there that is to be decided",
    );
  return `${found.join('\n')}\n`;
}

async function* conflictsIn(folder: string): AsyncGenerator<{ readonly line: number }> {
  for await (const conflict of linesIn(`${folder}/conflicts.ndjson`))
    yield JSON.parse(conflict) as { readonly line: number };
}

function parsed(mend: number, text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // As below.
  }
  throw new Refusal(
    'INVALID_FIELD',
    `Field name 'records' is invalid in JSON input: the corrected record ${mend + 1} must be a JSON object`,
  );
}

/** What is masked, from the same place of the whole record. */
function unmasked(value: unknown, whole: unknown): unknown {
  if (value === maskedSecret) return whole;
  if (Array.isArray(value))
    return value.map((each, at) => unmasked(each, Array.isArray(whole) ? whole[at] : undefined));
  if (typeof value !== 'object' || value === null) return value;
  const parts = (typeof whole === 'object' && whole !== null ? whole : {}) as Readonly<
    Record<string, unknown>
  >;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, unmasked(each, parts[name])]));
}
