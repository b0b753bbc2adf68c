/** Argon2 in the PHC string format. */

import type { HashLimits } from '../../domain/model.ts';
import { fault, malformed, type Fault, type HashKind, type Outcome } from '../kind.ts';
import { keyBytesLimit, overCeiling, saltBytesLimit } from '../limits.ts';
import { anotherPassword } from '../parts/causes.ts';
import { strictBase64Bytes } from '../parts/encodings.ts';
import { readDecimal } from '../parts/parameters.ts';

export interface ParsedArgon2 {
  readonly kind: 'argon2';
  readonly variant: 'd' | 'i' | 'id';
  readonly version: 16 | 19;
  /** KiB */
  readonly memoryKb: number;
  readonly iterations: number;
  readonly parallelism: number;
  /** Unpadded standard base64, already checked. Stored as text: an import never needs the bytes. */
  readonly salt: string;
  /** As `salt`. */
  readonly tag: string;
}

/** RFC 9106 section 3.1 has no salt floor; the reference implementation and the PHC string format require 8 bytes. */
const saltBytesFloor = 8;
/** PHC string format, "Argon2 encoding": 12 bytes or more. RFC 9106 allows 4, which is one chance in 2^32 per guess. */
const tagBytesFloor = 12;
/** RFC 9106 section 3.1: at least 8 KiB for each lane. */
const memoryKbPerLane = 8;

const variants: Readonly<Record<string, ParsedArgon2['variant']>> = {
  argon2d: 'd',
  argon2i: 'i',
  argon2id: 'id',
};

interface Costs {
  readonly m: number;
  readonly t: number;
  readonly p: number;
}

/**
 * Parses an Argon2 hash in the PHC string format in full: `$argon2id$v=19$m=…,t=…,p=…$salt$tag`.
 *
 * A missing `v=` is version 16, as the first reference code wrote it. Parameters may come in any order: one npm
 * release writes m,p,t. Faults: `malformed`, `unsupported` (keyid, data), `out-of-range`.
 */
export function parseArgon2(hash: string, limits: HashLimits): Outcome<ParsedArgon2> {
  const parts = hash.split('$');
  const variant = variants[parts[1] ?? ''];
  if (variant === undefined) return malformed('its type is not one of argon2id, argon2i and argon2d');
  const version = versionOf(parts[2] ?? '');
  if (version === undefined) return malformed('its version is neither v=19 nor v=16');
  const rest = version.stated ? 3 : 2;
  if (parts.length !== rest + 3) {
    return malformed('it must be $type$v=…$m=…,t=…,p=…$salt$hash and has too few or too many parts');
  }
  const costs = costsOf(parts[rest] ?? '');
  if ('ok' in costs) return costs;
  const salt = parts[rest + 1] ?? '';
  const tag = parts[rest + 2] ?? '';
  const found = faultOfBytes(salt, tag) ?? faultOfCosts(costs, limits);
  if (found !== undefined) return found;
  const { m: memoryKb, t: iterations, p: parallelism } = costs;
  const { number } = version;
  return {
    ok: true,
    parsed: { kind: 'argon2', variant, version: number, memoryKb, iterations, parallelism, salt, tag },
  };
}

function versionOf(part: string): { readonly number: 16 | 19; readonly stated: boolean } | undefined {
  if (part === 'v=19') return { number: 19, stated: true };
  if (part === 'v=16') return { number: 16, stated: true };
  return part.startsWith('v=') ? undefined : { number: 16, stated: false };
}

function costsOf(part: string): Costs | Fault {
  const found: { m?: number; t?: number; p?: number } = {};
  for (const pair of part.split(',')) {
    const name = pair.slice(0, pair.indexOf('='));
    if (name === 'keyid' || name === 'data') return faultOfExtra(name);
    if (name !== 'm' && name !== 't' && name !== 'p')
      return malformed('it has a parameter other than m, t and p');
    if (found[name] !== undefined) return malformed(`its parameter ${name} is there twice`);
    const value = readDecimal(pair.slice(2));
    if (value === undefined) {
      return malformed(`its parameter ${name} is not a plain decimal number of at most 10 digits`);
    }
    found[name] = value;
  }
  const { m, t, p } = found;
  if (m === undefined || t === undefined || p === undefined) return malformed('it must have m, t and p');
  return { m, t, p };
}

function faultOfExtra(name: 'keyid' | 'data'): Fault {
  const why =
    name === 'keyid'
      ? 'keyid= says that a secret was mixed in which is not part of the hash'
      : 'data= says that further data was mixed in, which is not supported';
  return fault('unsupported', `${why}: without it no password would ever match`);
}

function faultOfBytes(salt: string, tag: string): Fault | undefined {
  return (
    faultOfBase64('salt', salt, { floor: saltBytesFloor, limit: saltBytesLimit }) ??
    faultOfBase64('hash', tag, { floor: tagBytesFloor, limit: keyBytesLimit })
  );
}

function faultOfBase64(
  name: string,
  text: string,
  { floor, limit }: { readonly floor: number; readonly limit: number },
): Fault | undefined {
  const bytes = strictBase64Bytes(text);
  if (bytes === undefined) {
    return malformed(
      `its ${name} is not complete standard base64 without padding (it may have been cut off)`,
    );
  }
  if (bytes < floor) return malformed(`its ${name} is shorter than ${floor} bytes`);
  return bytes > limit ? malformed(`its ${name} is longer than ${limit} bytes`) : undefined;
}

function faultOfCosts({ m, t, p }: Costs, limits: HashLimits): Fault | undefined {
  if (m > limits.argon2MaxMemoryKb) return overCeiling('argon2MaxMemoryKb', limits);
  if (t > limits.argon2MaxIterations) return overCeiling('argon2MaxIterations', limits);
  if (p > limits.argon2MaxParallelism) return overCeiling('argon2MaxParallelism', limits);
  if (t < 1 || p < 1) return malformed('its t and p must be at least 1');
  if (m < memoryKbPerLane * p) return malformed(`its m must be at least ${memoryKbPerLane} * p`);
  return undefined;
}

/** OWASP, "Argon2id": 19 MiB and two iterations is the first setting that it names. */
export const owaspArgon2 = { memoryKb: 19_456, iterations: 2 } as const;

/** OWASP, "Argon2id": settings of equal strength, less memory for more iterations. */
const owaspMinima = [
  { memoryKb: 47_104, iterations: 1 },
  owaspArgon2,
  { memoryKb: 12_288, iterations: 3 },
  { memoryKb: 9_216, iterations: 4 },
  { memoryKb: 7_168, iterations: 5 },
] as const;

type WorkCosts = Pick<ParsedArgon2, 'memoryKb' | 'iterations'>;

/** Milliseconds of Argon2: 23 for two passes over 19 MiB. */
export function argon2Ms({ memoryKb, iterations }: WorkCosts): number {
  return (memoryKb * iterations * 23) / (19_456 * 2);
}

/** At least the same memory, and at least as much of it written in total. */
export function isArgon2AtLeast({ memoryKb, iterations }: WorkCosts, minimum: WorkCosts): boolean {
  return memoryKb >= minimum.memoryKb && memoryKb * iterations >= minimum.memoryKb * minimum.iterations;
}

export const argon2: HashKind<ParsedArgon2> = {
  label: 'Argon2',
  spellings: [
    ['$argon2id$', parseArgon2],
    ['$argon2i$', parseArgon2],
    ['$argon2d$', parseArgon2],
  ],
  beginning: '$argon2',
  bytes: ({ memoryKb }) => memoryKb * 1024,
  work: argon2Ms,
  cost: ({ variant, version, memoryKb, iterations, parallelism }) => ({
    variant,
    version,
    memoryKb,
    iterations,
    parallelism,
  }),
  isWeak: (parsed) => !owaspMinima.some((minimum) => isArgon2AtLeast(parsed, minimum)),
  // The digest includes the whole password and its length (RFC 9106 section 3.2).
  isCertain: () => true,
  wholes: [{ head: /^\$argon2(?:id|i|d)\$v=\d+\$[^$]*\$[^$]*\$/, characters: 43, part: 'hash' }],
  causes: () => [
    anotherPassword,
    'The old system used a secret with this kind: a hash does not show it, and it is not supported.',
  ],
};
