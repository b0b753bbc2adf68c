import { digestOfLine, hashesOfLeaves } from './leaf.ts';
import { ReceiptFault } from './fault.ts';
import type { OutcomeRun } from './outcome-list.ts';
import { rootOf } from './tree.ts';

/** A power of two, so that each batch is a node of the tree. */
const batchLines = 4096;

interface Batch {
  readonly digests: Buffer[];
  readonly outcomes: string[];
}

/**
 * Computes a job's tree again: from the lines of its upload, each without its line end, and the outcomes of all of them.
 * @returns the number of lines and the root
 * @throws ReceiptFault if there are more lines than outcomes, or fewer
 */
export async function treeOfLines(
  lines: AsyncIterable<Uint8Array>,
  outcomes: AsyncIterable<OutcomeRun>,
  secret: Uint8Array,
): Promise<{ readonly size: number; readonly root: Uint8Array }> {
  const roots: Buffer[] = [];
  const next = outcomesIn(outcomes);
  let batch: Batch = { digests: [], outcomes: [] };
  let size = 0;
  const end = (): void => {
    const { digests, outcomes: texts } = batch;
    const first = size - texts.length + 1;
    roots.push(rootOf(hashesOfLeaves(secret, { first, digests: Buffer.concat(digests), outcomes: texts })));
    batch = { digests: [], outcomes: [] };
  };
  for await (const line of lines) {
    const outcome = await next();
    if (outcome === undefined)
      throw new ReceiptFault(`the file has more than the ${size} lines of the receipt`);
    batch.digests.push(digestOfLine(line));
    batch.outcomes.push(outcome);
    size++;
    if (batch.outcomes.length === batchLines) end();
  }
  if (batch.outcomes.length > 0) end();
  if ((await next()) !== undefined)
    throw new ReceiptFault(`the file has ${size} lines, fewer than the receipt`);
  return { size, root: rootOf(Buffer.concat(roots)) };
}

/** @returns the outcome of the next line each time, and undefined after the last */
function outcomesIn(runs: AsyncIterable<OutcomeRun>): () => Promise<string | undefined> | string | undefined {
  const iterator: AsyncIterator<OutcomeRun, unknown> = runs[Symbol.asyncIterator]();
  let run: OutcomeRun = { outcome: '', lines: 0 };
  let left = 0;
  const read = async (): Promise<string | undefined> => {
    const next = await iterator.next();
    if (next.done === true) return undefined;
    run = next.value;
    left = run.lines - 1;
    return run.outcome;
  };
  return () => {
    if (left === 0) return read();
    left--;
    return run.outcome;
  };
}
