/**
 * The proof of one line, as a file of less than a kilobyte: a few lines of text, an empty one, and the hashes of the path as they
 * are. In base64 (as https://c2sp.org/tlog-proof has them) the path of one line among ten million would alone take more.
 */

import { hashOfLeaf, saltBytes } from './leaf.ts';
import { ReceiptFault } from './fault.ts';
import type { Checkpoint } from './note.ts';
import { hashBytes, rootFromPath } from './tree.ts';

const firstLine = 'carryover line proof 1';

export interface LineProof {
  /** From 1. */
  readonly line: number;
  /** Lines of the job. */
  readonly of: number;
  readonly outcome: string;
  readonly salt: Uint8Array;
  /** Concatenated hashes, from the sibling upwards. */
  readonly path: Uint8Array;
}

export function encodedProof({ line, of, outcome, salt, path }: LineProof): Buffer {
  const text = [
    firstLine,
    `line ${line}`,
    `of ${of}`,
    `outcome ${outcome}`,
    `salt ${Buffer.from(salt).toString('base64')}`,
  ];
  return Buffer.concat([Buffer.from(`${text.join('\n')}\n\n`), path]);
}

const form = new RegExp(
  `^${firstLine}\nline ([1-9]\\d{0,14})\nof ([1-9]\\d{0,14})\noutcome ([\\x20-\\x7e]+)\nsalt (\\S+)\n$`,
);

/** @throws ReceiptFault */
export function decodedProof(bytes: Uint8Array): LineProof {
  const all = Buffer.from(bytes);
  const end = all.indexOf('\n\n');
  const [, line, of, outcome = '', salt = ''] = form.exec(all.toString('latin1', 0, end + 1)) ?? [];
  if (line === undefined || of === undefined) throw new ReceiptFault('this is not the proof of a line');
  const path = all.subarray(end + 2);
  const proof = { line: Number(line), of: Number(of), outcome, salt: Buffer.from(salt, 'base64'), path };
  if (proof.salt.length !== saltBytes || path.length % hashBytes !== 0)
    throw new ReceiptFault('the proof is damaged: its salt or its path has another length');
  return proof;
}

/**
 * @param digest the line's SHA-256
 * @throws ReceiptFault unless the line had this outcome in the job of the checkpoint
 */
export function requireProven(
  { line, of, outcome, salt, path }: LineProof,
  digest: Uint8Array,
  { size, root }: Pick<Checkpoint, 'size' | 'root'>,
): void {
  if (of !== size)
    throw new ReceiptFault(`the proof is of a job with ${of} lines, the receipt of one with ${size}`);
  const found = rootFromPath({ index: line - 1, size }, hashOfLeaf({ salt, digest, outcome }), path);
  if (found?.equals(root) !== true)
    throw new ReceiptFault(
      `line ${line} of the receipt has another content, or another outcome than '${outcome}'`,
    );
}
