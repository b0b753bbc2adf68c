/**
 * Double-entry bookkeeping of a conversion: each record that was read becomes a line, a reject or no user, and the lines are
 * counted at the end.
 */

import { imbalanceOf } from '../fields/account.ts';
import { ExportFault } from '../providers/provider.ts';
import type { ConvertedBatch } from './ports.ts';

/** A bug of this program: the records read and the results of the conversion differ in number. */
export class Imbalance extends ExportFault {}

type Balanced = Pick<ConvertedBatch, 'text' | 'account' | 'firstRecord' | 'records' | 'rejects' | 'skipped'>;

/**
 * The balance of one conversion, batch by batch. An account covers the batches since the previous one: most batches have one
 * each, those of a join have one together, with the last.
 */
export class Balance {
  /** Counts of the batches without an account so far. */
  #first = 1;
  #lines = 0;

  /**
   * Compares the lines of a batch with its records and, if its account is there, with that.
   * @throws Imbalance before any line of the batch is used
   */
  add({ text, account, firstRecord, records, rejects, skipped }: Balanced): void {
    const lines = usedLines(text);
    const last = firstRecord + records - 1;
    refuse(linesMissing(lines, records - rejects.length - skipped), firstRecord, last);
    this.#lines += lines;
    if (account.records === 0) return;
    refuse(imbalanceOf(account) ?? linesMissing(this.#lines, account.converted), this.#first, last);
    this.#first = last + 1;
    this.#lines = 0;
  }

  /** @throws Imbalance for users that are in no account */
  end(): void {
    if (this.#lines > 0) refuse('no account has their users', this.#first, this.#first + this.#lines - 1);
  }
}

function linesMissing(lines: number, converted: number): string | undefined {
  return lines === converted
    ? undefined
    : `${converted} users were counted as converted, and ${lines} were written`;
}

function refuse(what: string | undefined, first: number, last: number): void {
  if (what === undefined) return;
  throw new Imbalance(
    `The totals of the records ${first} to ${last} do not balance: ${what}. This is a fault of carryover, not of the file: please report it`,
  );
}

const newline = 10;

/** Lines that are not empty: a reject, and a record that is not a user, leave an empty one. */
function usedLines(text: Uint8Array): number {
  let [lines, start] = [0, 0];
  for (let end = text.indexOf(newline); end >= 0; end = text.indexOf(newline, start)) {
    if (end > start) lines++;
    start = end + 1;
  }
  return start < text.length ? lines + 1 : lines;
}
