/** scrypt in the spellings of PHC strings, Ory Kratos, Django, Werkzeug and Spring; and the common part of all scrypt. */

import type { HashLimits } from '../../domain/model.ts';
import { malformed, type Fault, type HashKind, type Outcome } from '../kind.ts';
import { keyBytesFloor, keyBytesLimit, overCeiling, saltBytesLimit } from '../limits.ts';
import { anotherPassword, otherCost, otherSalt } from '../parts/causes.ts';
import { isWholeInKey } from '../parts/certainty.ts';
import { decodeBase64, decodeHex } from '../parts/encodings.ts';
import { readCount, readParameters } from '../parts/parameters.ts';

type ScryptKind = 'scrypt' | 'better_auth';

export interface ParsedScrypt<Kind extends ScryptKind> {
  readonly kind: Kind;
  /** scrypt's N, a power of two */
  readonly iterations: number;
  /** scrypt's r */
  readonly blockSize: number;
  /** scrypt's p */
  readonly parallelism: number;
  readonly salt: Buffer;
  /** Never empty. */
  readonly key: Buffer;
}

/** The largest `ln` that is a logarithm: Kratos writes N itself there, which is never so small. */
const logarithmMax = 31;
/** The key length of Django and Werkzeug (hashlib.scrypt's default), and of better-auth. */
const defaultKeyBytes = 64;

const bytesPerMiB = 1024 * 1024;
/** log2 of the largest accepted N: with 2^31 blocks even r = 1 needs 256 GiB. */
const logIterationsMax = 31;

/** The parts of a spelling; undefined if one is not as the spelling requires. */
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

/** scrypt's N from its logarithm, undefined beyond the memory of any machine. Not by `1 << log`: that wraps at 31. */
export function powerOfTwo(log: number | undefined): number | undefined {
  return log === undefined || log < 1 || log > logIterationsMax ? undefined : 2 ** log;
}

/** Checks the bounds. RFC 7914 section 2: N is a power of two and below 2^(16 r); implementations throw otherwise. */
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

function faultOfCosts(
  { iterations, blockSize, parallelism }: ScryptCosts,
  limits: HashLimits,
): Fault | undefined {
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

type Parsed = Outcome<ParsedScrypt<'scrypt'>>;

const phcForm = '$scrypt$ln=…,r=…,p=…$salt$hash or $scrypt$v=1$n=…,r=…,p=…,kl=…$salt$hash';

/**
 * `$scrypt$ln=…,r=…,p=…$salt$hash`, base64 padded or not; `ln` is log2 of N or, beyond 31, N itself (Kratos). Or
 * WorkOS's `$scrypt$v=1$n=…,r=…,p=…,kl=…$salt$hash` with N itself and the bytes of the key.
 */
function parsePhc(hash: string, limits: HashLimits): Parsed {
  const parts = hash.split('$');
  const rest = parts[2] === 'v=1' ? 3 : 2;
  const [parameters = '', salt = '', text = ''] = parts.slice(rest);
  const named = readParameters(parameters, ['ln', 'r', 'p', 'n', 'kl']);
  if (
    parts.length !== rest + 3 ||
    named === undefined ||
    (named.ln === undefined) === (named.n === undefined)
  )
    return malformed(`it must be ${phcForm}, each once and with nothing else`);
  const key = decodeBase64(text, 'any');
  if (named.kl !== undefined && readCount(named.kl) !== key?.length)
    return malformed('its kl is not the number of bytes of its hash (it may have been cut off)');
  const ln = readCount(named.ln);
  const costs = {
    iterations: readCount(named.n) ?? (ln !== undefined && ln > logarithmMax ? ln : powerOfTwo(ln)),
    blockSize: readCount(named.r),
    parallelism: readCount(named.p),
  };
  return boundedScrypt('scrypt', { ...costs, salt: decodeBase64(salt, 'any'), key }, limits);
}

/** Django's `scrypt$N$salt$r$p$hash`: the salt as text, 64 bytes of hash in padded base64. */
function parseDjango(hash: string, limits: HashLimits): Parsed {
  const parts = hash.split('$');
  const [, n, salt = '', r, p, text = ''] = parts;
  if (parts.length !== 6)
    return malformed('it must be scrypt$N$salt$r$p$hash and has too few or too many parts');
  const key = ofDefaultLength(decodeBase64(text, 'padded'));
  return boundedScrypt('scrypt', { ...textCosts(n, r, p), salt: Buffer.from(salt), key }, limits);
}

/** Werkzeug's `scrypt:N:r:p$salt$hex`: the salt as text, 64 bytes of hash. */
function parseWerkzeug(hash: string, limits: HashLimits): Parsed {
  const parts = hash.split('$');
  const [method = '', salt = '', text = ''] = parts;
  const [, n, r, p, ...more] = method.split(':', 5);
  if (parts.length !== 3 || more.length > 0) {
    return malformed('it must be scrypt:N:r:p$salt$hash and has too few or too many parts');
  }
  const key = ofDefaultLength(decodeHex(text));
  return boundedScrypt('scrypt', { ...textCosts(n, r, p), salt: Buffer.from(salt), key }, limits);
}

/** Spring's `$e0801$salt$hash`: log2 N, r and p as bytes of one hexadecimal number; padded base64. */
function parseSpring(hash: string, limits: HashLimits): Parsed {
  const parts = hash.split('$');
  const [before, parameters = '', salt = '', key = ''] = parts;
  if (parts.length !== 4 || before !== '' || !/^[0-9a-f]{5,6}$/.test(parameters)) {
    return malformed("it is neither marked as scrypt nor Spring's $<hex parameters>$salt$hash");
  }
  const [log = 0, blockSize, parallelism] = Buffer.from(parameters.padStart(6, '0'), 'hex');
  const bytes = { salt: decodeBase64(salt, 'padded'), key: decodeBase64(key, 'padded') };
  return boundedScrypt('scrypt', { iterations: powerOfTwo(log), blockSize, parallelism, ...bytes }, limits);
}

function textCosts(n: string | undefined, r: string | undefined, p: string | undefined) {
  return { iterations: readCount(n), blockSize: readCount(r), parallelism: readCount(p) };
}

/** `key`, undefined if it does not have the length that most libraries derive. */
export function ofDefaultLength(key: Buffer | undefined): Buffer | undefined {
  return key?.length === defaultKeyBytes ? key : undefined;
}

/** Blocks of 128 · r bytes that scrypt needs in addition to its N large ones: B, X and Y (RFC 7914 section 4). */
const extraBlocks = 3;

/** OWASP, "scrypt": N and p of equal strength, each with r = 8. */
const owaspMinima = [
  { iterations: 2 ** 17, parallelism: 1 },
  { iterations: 2 ** 16, parallelism: 2 },
  { iterations: 2 ** 15, parallelism: 3 },
  { iterations: 2 ** 14, parallelism: 5 },
  { iterations: 2 ** 13, parallelism: 10 },
] as const;
const owaspBlockSize = 8;

/** The parameters of scrypt's cost: N, r and p. */
export type ScryptCosts = Pick<ParsedScrypt<ScryptKind>, 'iterations' | 'blockSize' | 'parallelism'>;

/** Bytes of scrypt with its N, r and p. */
export function scryptBytes({ iterations, blockSize, parallelism }: ScryptCosts): number {
  return 128 * blockSize * (iterations + extraBlocks - 1 + parallelism);
}

/** Milliseconds of scrypt: 43 at N = 2^14, r = 8, p = 1. */
function scryptMs({ iterations, blockSize, parallelism }: ScryptCosts): number {
  return (iterations * blockSize * parallelism * 43) / (2 ** 14 * 8);
}

function isWeakScrypt({ iterations, blockSize, parallelism }: ScryptCosts): boolean {
  const memory = iterations * blockSize;
  return !owaspMinima.some((minimum) => {
    const minimumMemory = minimum.iterations * owaspBlockSize;
    return memory >= minimumMemory && memory * parallelism >= minimumMemory * minimum.parallelism;
  });
}

/** The common part of everything built on scrypt. */
export const scryptRow = {
  bytes: scryptBytes,
  work: scryptMs,
  cost: ({ iterations, blockSize, parallelism }: ScryptCosts) => ({
    N: iterations,
    r: blockSize,
    p: parallelism,
  }),
  isWeak: isWeakScrypt,
  isCertain: isWholeInKey,
};

export const scrypt: HashKind<ParsedScrypt<'scrypt'>> = {
  ...scryptRow,
  label: 'scrypt',
  spellings: [
    ['$scrypt$', parsePhc],
    ['scrypt$', parseDjango],
    ['scrypt:', parseWerkzeug],
  ],
  parseUnmarked: parseSpring,
  shapes: [
    {
      pattern: /^\$[0-9a-f]{5,6}\$[A-Za-z0-9+/]+=*\$[A-Za-z0-9+/]+=*$/,
      name: "Spring's scrypt",
    },
  ],
  wholes: [
    { head: /^scrypt\$\d+\$[^$]*\$\d+\$\d+\$/, characters: 88, part: 'hash' },
    { head: /^scrypt:\d+:\d+:\d+\$[^$]*\$/, characters: 128, part: 'hash' },
  ],
  causes: () => [anotherPassword, otherSalt, otherCost],
};
