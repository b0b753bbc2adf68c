/**
 * The Merkle tree of RFC 6962, section 2.1, over SHA-256. Hashes are 32 bytes; several are concatenated, so that ten million take
 * no objects. Section 2.1 splits at the largest power of two, which is the same as pairing neighbours level by level and passing an
 * odd last one up: so the roots of aligned blocks of 2^k leaves can be hashed on as if they were leaves.
 */

import { hash } from 'node:crypto';

export const hashBytes = 32;

const leafPrefix = 0;
const nodePrefix = 1;
const node = Buffer.alloc(1 + 2 * hashBytes, nodePrefix);

/** As text: a Buffer takes Node 22 three times as long. */
function sha256(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'binary');
}

/** @param data of the leaf */
export function leafHash(data: Uint8Array): Buffer {
  return Buffer.from(sha256(Buffer.concat([Buffer.of(leafPrefix), data])), 'latin1');
}

/**
 * `leafHash` among many: writes it without making an object.
 * @param prefixed the leaf's data after one byte, which is overwritten
 * @param place of the hash in `hashes`, from 0
 */
export function putLeafHash(prefixed: Uint8Array, hashes: Buffer, place: number): void {
  prefixed[0] = leafPrefix;
  hashes.write(sha256(prefixed), place * hashBytes, 'latin1');
}

/** @param hashes of leaves, or of the roots of aligned blocks */
export function rootOf(hashes: Uint8Array): Buffer {
  if (hashes.length === 0) return Buffer.from(sha256(hashes), 'latin1');
  let level: Uint8Array = hashes;
  while (level.length > hashBytes) level = levelAbove(level);
  return Buffer.from(level);
}

/**
 * The audit path, section 2.1.1: from the sibling upwards.
 * @param index from 0
 */
export function pathOf(hashes: Uint8Array, index: number): Buffer {
  const path: Buffer[] = [];
  let level: Uint8Array = hashes;
  for (let at = index; level.length > hashBytes; at >>>= 1) {
    const sibling = (at ^ 1) * hashBytes;
    if (sibling < level.length) path.push(Buffer.from(level.subarray(sibling, sibling + hashBytes)));
    level = levelAbove(level);
  }
  return Buffer.concat(path);
}

/**
 * The root to which a path leads: RFC 9162, section 2.1.3.2.
 * @param place of the leaf, from 0, in a tree of `size` leaves; both up to 2^53
 * @returns undefined if the path has another length than that place has
 */
export function rootFromPath(
  { index, size }: { readonly index: number; readonly size: number },
  leaf: Uint8Array,
  path: Uint8Array,
): Buffer | undefined {
  if (index >= size || path.length % hashBytes !== 0) return undefined;
  let root: Buffer = Buffer.from(leaf);
  let [at, last] = [BigInt(index), BigInt(size - 1)];
  for (let from = 0; from < path.length; from += hashBytes) {
    if (last === 0n) return undefined;
    const sibling = path.subarray(from, from + hashBytes);
    const isRight = (at & 1n) === 1n;
    root = isRight || at === last ? nodeHash(sibling, root) : nodeHash(root, sibling);
    // The last one was passed up, to where it has a sibling on its left.
    while (!isRight && at === last && (at & 1n) === 0n && at !== 0n) [at, last] = [at >> 1n, last >> 1n];
    [at, last] = [at >> 1n, last >> 1n];
  }
  return last === 0n ? root : undefined;
}

function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  node.set(left, 1);
  node.set(right, 1 + hashBytes);
  return Buffer.from(sha256(node), 'latin1');
}

function levelAbove(level: Uint8Array): Uint8Array {
  const count = level.length / hashBytes;
  const above = Buffer.allocUnsafeSlow(Math.ceil(count / 2) * hashBytes);
  for (let pair = 0; 2 * pair + 1 < count; pair++) {
    node.set(level.subarray(2 * pair * hashBytes, 2 * (pair + 1) * hashBytes), 1);
    above.write(sha256(node), pair * hashBytes, 'latin1');
  }
  if (count % 2 === 1) above.set(level.subarray(-hashBytes), above.length - hashBytes);
  return above;
}
