/** What a receipt states: an in-toto statement (https://in-toto.io/Statement/v1) about a tree, with a predicate of this project. */

import { publicKeyBytes, type SigningKey } from './ed25519.ts';
import { type Envelope, openEnvelope, sealedEnvelope, unverifiedStatement } from './envelope.ts';
import { ReceiptFault } from './fault.ts';
import { type Checkpoint, openCheckpoint, signedCheckpoint, verifierKeyOf } from './note.ts';

const statementType = 'https://in-toto.io/Statement/v1';

/** A file, as the sender stated it. */
export interface StatedFile {
  readonly name: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Added to the facts of a receipt. */
interface Signed {
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
  readonly predicate: Signed;
}

export interface NewStatement {
  /** Described in docs/design/receipts.md. */
  readonly type: string;
  readonly facts: object;
  readonly tree: Checkpoint;
  readonly files: readonly StatedFile[];
  readonly key: SigningKey;
}

/** A statement whose signatures are right. The signer wrote the facts of its type. */
export interface OpenedStatement<Facts> {
  readonly facts: Facts & Signed;
  readonly files: readonly StatedFile[];
  readonly checkpoint: Checkpoint;
}

/** The digest of a tree: no file has it, so its name is not `sha256`. */
const treeDigest = 'rfc6962Sha256';

export function signedStatement({ type, facts, tree, files, key }: NewStatement): Envelope {
  const { publicKey } = key;
  const predicate = {
    ...facts,
    checkpoint: signedCheckpoint(tree, key),
    key: {
      ed25519: Buffer.from(publicKey).toString('base64'),
      verifier: verifierKeyOf(tree.origin, publicKey),
    },
  };
  const root = Buffer.from(tree.root).toString('hex');
  const statement: Statement = {
    _type: statementType,
    subject: [
      { name: tree.origin, digest: { [treeDigest]: root } },
      ...files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    ],
    predicateType: type,
    predicate,
  };
  return sealedEnvelope(statement, key);
}

/** Before any signature was checked: the type that the envelope states, and the key, which alone proves nothing about its origin. */
export function unverified(envelope: unknown): { readonly type: string; readonly key: Buffer } {
  const { predicateType: type, predicate } = partsOf(unverifiedStatement(envelope));
  const { key } = predicate as Partial<Signed>;
  const bytes = Buffer.from(key?.ed25519 ?? '', 'base64');
  if (bytes.length !== publicKeyBytes) throw new ReceiptFault('the receipt names no key');
  return { type, key: bytes };
}

/**
 * @param type of the receipt, and its name for people
 * @throws ReceiptFault unless it is of this type, and both signatures are right
 */
export function openStatement<Facts>(
  envelope: unknown,
  publicKey: Uint8Array,
  { type, name }: { readonly type: string; readonly name: string },
): OpenedStatement<Facts> {
  const { predicateType, predicate, subject } = partsOf(openEnvelope(envelope, publicKey));
  if (predicateType !== type)
    throw new ReceiptFault(`this is not the receipt of ${name}: its type is not ${type}`);
  const checkpoint = openCheckpoint(predicate.checkpoint, publicKey);
  const files = subject.flatMap(({ name: file, digest: { sha256 } }) =>
    sha256 === undefined ? [] : [{ name: file, sha256 }],
  );
  return { facts: predicate as Facts & Signed, files, checkpoint };
}

function partsOf(value: unknown): Statement {
  const statement = { ...(value as Partial<Statement> | null) };
  const isTyped = statement._type === statementType && typeof statement.predicateType === 'string';
  if (!isTyped || typeof statement.predicate !== 'object')
    throw new ReceiptFault(`this is not a receipt: it has no statement of the type ${statementType}`);
  // The signer wrote the rest; a statement without a signature of its key is used for the key alone.
  return statement as Statement;
}
