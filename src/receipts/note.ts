/**
 * Signed notes with Ed25519 (https://c2sp.org/signed-note), and the checkpoint of a tree, which is one
 * (https://c2sp.org/tlog-checkpoint).
 */

import { hash } from 'node:crypto';
import { isSigned, signed, type SigningKey } from './ed25519.ts';
import { ReceiptFault } from './fault.ts';
import { hashBytes } from './tree.ts';

/** The type of an Ed25519 signature. */
const ed25519 = 1;
const keyIdBytes = 4;
const signatureMark = '\u2014 ';

export interface Checkpoint {
  /** Names the tree, and the key that signs it: no blanks, no `+`. */
  readonly origin: string;
  /** Number of leaves. */
  readonly size: number;
  readonly root: Uint8Array;
}

function keyIdOf(name: string, publicKey: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ed25519), publicKey]);
  return hash('sha256', named, 'buffer').subarray(0, keyIdBytes);
}

/** The form in which tools of signed notes take a key: its name, its id and the key. */
export function verifierKeyOf(name: string, publicKey: Uint8Array): string {
  const key = Buffer.concat([Buffer.of(ed25519), publicKey]).toString('base64');
  return `${name}+${keyIdOf(name, publicKey).toString('hex')}+${key}`;
}

export function signedCheckpoint({ origin, size, root }: Checkpoint, key: SigningKey): string {
  const text = `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`;
  const signature = Buffer.concat([keyIdOf(origin, key.publicKey), signed(Buffer.from(text), key)]);
  return `${text}\n${signatureMark}${origin} ${signature.toString('base64')}\n`;
}

/**
 * Opens a checkpoint. Signatures by other keys are passed over, as the specification demands.
 * @throws ReceiptFault unless a signature of this key is there and is right
 */
export function openCheckpoint(note: string, publicKey: Uint8Array): Checkpoint {
  const end = note.lastIndexOf('\n\n');
  if (end < 0) throw new ReceiptFault('the checkpoint is not a signed note');
  const text = note.slice(0, end + 1);
  const checkpoint = parsed(text);
  const id = keyIdOf(checkpoint.origin, publicKey);
  const signatures = signaturesIn(note.slice(end + 2), checkpoint.origin).filter((each) =>
    each.subarray(0, keyIdBytes).equals(id),
  );
  if (signatures.length === 0) throw new ReceiptFault('the checkpoint is not signed by this key');
  const isRight = (each: Buffer): boolean =>
    isSigned(Buffer.from(text), each.subarray(keyIdBytes), publicKey);
  if (!signatures.every(isRight))
    throw new ReceiptFault("the checkpoint's signature does not match: it was changed after it was signed");
  return checkpoint;
}

function signaturesIn(lines: string, name: string): Buffer[] {
  const start = `${signatureMark}${name} `;
  return lines
    .split('\n')
    .filter((line) => line.startsWith(start))
    .map((line) => Buffer.from(line.slice(start.length), 'base64'));
}

function parsed(text: string): Checkpoint {
  const [origin = '', size = '', root = ''] = text.split('\n');
  const bytes = Buffer.from(root, 'base64');
  if (origin === '' || !/^(0|[1-9]\d{0,15})$/.test(size) || bytes.length !== hashBytes)
    throw new ReceiptFault('the checkpoint does not hold an origin, a number of lines and a root');
  return { origin, size: Number(size), root: bytes };
}
