/** Double-entry bookkeeping of a conversion: what was read is a line, a reject or no user, and the lines are counted where they are. */

import { imbalanceOf } from '../fields/account.ts';
import { ExportFault } from '../providers/provider.ts';
import type { ConvertedBatch } from './ports.ts';

/** A fault of this program: the records that were read and those that come out of the conversion differ. */
export class Imbalance extends ExportFault {}

type Balanced = Pick<ConvertedBatch, 'text' | 'account' | 'firstRecord' | 'records'>;

/**
 * Compares the account of a batch with itself, and with the lines that it accounts for.
 * @throws Imbalance before any line of the batch is used
 */
export function requireBalance({ text, account, firstRecord, records }: Balanced): void {
  const what = imbalanceOf(account) ?? imbalanceOfLines(text, account.converted);
  if (what === undefined) return;
  throw new Imbalance(
    `The totals of the records ${firstRecord} to ${firstRecord + records - 1} do not balance: ${what}. This is a fault of carryover, not of the file: please report it`,
  );
}

function imbalanceOfLines(text: Uint8Array, converted: number): string | undefined {
  const lines = usedLines(text);
  return lines === converted
    ? undefined
    : `${converted} users were counted as converted, and ${lines} were written`;
}

const newline = 10;

/** Lines that are not empty: a record that is rejected, or no user, leaves an empty one. */
function usedLines(text: Uint8Array): number {
  let [lines, start] = [0, 0];
  for (let end = text.indexOf(newline); end >= 0; end = text.indexOf(newline, start)) {
    if (end > start) lines++;
    start = end + 1;
  }
  return start < text.length ? lines + 1 : lines;
}
