/**
 * All that is needed in addition to the file to compute the tree again: the secret of the salts, and the outcome of each line, equal
 * neighbours together. NDJSON: one object, then `[outcome, lines]` each.
 */

import { secretBytes } from './leaf.ts';
import { ReceiptFault } from './fault.ts';

const type = 'carryover line outcomes 1';

export interface OutcomeRun {
  readonly outcome: string;
  readonly lines: number;
}

/** @param secret hexadecimal */
export function headOfList(job: string, secret: string): string {
  return `${JSON.stringify({ type, job, secret })}\n`;
}

export function lineOfRun({ outcome, lines }: OutcomeRun): string {
  return `${JSON.stringify([outcome, lines])}\n`;
}

/** @throws ReceiptFault */
export function secretIn(head: string): Buffer {
  const { type: said, secret } = { ...(parsed(head) as Readonly<Record<string, unknown>> | null) };
  const bytes = Buffer.from(typeof secret === 'string' ? secret : '', 'hex');
  if (said !== type || bytes.length !== secretBytes)
    throw new ReceiptFault('this is not a list of outcomes: carryover receipt <job> --outcomes writes one');
  return bytes;
}

/** @throws ReceiptFault */
export function runIn(line: string): OutcomeRun {
  const [outcome, lines] = Array.isArray(parsed(line)) ? (parsed(line) as unknown[]) : [];
  if (typeof outcome !== 'string' || typeof lines !== 'number' || !Number.isSafeInteger(lines) || lines < 1)
    throw new ReceiptFault('a line of the list of outcomes is not [outcome, lines]');
  return { outcome, lines };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
