/** A chunk between its parse and its commit. */

import { mapColumns } from '../../domain/columns.ts';
import { lineCounters } from '../../domain/jobs/job-fields.ts';
import type { Rival } from '../parse/primaries.ts';
import type { WritingJob } from '../model.ts';
import type { WritingPlan } from './plan.ts';
import type { RareKeysOfApp } from './rare-keys.ts';
import type { ParsedChunk, SingleRecord } from '../parse/types.ts';
import type { JobRules } from '../tasks.ts';

/** Hashes of plain-text passwords, by record and login method. */
export type MadeHashes = ReadonlyMap<number, Readonly<Record<number, string>>>;

/** The part of a chunk that does not depend on the chunks before it. */
export interface PreparedChunk {
  readonly job: WritingJob;
  readonly rules: JobRules;
  /** Its lines; an upload's first chunk is without its byte order mark. */
  readonly bytes: Uint8Array;
  readonly parsed: ParsedChunk;
  /** SHA-256 of each line, if the job lists each. */
  readonly digests?: Uint8Array | undefined;
  /** Physical lines before the chunk. */
  readonly linesBefore: number;
  readonly hashes: MadeHashes;
  /** Given where records that may have a rare key were looked up when the chunk was parsed. */
  readonly rare?: RareKeysOfChunk | undefined;
}

export interface RareKeysOfChunk {
  readonly ofApp: RareKeysOfApp;
  /** Keys up to this position were known then: see FoundRareKeys. */
  readonly since: string;
}

/** A chunk on its way into the database. */
export interface ChunkToWrite extends PreparedChunk {
  readonly plan: WritingPlan;
  /** All chunks before it are committed, and it is committed without a further check. */
  readonly isNext: boolean;
  /** Records refused because of what primary users may not share; known when the chunk was written before. */
  readonly rivals: readonly Rival[];
}

/** Some lines of a chunk, without those between them. */
export interface SomeLines {
  readonly bytes: Uint8Array;
  /** Physical lines within the chunk, from 1, ascending. */
  readonly lines: readonly number[];
}

/**
 * All lines that were not recognised: of a chunk of thousands often only a few.
 * @param starts where each physical line begins
 * @param recognised physical lines, from 1
 */
export function unrecognisedLines(
  bytes: Uint8Array,
  starts: Uint32Array,
  recognised: ArrayLike<number>,
): SomeLines {
  const isRecognised = new Uint8Array(starts.length + 1);
  for (const line of Array.from(recognised)) isRecognised[line] = 1;
  const lines: number[] = [];
  for (let line = 1; line <= starts.length; line++) if (isRecognised[line] === 0) lines.push(line);
  return { bytes: Buffer.concat(lines.map((line) => bytes.subarray(starts[line - 1], starts[line]))), lines };
}

/** Gives separately parsed lines of a chunk their numbers in the chunk. @param lineOf from 1, as is its result */
export function withLines(parsed: ParsedChunk, lineOf: (line: number) => number): ParsedChunk {
  const relined = <Counted extends { readonly line: number }>(each: Counted): Counted => ({
    ...each,
    line: lineOf(each.line),
  });
  return {
    ...parsed,
    rejects: parsed.rejects.map(relined),
    linesOf: parsed.linesOf.map(lineOf),
    factors: parsed.factors.map(relined),
    counted: mapColumns(lineCounters, (_, counter) => parsed.counted[counter].map(lineOf)),
    keptOut: parsed.keptOut.map(({ state, lines }) => ({ state, lines: lines.map(lineOf) })),
    claims: parsed.claims.map(relined),
  };
}

const utf8 = new TextDecoder();

/** A valid record of the chunk, in the form in which it is decided individually. */
export function singleRecord(
  { parsed, bytes, linesBefore, hashes }: Omit<PreparedChunk, 'job' | 'rules'>,
  record: number,
): SingleRecord {
  const text = utf8.decode(bytes.subarray(parsed.spans[2 * record], parsed.spans[2 * record + 1]));
  const made = hashes.get(record);
  return {
    record,
    line: linesBefore + (parsed.linesOf[record] ?? 0),
    text,
    ...(made && { hashes: made }),
  };
}
