/**
 * A job's lines in aligned blocks, whatever its chunks were: the hash of a block is a node of the tree, so the tree is hashed in threads,
 * a block at a time, and the proof of one line needs the lines of its block and the hashes of the blocks.
 */

import { hashBytes } from '../../receipts/tree.ts';
import type { JobRef } from '../../imports/model.ts';
import type { ReceiptStore } from './model.ts';

/** A power of two: about the lines of a chunk. */
export const blockLines = 4096;
/** About 2 MB. */
const rowsAtOnce = 16;

export interface Block {
  /** The number of its first line, from 1. */
  readonly first: number;
  readonly digests: Buffer;
  readonly outcomes: Buffer;
}

/** The line's block is this one, from 0. */
export function blockOf(line: number): number {
  return Math.floor((line - 1) / blockLines);
}

/** All blocks in order from block `from` on, as many as a few rows hold at a time; only the last block of a job has fewer lines. */
export async function* blocksOf(
  { ledger }: Pick<ReceiptStore, 'ledger'>,
  job: JobRef,
  from = 0,
): AsyncGenerator<Block[]> {
  let rest: Block = { first: from * blockLines + 1, digests: Buffer.alloc(0), outcomes: Buffer.alloc(0) };
  for (;;) {
    const next = rest.first - 1 + rest.outcomes.length;
    const rows = await ledger(job, next, rowsAtOnce);
    const parts = rows.map(({ linesBefore, digests, outcomes }) => {
      const known = Math.max(next - linesBefore, 0);
      return { digests: digests.subarray(known * hashBytes), outcomes: outcomes.subarray(known) };
    });
    const gathered: Block = {
      first: rest.first,
      digests: Buffer.concat([rest.digests, ...parts.map(({ digests }) => digests)]),
      outcomes: Buffer.concat([rest.outcomes, ...parts.map(({ outcomes }) => outcomes)]),
    };
    if (gathered.outcomes.length === rest.outcomes.length) {
      if (rest.outcomes.length > 0) yield [rest];
      return;
    }
    const whole = Math.floor(gathered.outcomes.length / blockLines);
    yield Array.from({ length: whole }, (_, place) => partOf(gathered, place));
    rest = partOf(gathered, whole);
  }
}

function partOf({ first, digests, outcomes }: Block, place: number): Block {
  const start = place * blockLines;
  const end = start + blockLines;
  return {
    first: first + start,
    digests: digests.subarray(start * hashBytes, end * hashBytes),
    outcomes: outcomes.subarray(start, end),
  };
}
