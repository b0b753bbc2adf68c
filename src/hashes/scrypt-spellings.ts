/** scrypt as PHC strings, Ory Kratos, Django, Werkzeug, Spring and better-auth write it. */

import type { HashLimits } from '../domain/model.ts';
import { decodeBase64, decodeHex } from './binary.ts';
import { readCount } from './decimal.ts';
import { malformed } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { readParameters } from './parameters.ts';
import type { ParsedScrypt } from './parsed.ts';
import { boundedScrypt, powerOfTwo } from './scrypt.ts';

/** The largest `ln` that is a logarithm: Kratos writes N itself there, which is never so small. */
const logarithmMax = 31;
/** What Django and Werkzeug derive (hashlib.scrypt's own default), and better-auth. */
const defaultKeyBytes = 64;
/** better-auth 1.x, packages/better-auth/src/crypto/password.ts. */
const betterAuth = { iterations: 2 ** 14, blockSize: 16, parallelism: 1 } as const;
const betterAuthSaltCharacters = 32;

type Parsed = Outcome<ParsedScrypt<'scrypt'>>;

/** `$scrypt$ln=…,r=…,p=…$salt$hash`, base64 padded or not; `ln` is log2 of N or, beyond 31, N itself (Kratos). */
export function parsePhcScrypt(hash: string, limits: HashLimits): Parsed {
  const parts = hash.split('$');
  const [, , parameters = '', salt = '', key = ''] = parts;
  const named = readParameters(parameters, ['ln', 'r', 'p']);
  if (parts.length !== 5 || named === undefined) {
    return malformed('it must be $scrypt$ln=…,r=…,p=…$salt$hash, each once and with nothing else');
  }
  const ln = readCount(named.ln);
  const costs = {
    iterations: ln !== undefined && ln > logarithmMax ? ln : powerOfTwo(ln),
    blockSize: readCount(named.r),
    parallelism: readCount(named.p),
  };
  const bytes = { salt: decodeBase64(salt, 'any'), key: decodeBase64(key, 'any') };
  return boundedScrypt('scrypt', { ...costs, ...bytes }, limits);
}

/** Django's `scrypt$N$salt$r$p$hash`: the salt as text, 64 bytes of hash in padded base64. */
export function parseDjangoScrypt(hash: string, limits: HashLimits): Parsed {
  const parts = hash.split('$');
  const [, n, salt = '', r, p, text = ''] = parts;
  if (parts.length !== 6)
    return malformed('it must be scrypt$N$salt$r$p$hash and has too few or too many parts');
  const key = ofDefaultLength(decodeBase64(text, 'padded'));
  return boundedScrypt('scrypt', { ...costsOf(n, r, p), salt: Buffer.from(salt), key }, limits);
}

/** Werkzeug's `scrypt:N:r:p$salt$hex`: the salt as text, 64 bytes of hash. */
export function parseWerkzeugScrypt(hash: string, limits: HashLimits): Parsed {
  const parts = hash.split('$');
  const [method = '', salt = '', text = ''] = parts;
  const [, n, r, p, ...more] = method.split(':', 5);
  if (parts.length !== 3 || more.length > 0) {
    return malformed('it must be scrypt:N:r:p$salt$hash and has too few or too many parts');
  }
  const key = ofDefaultLength(decodeHex(text));
  return boundedScrypt('scrypt', { ...costsOf(n, r, p), salt: Buffer.from(salt), key }, limits);
}

/** Spring's `$e0801$salt$hash`: log2 N, r and p as bytes of one hexadecimal number; padded base64. */
export function parseSpringScrypt(hash: string, limits: HashLimits): Parsed {
  const parts = hash.split('$');
  const [before, parameters = '', salt = '', key = ''] = parts;
  if (parts.length !== 4 || before !== '' || !/^[0-9a-f]{5,6}$/.test(parameters)) {
    return malformed("it is neither marked as scrypt nor Spring's $<hex parameters>$salt$hash");
  }
  const [log = 0, blockSize, parallelism] = Buffer.from(parameters.padStart(6, '0'), 'hex');
  const bytes = { salt: decodeBase64(salt, 'padded'), key: decodeBase64(key, 'padded') };
  return boundedScrypt('scrypt', { iterations: powerOfTwo(log), blockSize, parallelism, ...bytes }, limits);
}

/** better-auth's `salt:key` in hexadecimal; what is salted with is the text of the salt, not its bytes. */
export function parseBetterAuth(hash: string, limits: HashLimits): Outcome<ParsedScrypt<'better_auth'>> {
  const parts = hash.split(':', 3);
  const [salt = '', text = ''] = parts;
  const key = ofDefaultLength(decodeHex(text));
  if (parts.length !== 2 || salt.length !== betterAuthSaltCharacters || decodeHex(salt) === undefined) {
    return malformed(
      `it must be <${betterAuthSaltCharacters} hexadecimal digits>:<hash in hexadecimal digits>`,
    );
  }
  return boundedScrypt('better_auth', { ...betterAuth, salt: Buffer.from(salt), key }, limits);
}

function costsOf(n: string | undefined, r: string | undefined, p: string | undefined) {
  return { iterations: readCount(n), blockSize: readCount(r), parallelism: readCount(p) };
}

function ofDefaultLength(key: Buffer | undefined): Buffer | undefined {
  return key?.length === defaultKeyBytes ? key : undefined;
}
