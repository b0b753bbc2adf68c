/** Logto's password_encryption_method and its `Legacy` expressions (packages/core/src/utils/password.ts). */

import { pbkdf2String } from '../../../hashes/fields.ts';
import { decodeHex } from '../../../hashes/parts/encodings.ts';
import { integerOf, textOf } from '../parts/fields.ts';
import { hashPassword } from '../parts/hash-strings.ts';
import { badHash, unsupportedHash } from '../parts/person.ts';
import type { FoundPassword } from '../parts/person.ts';
import type { SourceRow } from '../provider.ts';

const field = 'password_encrypted';

/** The password of a user by its folded columns: those of the table, or the Management API's. */
export function logtoPassword(user: SourceRow): FoundPassword | undefined {
  const hash = textOf(user.passwordencrypted) ?? textOf(user.passworddigest);
  const method = textOf(user.passwordencryptionmethod) ?? textOf(user.passwordalgorithm) ?? '';
  if (hash === undefined) return undefined;
  const name = method.toLowerCase();
  if (name === 'legacy') return legacy(hash);
  if (name === 'sha1' || name === 'sha256' || name === 'md5') return hashPassword(field, hash, name);
  return ['', 'bcrypt', 'argon2i', 'argon2id', 'argon2d'].includes(name)
    ? hashPassword(field, hash)
    : unsupportedHash(field, method);
}

interface Legacy {
  readonly algorithm: string;
  /** In order, with `@` for the password. */
  readonly parts: readonly string[];
  readonly expected: string;
}

const notLegacy = 'it must be a JSON array [algorithm, [arguments with "@" for the password], expected hash]';

function legacy(text: string): FoundPassword | undefined {
  const found = readLegacy(text);
  if (found === undefined) return badHash(field, notLegacy);
  // As OpenSSL, which takes any case and `sha-256` for `sha256`.
  const name = found.algorithm.toLowerCase().replace(/^sha-(?=\d)/, 'sha');
  if (name === 'pbkdf2') return pbkdf2(found);
  if (name === 'firebase-scrypt') return scryptVariant(found);
  return digests.has(name) ? digest(name, found) : unsupportedHash(field, found.algorithm);
}

function readLegacy(text: string): Legacy | undefined {
  try {
    const [algorithm, parts, expected, ...more] = JSON.parse(text) as readonly unknown[];
    const isSound = typeof algorithm === 'string' && typeof expected === 'string' && more.length === 0;
    if (!isSound || !Array.isArray(parts) || !parts.every((each) => typeof each === 'string'))
      return undefined;
    return parts.includes('@') ? { algorithm, parts, expected } : undefined;
  } catch {
    return undefined;
  }
}

const digests: ReadonlySet<string> = new Set(['md5', 'sha1', 'sha256', 'sha384', 'sha512']);

/** The arguments are joined and digested: Kratos's template says the same with a salt before the password. */
function digest(name: string, { parts, expected }: Legacy): FoundPassword | undefined {
  const at = parts.indexOf('@');
  if (parts.includes('@', at + 1)) return unsupportedHash(field, `${name}(password,password)`);
  const [before, after] = [parts.slice(0, at).join(''), parts.slice(at + 1).join('')];
  const hash = decodeHex(expected);
  if (hash === undefined) return badHash(field, 'its hash is not in hexadecimal digits');
  const template = base64(`{SALT}{PASSWORD}${after}`);
  return hashPassword(field, `$${name}$pf=${template}$${base64(before)}$${hash.toString('base64')}`);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

const pbkdf2Digests = ['sha1', 'sha256', 'sha512'] as const;

/** `[salt, iterations, bytes of the key, digest, "@"]`; a salt `hex:…` is bytes. */
function pbkdf2({ parts, expected }: Legacy): FoundPassword | undefined {
  const [salt = '', iterations = '', keyBytes = '', name = ''] = parts;
  const digestName = pbkdf2Digests.find((each) => each === name.toLowerCase());
  if (digestName === undefined) return unsupportedHash(field, `pbkdf2-${name}`);
  const saltBytes = salt.startsWith('hex:') ? decodeHex(salt.slice('hex:'.length)) : Buffer.from(salt);
  const key = decodeHex(expected);
  const count = integerOf(iterations);
  const isSound = saltBytes !== undefined && key !== undefined && count !== undefined;
  if (!isSound || key.length !== integerOf(keyBytes)) return badHash(field, notPbkdf2);
  const hash = pbkdf2String({ digest: digestName, iterations: count, salt: saltBytes, key });
  return hashPassword(field, hash);
}

const notPbkdf2 =
  'its pbkdf2 arguments must be [salt, iterations, bytes of the hash, digest, "@"], and the hash that long';

/** `[salt, signer key, separator, rounds, memory cost, "@"]`. The key is carried along: the core compares it with its own. */
function scryptVariant({ parts, expected }: Legacy): FoundPassword | undefined {
  const [salt = '', signerKey = '', separator = '', rounds = '', memoryCost = ''] = parts;
  const hash = [expected, salt, signerKey, separator, rounds, memoryCost].join('$');
  return hashPassword(field, hash, 'provider_scrypt');
}
