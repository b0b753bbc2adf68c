/** The receipt of an import: the outcome of each of its lines. */

import type { SigningKey } from './ed25519.ts';
import type { Envelope } from './envelope.ts';
import { ReceiptFault } from './fault.ts';
import type { Checkpoint } from './note.ts';
import { openStatement, type OpenedStatement, signedStatement, type StatedFile } from './statement.ts';

export const importReceipt = { type: 'urn:carryover:import-receipt:v1', name: 'an import' } as const;

export interface ReceiptFacts {
  readonly app: string;
  readonly job: {
    readonly id: string;
    readonly name: string;
    readonly state: string;
    readonly isDryRun: boolean;
    /** ISO 8601 */
    readonly startedAt: string;
    readonly finishedAt?: string | undefined;
  };
  /** Lines by their outcomes, as in the leaves. */
  readonly counts: Readonly<Record<string, number>>;
  /** Of the upload. */
  readonly bytes: number;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly versions: Readonly<Record<string, string>>;
  /** ISO 8601 */
  readonly madeAt: string;
}

/** With the number of lines. */
export type OpenedReceipt = OpenedStatement<ReceiptFacts & { readonly lines: number }>;

export interface NewReceipt {
  readonly facts: ReceiptFacts;
  readonly tree: Pick<Checkpoint, 'size' | 'root'>;
  readonly files: readonly StatedFile[];
  readonly key: SigningKey;
}

/** Each job has a tree of its own, so the app and the job name it. */
function originOf({ app, job }: Pick<ReceiptFacts, 'app' | 'job'>): string {
  return `carryover/${app}/import/${job.id}`;
}

export function signedReceipt({ facts, tree, files, key }: NewReceipt): Envelope {
  return signedStatement({
    type: importReceipt.type,
    facts: { ...facts, lines: tree.size },
    tree: { origin: originOf(facts), ...tree },
    files,
    key,
  });
}

/** @throws ReceiptFault unless both signatures are right, and agree */
export function openReceipt(envelope: unknown, publicKey: Uint8Array): OpenedReceipt {
  const opened: OpenedReceipt = openStatement(envelope, publicKey, importReceipt);
  const { facts, checkpoint } = opened;
  if (checkpoint.origin !== originOf(facts))
    throw new ReceiptFault('the checkpoint is of another job than the receipt');
  const counted = Object.values(facts.counts).reduce((sum, count) => sum + count, 0);
  if (checkpoint.size !== facts.lines || counted !== facts.lines)
    throw new ReceiptFault('the counts of the receipt do not add up to the lines of its checkpoint');
  return opened;
}
