/** PBKDF2 as PHC strings, passlib, Django, Werkzeug and Ory Kratos write it. */

import type { HashLimits } from '../domain/model.ts';
import { decodeBase64, decodeHex } from './binary.ts';
import { readCount } from './decimal.ts';
import { malformed } from './outcome.ts';
import type { Outcome, Parser } from './outcome.ts';
import { readParameters } from './parameters.ts';
import type { ParsedPbkdf2 } from './parsed.ts';
import { boundedPbkdf2, pbkdf2Digest, pbkdf2DigestBytes } from './pbkdf2.ts';
import type { Pbkdf2Digest } from './pbkdf2.ts';

const form = '$pbkdf2-<digest>$i=…,l=…$salt$hash with base64 that has no padding';

/** `$pbkdf2-sha256$i=…,l=…$salt$hash`, `l` (bytes of the hash) optional; or passlib's `$pbkdf2-sha256$6400$salt$hash`. */
export function parsePhcPbkdf2<Kind extends 'pbkdf2' | 'pbkdf2_kratos'>(
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

/** Django's `pbkdf2_sha256$30000$salt$hash`: the salt as text, the hash in padded base64 and as long as the digest. */
export function parseDjangoPbkdf2(hash: string, limits: HashLimits): Outcome<ParsedPbkdf2<'pbkdf2'>> {
  const parts = hash.split('$');
  const [name = '', iterations, salt = '', text = ''] = parts;
  const digest = pbkdf2Digest(name.slice('pbkdf2_'.length));
  if (digest === undefined || parts.length !== 4) {
    return malformed('it must be pbkdf2_<digest>$iterations$salt$hash and has too few or too many parts');
  }
  const key = asLongAsDigest(decodeBase64(text, 'padded'), digest);
  const found = { digest, iterations: readCount(iterations), salt: Buffer.from(salt), key };
  return boundedPbkdf2('pbkdf2', found, limits);
}

/** Werkzeug's `pbkdf2:sha256:150000$salt$hex`: the salt as text, the hash as long as the digest. */
export function parseWerkzeugPbkdf2(hash: string, limits: HashLimits): Outcome<ParsedPbkdf2<'pbkdf2'>> {
  const parts = hash.split('$');
  const [method = '', salt = '', text = ''] = parts;
  const [, name = '', iterations, ...more] = method.split(':', 4);
  const digest = pbkdf2Digest(name);
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
  return key?.length === pbkdf2DigestBytes(digest) ? key : undefined;
}
