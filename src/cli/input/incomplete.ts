/** Inputs that are only a part of their origin, found before anything is changed. */

import { open } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { Imbalance } from '../../exports/convert/balance.ts';
import {
  convert,
  type ConvertPool,
  type ConvertSource,
  missingFromSource,
  tryBeginning,
} from '../../exports/convert/convert.ts';
import { AmbiguousDates } from '../../exports/convert/dates.ts';
import { ExportFault } from '../../exports/providers/provider.ts';
import { endsInLine, isCutJson } from '../../exports/readers/cut-lines.ts';
import type { Incomplete } from '../../exports/readers/ending.ts';
import { missingAtEnds } from '../../exports/readers/large-ends.ts';
import type { AbsentRule } from '../../imports/absence.ts';
import { CommandError } from '../command-error.ts';
import { refusal, shownOf } from '../output/incomplete.ts';
import type { Surroundings } from '../surroundings.ts';
import type { KnownFile } from './files/known-file.ts';
import { convertSourceOf, filesOf, type Input } from './input.ts';

/** As commander gives it. */
export interface PartialOptions {
  readonly partial?: boolean;
}

export function addPartialOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--partial',
      'take what is there of an input that is not complete: a file that is cut off, one page of a list, fewer records than it states; never with --absent',
    ),
  );
}

/** Smaller inputs are converted once before anything is changed. The size of compressed ones is the compressed size. */
const readWholeBytes = 100 * 1024 * 1024;

interface Wanted {
  /** Whether an incomplete input is accepted. */
  readonly isPartial: boolean;
  /** Whether totals are checked as well, before a change is made by the result of the conversion. */
  readonly checksTotals: boolean;
  readonly absent?: AbsentRule | undefined;
}

/**
 * Refuses an input that is visibly incomplete, whose totals do not balance, or whose dates can be read in two ways, before
 * anything is changed. Of a large one only the ends are checked: the rest is checked while it is read, batch by batch.
 * @throws InputIncomplete; CommandError for an input that cannot be read to its end
 */
export async function requireComplete(
  input: Input,
  { isPartial, checksTotals, absent }: Wanted,
  surroundings: Surroundings,
): Promise<void> {
  const mayMiss = isPartial && absent === undefined;
  if (mayMiss && (input.isPlain || !checksTotals)) return;
  const incomplete = await seenIn(input, checksTotals, surroundings).catch((error: unknown) => {
    if (!(error instanceof ExportFault)) throw error;
    throw new CommandError(error.message, { cause: error, code: codeOfFault(error) });
  });
  if (incomplete.length > 0 && !mayMiss)
    throw refusal(shownOf(input, incomplete, surroundings), { absent, so: '. Nothing was changed' });
}

/** For programs. */
export function codeOfFault(error: unknown): string {
  if (error instanceof Imbalance) return 'TOTALS_DO_NOT_BALANCE';
  return error instanceof AmbiguousDates ? 'AMBIGUOUS_DATES' : 'INPUT_UNREADABLE';
}

/** Whether an input is too large to be converted before it is sent. */
export function isLarge({ file, several, related }: Input): boolean {
  const files = [file, ...(several?.more ?? []), ...Object.values(related)];
  return files.reduce((sum, known) => sum + known.bytes, 0) >= readWholeBytes;
}

async function seenIn(
  input: Input,
  checksTotals: boolean,
  { interrupt, convertPool }: Surroundings,
): Promise<readonly Incomplete[]> {
  if (input.isPlain) return cutLineIn(input.file);
  const source = convertSourceOf(input, true);
  if (!checksTotals)
    return isLarge(input) ? missingAtEnds(filesOf(input)) : missingFromSource(source, interrupt);
  const pool = await convertPool();
  if (!isLarge(input)) return missingFromConversion(source, pool, interrupt);
  await tryBeginning(source, pool, interrupt);
  return missingAtEnds(filesOf(input));
}

/** Converts an input once and discards the result. @throws Imbalance; ExportFault for an input that cannot be read */
async function missingFromConversion(
  source: ConvertSource,
  pool: ConvertPool,
  signal: AbortSignal,
): Promise<readonly Incomplete[]> {
  let missing: readonly Incomplete[] = [];
  for await (const batch of convert(source, pool, signal)) missing = batch.incomplete ?? missing;
  return missing;
}

/** The longest line that is examined: more than a core accepts. */
const lineBytes = 4 * 1024 * 1024;

/** Whether the last line of a file that is sent unchanged is incomplete. */
export async function cutLineIn({ path: file, bytes }: KnownFile): Promise<readonly Incomplete[]> {
  const handle = await open(file, 'r');
  try {
    const start = Math.max(0, bytes - lineBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes - start), 0, bytes - start, start);
    const line = openLineOf(buffer.subarray(0, bytesRead), start === 0);
    if (line === undefined || !isCutJson(line)) return [];
    const message = endsInLine(start === 0 ? lineNumber(buffer, line) : undefined);
    return [{ code: 'ENDS_EARLY', file, message }];
  } finally {
    await handle.close();
  }
}

const newline = 0x0a;

/** The last line, if it has no end; undefined for one that is longer than the examined part. */
function openLineOf(text: Buffer, isWhole: boolean): Buffer | undefined {
  const start = text.lastIndexOf(newline) + 1;
  return start === 0 && !isWhole ? undefined : text.subarray(start);
}

function lineNumber(text: Buffer, line: Buffer): number {
  const end = line.byteOffset - text.byteOffset;
  let lines = 1;
  for (let at = text.indexOf(newline); at >= 0 && at < end; at = text.indexOf(newline, at + 1)) lines += 1;
  return lines;
}
