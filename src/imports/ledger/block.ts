import { hashesOfLeaves, saltBytes, saltsOf } from '../../receipts/leaf.ts';
import { pathOf, rootOf } from '../../receipts/tree.ts';
import type { BlockTask, HashedBlock } from '../tasks.ts';
import { textOf } from './outcomes.ts';

/** Hashes the leaves of a block of lines up to the block's own hash. */
export function hashBlock({ secret, first, digests, outcomes, proves }: BlockTask): HashedBlock {
  const lines = { first, digests, outcomes: Array.from(outcomes, textOf) };
  const hashes = hashesOfLeaves(secret, lines);
  const root = rootOf(hashes);
  if (proves === undefined) return { root };
  const salt = saltsOf(secret, proves, 1).subarray(0, saltBytes);
  return { root, proof: { salt, path: pathOf(hashes, proves - first) } };
}
