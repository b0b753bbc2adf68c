/** What all spellings of scrypt have in common: bounds and cost. */

import type { HashLimits } from '../domain/model.ts';
import { keyBytesFloor, keyBytesLimit, saltBytesLimit } from './ceilings.ts';
import { overCeiling } from './limits.ts';
import { malformed } from './outcome.ts';
import type { Fault, Outcome } from './outcome.ts';
import type { ParsedScrypt } from './parsed.ts';

type ScryptKind = 'scrypt' | 'better_auth';

const bytesPerMiB = 1024 * 1024;
/** log2 of the largest N that is worth a number: with 2^31 blocks even r = 1 needs 256 GiB. */
const logIterationsMax = 31;

/** What a spelling was read to; undefined where it was not what the spelling asks for. */
export interface ScryptParts {
  /** scrypt's N */
  readonly iterations: number | undefined;
  /** scrypt's r */
  readonly blockSize: number | undefined;
  /** scrypt's p */
  readonly parallelism: number | undefined;
  readonly salt: Buffer | undefined;
  readonly key: Buffer | undefined;
}

/** scrypt's N from its logarithm, undefined where no machine has the memory. Not by `1 << log`: that wraps at 31. */
export function powerOfTwo(log: number | undefined): number | undefined {
  return log === undefined || log < 1 || log > logIterationsMax ? undefined : 2 ** log;
}

/** Bounds what was read. RFC 7914 section 2: N is a power of two and below 2^(16 r); implementations throw otherwise. */
export function boundedScrypt<Kind extends ScryptKind>(
  kind: Kind,
  { iterations, blockSize, parallelism, salt, key }: ScryptParts,
  limits: HashLimits,
): Outcome<ParsedScrypt<Kind>> {
  if (iterations === undefined || blockSize === undefined || parallelism === undefined) {
    return malformed('its N, r and p are not whole numbers in the form they must have');
  }
  const found = faultOfCosts({ iterations, blockSize, parallelism }, limits);
  if (found !== undefined) return found;
  if (salt === undefined || salt.length > saltBytesLimit) {
    return malformed(`its salt is damaged or longer than ${saltBytesLimit} bytes`);
  }
  if (key === undefined || key.length < keyBytesFloor || key.length > keyBytesLimit) {
    return malformed(
      `its hash is damaged, cut off or not ${keyBytesFloor} to ${keyBytesLimit} bytes in the encoding it must have`,
    );
  }
  return { ok: true, parsed: { kind, iterations, blockSize, parallelism, salt, key } };
}

interface Costs {
  readonly iterations: number;
  readonly blockSize: number;
  readonly parallelism: number;
}

function faultOfCosts({ iterations, blockSize, parallelism }: Costs, limits: HashLimits): Fault | undefined {
  if (iterations < 2 || !Number.isInteger(Math.log2(iterations))) {
    return malformed('its N is not a power of two from 2');
  }
  if (blockSize < 1 || parallelism < 1) return malformed('its r and p must be at least 1');
  if (parallelism > limits.scryptMaxParallelism) return overCeiling('scryptMaxParallelism', limits);
  if (128 * iterations * blockSize * parallelism > limits.scryptMaxMemoryMb * bytesPerMiB) {
    return overCeiling('scryptMaxMemoryMb', limits);
  }
  return Math.log2(iterations) < 16 * blockSize ? undefined : malformed('its N is larger than its r allows');
}
