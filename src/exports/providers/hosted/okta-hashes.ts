/** `credentials.password.hash` of Okta's import, which others imitate. */

import { digestString, pbkdf2String } from '../../../hashes/fields.ts';
import type { DigestName } from '../../../hashes/parts/digested.ts';
import { decodeBase64 } from '../../../hashes/parts/encodings.ts';
import { integerOf, objectOf, textOf } from '../parts/fields.ts';
import { builtPassword, hashPassword } from '../parts/hash-strings.ts';
import { badHash, unsupportedHash } from '../parts/person.ts';
import type { FoundPassword } from '../parts/person.ts';
import type { SourceRow } from '../provider.ts';

const field = 'credentials.password.hash';

const digests: Readonly<Partial<Record<string, DigestName>>> = {
  'SHA-512': 'sha512',
  'SHA-256': 'sha256',
  'SHA-1': 'sha1',
  MD5: 'md5',
};

/** The password of a user; undefined where the API, as always, has left it out. */
export function oktaHash(password: SourceRow | undefined): FoundPassword | undefined {
  const hash = objectOf(password?.hash);
  const plain = textOf(password?.value);
  if (hash === undefined) return plain === undefined ? undefined : { plainText: plain };
  const algorithm = textOf(hash.algorithm) ?? '';
  if (algorithm === 'BCRYPT') return bcryptOf(hash);
  if (algorithm === 'PBKDF2') return pbkdf2Of(hash);
  const digest = Object.hasOwn(digests, algorithm) ? digests[algorithm] : undefined;
  return digest === undefined ? unsupportedHash(`${field}.algorithm`, algorithm) : digestOf(hash, digest);
}

/** The 60 characters of bcrypt, in three parts. */
export function bcryptString(cost: number | undefined, salt = '', value = ''): string {
  return `$2a$${String(cost ?? 0).padStart(2, '0')}$${salt}${value}`;
}

function bcryptOf({ workFactor, salt, value }: SourceRow): FoundPassword | undefined {
  return hashPassword(field, bcryptString(integerOf(workFactor), textOf(salt), textOf(value)));
}

const damaged = badHash(field, 'its value or salt is missing or not base64');

function digestOf(hash: SourceRow, digest: DigestName): FoundPassword | undefined {
  const [value, salt] = [bytesOf(hash.value), bytesOf(hash.salt ?? '')];
  const order = textOf(hash.saltOrder);
  if (value === undefined || salt === undefined) return damaged;
  const position = order === 'POSTFIX' || order === 'SUFFIX' ? 'suffix' : 'prefix';
  return builtPassword(
    field,
    digestString({ digest, hash: value, ...(salt.length > 0 && { salt, position }) }),
    'Okta',
  );
}

function pbkdf2Of(hash: SourceRow): FoundPassword | undefined {
  const [key, salt, iterations] = [bytesOf(hash.value), bytesOf(hash.salt), integerOf(hash.iterationCount)];
  const name = /^(SHA256|SHA512)_HMAC$/.exec(textOf(hash.digestAlgorithm) ?? '')?.[1];
  if (name === undefined)
    return unsupportedHash(`${field}.digestAlgorithm`, textOf(hash.digestAlgorithm) ?? '');
  if (key === undefined || salt === undefined || iterations === undefined) return damaged;
  if (integerOf(hash.keySize) !== undefined && integerOf(hash.keySize) !== key.length)
    return badHash(field, 'its value is not as long as its keySize');
  const digest = name === 'SHA256' ? 'sha256' : 'sha512';
  return builtPassword(field, pbkdf2String({ digest, iterations, salt, key }), 'Okta');
}

function bytesOf(value: unknown): Buffer | undefined {
  return typeof value === 'string' ? decodeBase64(value.trim(), 'any') : undefined;
}
