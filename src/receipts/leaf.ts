/**
 * The leaf of one line. Its data are the line's salt (16 bytes), the SHA-256 of the line without its line end (32 bytes), and its
 * outcome as text: so a person with the line, its outcome and its salt makes the leaf, and a leaf without its salt reveals nothing by
 * guessing.
 */

import { createCipheriv, hash } from 'node:crypto';
import { lineBytesLimit } from '../domain/line-limit.ts';
import { hashBytes, leafHash, putLeafHash } from './tree.ts';

export const saltBytes = 16;
/** Of a job: from it follow the salts of all lines. */
export const secretBytes = 32;

/**
 * The salts of consecutive lines, concatenated: that of line n is AES-256 of n, as 16 bytes with the highest first, under the job's
 * secret. So one salt reveals no other.
 * @param first line, from 1
 */
export function saltsOf(secret: Uint8Array, first: number, count: number): Buffer {
  const counter = Buffer.alloc(saltBytes);
  counter.writeBigUInt64BE(BigInt(first), saltBytes - 8);
  // The key stream of counter mode is the cipher of the counter.
  return createCipheriv('aes-256-ctr', secret, counter).update(Buffer.alloc(count * saltBytes));
}

const nothing = new Uint8Array();

/**
 * The SHA-256 as text, a character a byte: a Buffer for each of millions would take as long as their hashing. A line over the limit
 * of imports is not held by a core, so it has the digest of an empty one.
 * @param line without its line end
 */
export function textOfDigest(line: Uint8Array): string {
  return hash('sha256', line.length > lineBytesLimit ? nothing : line, 'binary');
}

/** As `textOfDigest`, as bytes. */
export function digestOfLine(line: Uint8Array): Buffer {
  return Buffer.from(textOfDigest(line), 'latin1');
}

export interface Leaf {
  readonly salt: Uint8Array;
  /** The line's SHA-256. */
  readonly digest: Uint8Array;
  readonly outcome: string;
}

export function hashOfLeaf({ salt, digest, outcome }: Leaf): Buffer {
  return leafHash(Buffer.concat([salt, digest, Buffer.from(outcome, 'latin1')]));
}

/** Consecutive lines. */
export interface Lines {
  /** The first one's number, from 1. */
  readonly first: number;
  /** Their SHA-256, concatenated. */
  readonly digests: Uint8Array;
  readonly outcomes: readonly string[];
}

/** The leaves' hashes, concatenated: as `hashOfLeaf` of each, in a third of its time. */
export function hashesOfLeaves(secret: Uint8Array, { first, digests, outcomes }: Lines): Buffer {
  const salts = saltsOf(secret, first, outcomes.length);
  const hashes = Buffer.allocUnsafeSlow(outcomes.length * hashBytes);
  const digestAt = 1 + saltBytes;
  const outcomeAt = digestAt + hashBytes;
  const longest = outcomes.reduce((most, { length }) => Math.max(most, length), 0);
  const data = Buffer.alloc(outcomeAt + longest);
  for (const [place, outcome] of outcomes.entries()) {
    salts.copy(data, 1, place * saltBytes, (place + 1) * saltBytes);
    data.set(digests.subarray(place * hashBytes, (place + 1) * hashBytes), digestAt);
    data.write(outcome, outcomeAt, 'latin1');
    putLeafHash(data.subarray(0, outcomeAt + outcome.length), hashes, place);
  }
  return hashes;
}
