/** PBKDF2 in the spellings of PHC strings, passlib, Django, Werkzeug and Ory Kratos; and the common part of all PBKDF2. */

import type { HashLimits } from '../../domain/model.ts';
import { malformed, type HashKind, type Outcome, type Parser } from '../kind.ts';
import { keyBytesFloor, keyBytesLimit, overCeiling, saltBytesLimit } from '../limits.ts';
import { anotherPassword, otherCost, otherSalt } from '../parts/causes.ts';
import { isWholeInKey } from '../parts/certainty.ts';
import { decodeBase64, decodeHex } from '../parts/encodings.ts';
import { readCount, readParameters } from '../parts/parameters.ts';

export type Pbkdf2Digest = 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512' | 'sha3-224' | 'sha3-384';

type Pbkdf2Kind = 'pbkdf2' | 'pbkdf2_kratos' | 'aspnet';

export interface ParsedPbkdf2<Kind extends Pbkdf2Kind> {
  readonly kind: Kind;
  readonly digest: Pbkdf2Digest;
  readonly iterations: number;
  readonly salt: Buffer;
  /** Never empty. */
  readonly key: Buffer;
}

/** Bytes of a digest, and milliseconds of one iteration over one of them, on one core of 2023. */
const digests: Readonly<Record<Pbkdf2Digest, { readonly bytes: number; readonly ms: number }>> = {
  sha1: { bytes: 20, ms: 1.8e-4 },
  sha224: { bytes: 28, ms: 1.8e-4 },
  sha256: { bytes: 32, ms: 1.8e-4 },
  sha384: { bytes: 48, ms: 5.3e-4 },
  sha512: { bytes: 64, ms: 5.3e-4 },
  'sha3-224': { bytes: 28, ms: 9e-4 },
  'sha3-384': { bytes: 48, ms: 9e-4 },
};

/** Bytes that OpenSSL holds for one derivation, generously: two HMAC states and the key. */
const pbkdf2Bytes = 4096;

/** The parts of a spelling; undefined if one is not as the spelling requires. */
interface Pbkdf2Parts {
  readonly digest: Pbkdf2Digest;
  readonly iterations: number | undefined;
  readonly salt: Buffer | undefined;
  readonly key: Buffer | undefined;
}

/** Bytes of the digest: the key length of spellings that do not state one. */
function digestBytes(digest: Pbkdf2Digest): number {
  return digests[digest].bytes;
}

/** Milliseconds of one verification. */
function pbkdf2Ms({ digest, iterations, key }: ParsedPbkdf2<Pbkdf2Kind>): number {
  return iterations * blocksOf(digest, key) * digests[digest].ms;
}

/** RFC 8018 section 5.2: each further digest of derived key costs all iterations again. */
function blocksOf(digest: Pbkdf2Digest, key: Buffer): number {
  return Math.ceil(key.length / digests[digest].bytes);
}

function digestNamed(name: string): Pbkdf2Digest | undefined {
  return name === 'sha1' || name === 'sha256' || name === 'sha512' ? name : undefined;
}

/** Checks the bounds. The ceiling holds for iterations times blocks, which determine the time. */
export function boundedPbkdf2<Kind extends Pbkdf2Kind>(
  kind: Kind,
  { digest, iterations, salt, key }: Pbkdf2Parts,
  limits: HashLimits,
): Outcome<ParsedPbkdf2<Kind>> {
  if (iterations === undefined || iterations < 1) {
    return malformed('its iteration count is not a whole number from 1 with at most 10 digits');
  }
  if (salt === undefined || salt.length === 0 || salt.length > saltBytesLimit) {
    return malformed(`its salt is empty, damaged or longer than ${saltBytesLimit} bytes`);
  }
  if (key === undefined || key.length < keyBytesFloor || key.length > keyBytesLimit) {
    return malformed(
      `its hash is damaged, cut off or not ${keyBytesFloor} to ${keyBytesLimit} bytes in the encoding it must have`,
    );
  }
  if (iterations * blocksOf(digest, key) > limits.pbkdf2MaxIterations) {
    return overCeiling('pbkdf2MaxIterations', limits);
  }
  return { ok: true, parsed: { kind, digest, iterations, salt, key } };
}

const form = '$pbkdf2-<digest>$i=…,l=…$salt$hash with base64 that has no padding';

/** `$pbkdf2-sha256$i=…,l=…$salt$hash`, `l` (bytes of the hash) optional; or passlib's `$pbkdf2-sha256$6400$salt$hash`. */
function parsePhc<Kind extends 'pbkdf2' | 'pbkdf2_kratos'>(
  kind: Kind,
  digest: Pbkdf2Digest,
): Parser<ParsedPbkdf2<Kind>> {
  return (hash, limits) => {
    const parts = hash.split('$');
    const [, , parameters = '', salt = '', key = ''] = parts;
    if (parts.length !== 5) return malformed(`it must be ${form} and has too few or too many parts`);
    return parameters.includes('=')
      ? parseNamed(kind, { digest, parameters, salt, key }, limits)
      : boundedPbkdf2(
          kind,
          { digest, iterations: readCount(parameters), ...decoded(salt, key, 'dotted') },
          limits,
        );
  };
}

interface Fields {
  readonly digest: Pbkdf2Digest;
  readonly parameters: string;
  readonly salt: string;
  readonly key: string;
}

function parseNamed<Kind extends 'pbkdf2' | 'pbkdf2_kratos'>(
  kind: Kind,
  { digest, parameters, salt, key }: Fields,
  limits: HashLimits,
): Outcome<ParsedPbkdf2<Kind>> {
  const named = readParameters(parameters, ['i', 'l']);
  if (named?.i === undefined) return malformed(`it must be ${form}; names are in lower case, each once`);
  const bytes = decoded(salt, key, 'bare');
  if (named.l !== undefined && readCount(named.l) !== bytes.key?.length) {
    return malformed('its l is not the number of bytes of its hash (it may have been cut off)');
  }
  return boundedPbkdf2(kind, { digest, iterations: readCount(named.i), ...bytes }, limits);
}

function decoded(salt: string, key: string, base64: 'bare' | 'dotted') {
  return { salt: decodeBase64(salt, base64), key: decodeBase64(key, base64) };
}

/** Kratos uses these labels for SHA-3; a caller that names `pbkdf2` means SHA-2, as do Auth0 and PHC strings. */
const parseSha2: Parser<ParsedPbkdf2<'pbkdf2'>> = (hash, limits) => {
  const [, label] = hash.split('$', 2);
  if (label === 'pbkdf2-sha224') return parsePhc('pbkdf2', 'sha224')(hash, limits);
  if (label === 'pbkdf2-sha384') return parsePhc('pbkdf2', 'sha384')(hash, limits);
  return malformed(`it must be ${form}`);
};

/** Django's `pbkdf2_sha256$30000$salt$hash`: the salt as text, the hash in padded base64 with the length of the digest. */
function parseDjango(hash: string, limits: HashLimits): Outcome<ParsedPbkdf2<'pbkdf2'>> {
  const parts = hash.split('$');
  const [name = '', iterations, salt = '', text = ''] = parts;
  const digest = digestNamed(name.slice('pbkdf2_'.length));
  if (digest === undefined || parts.length !== 4) {
    return malformed('it must be pbkdf2_<digest>$iterations$salt$hash and has too few or too many parts');
  }
  const key = asLongAsDigest(decodeBase64(text, 'padded'), digest);
  const found = { digest, iterations: readCount(iterations), salt: Buffer.from(salt), key };
  return boundedPbkdf2('pbkdf2', found, limits);
}

/** Werkzeug's `pbkdf2:sha256:150000$salt$hex`: the salt as text, the hash as long as the digest. */
function parseWerkzeug(hash: string, limits: HashLimits): Outcome<ParsedPbkdf2<'pbkdf2'>> {
  const parts = hash.split('$');
  const [method = '', salt = '', text = ''] = parts;
  const [, name = '', iterations, ...more] = method.split(':', 4);
  const digest = digestNamed(name);
  if (digest === undefined || parts.length !== 3 || more.length > 0) {
    return malformed(
      'it must be pbkdf2:<digest>:<iterations>$salt$hash with sha1, sha256 or sha512 as digest',
    );
  }
  const key = asLongAsDigest(decodeHex(text), digest);
  const found = { digest, iterations: readCount(iterations), salt: Buffer.from(salt), key };
  return boundedPbkdf2('pbkdf2', found, limits);
}

function asLongAsDigest(key: Buffer | undefined, digest: Pbkdf2Digest): Buffer | undefined {
  return key?.length === digestBytes(digest) ? key : undefined;
}

/**
 * OWASP, Password Storage Cheat Sheet, "PBKDF2": the figures of December 2022 (pull request 1055), by which Keycloak chose its
 * default. The others are not in its list: each is compared with the digest of its speed and strength.
 */
const owaspIterations: Readonly<Record<Pbkdf2Digest, number>> = {
  sha1: 1_300_000,
  sha224: 600_000,
  sha256: 600_000,
  sha384: 210_000,
  sha512: 210_000,
  'sha3-224': 600_000,
  'sha3-384': 210_000,
};

type Costs = Pick<ParsedPbkdf2<Pbkdf2Kind>, 'digest' | 'iterations'>;

/** The common part of everything built on PBKDF2, whose only cost is time. */
export const pbkdf2Row = {
  bytes: () => pbkdf2Bytes,
  work: pbkdf2Ms,
  cost: ({ digest, iterations }: Costs) => ({ digest, iterations }),
  isWeak: ({ digest, iterations }: Costs) => iterations < owaspIterations[digest],
  isCertain: isWholeInKey,
};

export const pbkdf2: HashKind<ParsedPbkdf2<'pbkdf2'>> = {
  ...pbkdf2Row,
  label: 'PBKDF2',
  spellings: [
    ['$pbkdf2-sha1$', parsePhc('pbkdf2', 'sha1')],
    ['$pbkdf2-sha256$', parsePhc('pbkdf2', 'sha256')],
    ['$pbkdf2-sha512$', parsePhc('pbkdf2', 'sha512')],
    // passlib's name for SHA-1
    ['$pbkdf2$', parsePhc('pbkdf2', 'sha1')],
    ['pbkdf2_sha1$', parseDjango],
    ['pbkdf2_sha256$', parseDjango],
    ['pbkdf2_sha512$', parseDjango],
    ['pbkdf2:', parseWerkzeug],
  ],
  parseUnmarked: parseSha2,
  wholes: [
    { head: /^pbkdf2_sha256\$\d+\$[^$]*\$/, characters: 44, part: 'hash' },
    { head: /^pbkdf2_sha1\$\d+\$[^$]*\$/, characters: 28, part: 'hash' },
    { head: /^pbkdf2_sha512\$\d+\$[^$]*\$/, characters: 88, part: 'hash' },
    { head: /^pbkdf2:sha256:\d+\$[^$]*\$/, characters: 64, part: 'hash' },
    { head: /^pbkdf2:sha512:\d+\$[^$]*\$/, characters: 128, part: 'hash' },
  ],
  causes: () => [anotherPassword, otherSalt, otherCost],
};

/** Ory Kratos uses these labels for SHA-3, all others for SHA-2: only the caller can tell which it is. */
export const pbkdf2_kratos: HashKind<ParsedPbkdf2<'pbkdf2_kratos'>> = {
  ...pbkdf2Row,
  label: 'Kratos PBKDF2',
  spellings: [
    ['$pbkdf2-sha224$', parsePhc('pbkdf2_kratos', 'sha3-224')],
    ['$pbkdf2-sha384$', parsePhc('pbkdf2_kratos', 'sha3-384')],
  ],
  mustBeNamed:
    'Ory Kratos means SHA-3 by this label and other systems SHA-2: set hashingAlgorithm to pbkdf2, or for hashes of Kratos to pbkdf2_kratos',
  causes: () => ['Only Ory Kratos means SHA-3 by this label.', anotherPassword],
};
