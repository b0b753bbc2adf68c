/** Classes of hashes: those of a class are made like one of them. */

import { costOf, hashClass as kindAndCost, workOf } from '../../hashes/assess.ts';
import { widestLimits } from '../../config/tenant-settings.ts';
import { parseHash } from '../../hashes/recognise.ts';
import { hashKindNamed, type ParsedHash } from '../../hashes/registry.ts';
import { asTyped, statedBeside } from '../../hashes/transforms/transforms.ts';
import { isParameter } from './originals.ts';
import type { HashClass } from './tasks.ts';
import { allPublicWords } from './vocabulary.ts';

/** The fields of a record that describe a hash. */
export interface HashFields {
  readonly hash: unknown;
  readonly hashingAlgorithm?: unknown;
  readonly passwordTransforms?: unknown;
}

export interface FoundHash {
  readonly key: string;
  readonly parsed: ParsedHash;
  readonly hash: string;
  readonly passwordTransforms: string | undefined;
}

/** @returns undefined for anything but a hash that can be read */
export function readHash({ hash, hashingAlgorithm, passwordTransforms }: HashFields): FoundHash | undefined {
  if (typeof hash !== 'string') return undefined;
  const transforms = typeof passwordTransforms === 'string' ? passwordTransforms : undefined;
  const stated = statedBeside(hash.trim(), transforms ?? asTyped);
  if (typeof stated !== 'string') return undefined;
  const named = typeof hashingAlgorithm === 'string' ? hashKindNamed(hashingAlgorithm) : undefined;
  const result = parseHash(stated, named, widestLimits);
  if (!result.ok) return undefined;
  const { kind, cost } = kindAndCost(result.parsed);
  const key = JSON.stringify([kind, cost, named, transforms, spellingOf(hash.trim())]);
  return { key, parsed: result.parsed, hash: hash.trim(), passwordTransforms: transforms };
}

export function classOf({ parsed, hash, passwordTransforms }: FoundHash): HashClass {
  const { memoryBytes } = costOf(parsed);
  return { kind: parsed.kind, hash, passwordTransforms, work: workOf(parsed), bytes: memoryBytes, users: 1 };
}

/** A hash without its salt and its digest, but with their lengths. */
function spellingOf(hash: string): string {
  return hash.replaceAll(/[^$:,|{}"; ]+/g, (piece) => (isMark(piece) ? piece : `~${piece.length}`));
}

/** A piece of a hash that shows its kind or its cost. */
export function isMark(piece: string): boolean {
  return isParameter(piece) || allPublicWords.has(piece.toLowerCase());
}
