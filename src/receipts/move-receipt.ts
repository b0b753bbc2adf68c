/** The receipt of a closed move: its history, and the imports of its source. */

import type { SigningKey } from './ed25519.ts';
import type { Envelope } from './envelope.ts';
import { ReceiptFault } from './fault.ts';
import type { Checkpoint } from './note.ts';
import { openStatement, type OpenedStatement, signedStatement } from './statement.ts';
import { leafHash, rootOf } from './tree.ts';

export const moveReceipt = { type: 'urn:carryover:move-receipt:v1', name: 'a move' } as const;

export interface MoveReceiptFacts {
  readonly app: string;
  readonly move: {
    readonly number: number;
    readonly system: string;
    readonly address?: string | undefined;
    readonly label: string;
    /** ISO 8601 */
    readonly startedAt: string;
    /** ISO 8601 */
    readonly closedAt: string;
    readonly isAbandoned: boolean;
  };
  /** Entries that are events of the move; they come first. */
  readonly events: number;
  /** Entries that are imports; they come after the events. */
  readonly imports: number;
  /** Lines of all imports by their outcomes. */
  readonly counts: Readonly<Record<string, number>>;
  readonly versions: Readonly<Record<string, string>>;
  /** ISO 8601 */
  readonly madeAt: string;
}

export type OpenedMoveReceipt = OpenedStatement<MoveReceiptFacts>;

/** @param entry one line of text, without its end @returns its leaf in the tree */
export function hashOfEntry(entry: Uint8Array): Buffer {
  return leafHash(entry);
}

/** @param leaves hashes, concatenated */
export function treeOfEntries(leaves: readonly Buffer[]): Pick<Checkpoint, 'size' | 'root'> {
  return { size: leaves.length, root: rootOf(Buffer.concat(leaves)) };
}

function originOf({ app, move }: Pick<MoveReceiptFacts, 'app' | 'move'>): string {
  return `carryover/${app}/move/${move.number}`;
}

export function signedMoveReceipt(
  facts: MoveReceiptFacts,
  leaves: readonly Buffer[],
  key: SigningKey,
): Envelope {
  const tree = { origin: originOf(facts), ...treeOfEntries(leaves) };
  return signedStatement({ type: moveReceipt.type, facts, tree, files: [], key });
}

/** @throws ReceiptFault unless both signatures are right, and agree */
export function openMoveReceipt(envelope: unknown, publicKey: Uint8Array): OpenedMoveReceipt {
  const opened: OpenedMoveReceipt = openStatement(envelope, publicKey, moveReceipt);
  const { facts, checkpoint } = opened;
  if (checkpoint.origin !== originOf(facts))
    throw new ReceiptFault('the checkpoint is of another move than the receipt');
  if (checkpoint.size !== facts.events + facts.imports)
    throw new ReceiptFault(
      'events and imports of the receipt do not add up to the entries of its checkpoint',
    );
  return opened;
}
