/** What a receipt states: an in-toto statement (https://in-toto.io/Statement/v1) with a predicate of this project. */

import { type Envelope, openEnvelope, sealedEnvelope, unverifiedStatement } from './envelope.ts';
import { ReceiptFault } from './fault.ts';
import { type Checkpoint, openCheckpoint, signedCheckpoint, verifierKeyOf } from './note.ts';
import { publicKeyBytes, type SigningKey } from './ed25519.ts';

const statementType = 'https://in-toto.io/Statement/v1';
/** Described in docs/design/receipts.md. */
export const predicateType = 'urn:carryover:import-receipt:v1';

/** A file of the import, as the sender stated it. */
export interface StatedFile {
  readonly name: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

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

interface Predicate extends ReceiptFacts {
  /** Number of lines. */
  readonly lines: number;
  /** A signed note. */
  readonly checkpoint: string;
  /** The public key, in the forms that tools take. */
  readonly key: { readonly ed25519: string; readonly verifier: string };
}

interface Statement {
  readonly _type: string;
  readonly subject: readonly {
    readonly name: string;
    readonly digest: Readonly<Record<string, string>>;
  }[];
  readonly predicateType: string;
  readonly predicate: Predicate;
}

/** A receipt whose signatures are right. */
export interface OpenedReceipt {
  readonly facts: Predicate;
  readonly files: readonly StatedFile[];
  readonly checkpoint: Checkpoint;
}

export interface NewReceipt {
  readonly facts: ReceiptFacts;
  readonly tree: Pick<Checkpoint, 'size' | 'root'>;
  readonly files: readonly StatedFile[];
  readonly key: SigningKey;
}

/** Each job has a tree of its own, so the app and the job name it. */
function originOf(app: string, job: string): string {
  return `carryover/${app}/import/${job}`;
}

/** The digest of the lines and their outcomes: no file has it, so its name is not `sha256`. */
const treeDigest = 'rfc6962Sha256';

export function signedReceipt({ facts, tree, files, key }: NewReceipt): Envelope {
  const { publicKey } = key;
  const origin = originOf(facts.app, facts.job.id);
  const predicate: Predicate = {
    ...facts,
    lines: tree.size,
    checkpoint: signedCheckpoint({ origin, ...tree }, key),
    key: {
      ed25519: Buffer.from(publicKey).toString('base64'),
      verifier: verifierKeyOf(origin, publicKey),
    },
  };
  const root = Buffer.from(tree.root).toString('hex');
  const statement: Statement = {
    _type: statementType,
    subject: [
      { name: origin, digest: { [treeDigest]: root } },
      ...files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    ],
    predicateType,
    predicate,
  };
  return sealedEnvelope(statement, key);
}

/** @returns the key that the receipt itself names, which alone proves nothing about its origin */
export function keyNamedBy(envelope: unknown): Buffer {
  const { predicate } = partsOf(unverifiedStatement(envelope));
  const { key } = predicate as Partial<Predicate>;
  const bytes = Buffer.from(key?.ed25519 ?? '', 'base64');
  if (bytes.length !== publicKeyBytes) throw new ReceiptFault('the receipt names no key');
  return bytes;
}

/** @throws ReceiptFault unless both signatures are right, and agree */
export function openReceipt(envelope: unknown, publicKey: Uint8Array): OpenedReceipt {
  const { predicate, subject } = partsOf(openEnvelope(envelope, publicKey));
  const checkpoint = openCheckpoint(predicate.checkpoint, publicKey);
  if (checkpoint.origin !== originOf(predicate.app, predicate.job.id))
    throw new ReceiptFault('the checkpoint is of another job than the receipt');
  const counted = Object.values(predicate.counts).reduce((sum, count) => sum + count, 0);
  if (checkpoint.size !== predicate.lines || counted !== predicate.lines)
    throw new ReceiptFault('the counts of the receipt do not add up to the lines of its checkpoint');
  const files = subject.flatMap(({ name, digest: { sha256 } }) =>
    sha256 === undefined ? [] : [{ name, sha256 }],
  );
  return { facts: predicate, files, checkpoint };
}

function partsOf(value: unknown): Statement {
  const statement = { ...(value as Partial<Statement> | null) };
  const isTyped = statement._type === statementType && statement.predicateType === predicateType;
  if (!isTyped || typeof statement.predicate !== 'object')
    throw new ReceiptFault(`this is not a receipt of an import: its type is not ${predicateType}`);
  // The signer wrote the rest; a statement without a signature of its key is used for the key alone.
  return statement as Statement;
}
