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

/** A power of two, so that each block is a node of the tree. */
const blockEntries = 4096;

/** The tree of the entries, which are added in their order: so a hundred thousand are never hashed in one go. */
export class EntryTree {
  /** Of whole blocks. */
  readonly #roots: Buffer[] = [];
  #leaves: Buffer[] = [];

  /** @param entry one line of text, without its end */
  add(entry: Uint8Array): void {
    this.#leaves.push(leafHash(entry));
    if (this.#leaves.length === blockEntries) {
      this.#roots.push(rootOf(Buffer.concat(this.#leaves)));
      this.#leaves = [];
    }
  }

  get size(): number {
    return this.#roots.length * blockEntries + this.#leaves.length;
  }

  get root(): Buffer {
    const last = this.#leaves.length === 0 ? [] : [rootOf(Buffer.concat(this.#leaves))];
    return rootOf(Buffer.concat(this.#roots.concat(last)));
  }
}

function originOf({ app, move }: Pick<MoveReceiptFacts, 'app' | 'move'>): string {
  return `carryover/${app}/move/${move.number}`;
}

export function signedMoveReceipt(
  facts: MoveReceiptFacts,
  { size, root }: Pick<Checkpoint, 'size' | 'root'>,
  key: SigningKey,
): Envelope {
  const tree = { origin: originOf(facts), size, root };
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
