/** `password_hash`, `passwordHash` and `custom_password_hash` of Auth0's bulk import schema and hash file. */

import { digestString, hmacString, scryptString } from '../../hashes/fields.ts';
import type { DigestName } from '../../hashes/parts/digested.ts';
import { decodeBase64, decodeHex } from '../../hashes/parts/encodings.ts';
import { integerIn, objectIn, textIn } from '../fields/parts.ts';
import { builtPassword, hashPassword } from './parts/hash-strings.ts';
import { badHash, unsupportedHash, type FoundPassword } from './parts/person.ts';
import type { SourceRow } from './provider.ts';

const field = 'custom_password_hash';

/** The password of a user or of a row of the hash file; undefined for a user without one. */
export function auth0Hash({ passwordHash, customHash: custom }: Hashes): FoundPassword | undefined {
  if (passwordHash !== undefined) return hashPassword('passwordHash', passwordHash);
  return custom && customHash(custom);
}

/** The columns, as declared by the tables of users and of hashes. */
interface Hashes {
  readonly passwordHash: string | undefined;
  readonly customHash: SourceRow | undefined;
}

function customHash(custom: SourceRow): FoundPassword | undefined {
  const algorithm = textIn(custom.algorithm)?.toLowerCase() ?? '';
  const hash = objectIn(custom.hash);
  const value = textIn(hash?.value);
  if (hash === undefined || value === undefined) return badHash(field, 'it has no hash.value');
  if (strings.has(algorithm)) return stringHash(algorithm, value, custom);
  if (algorithm === 'scrypt') return builtPassword(field, scryptOf(custom, hash), 'Auth0');
  const digest = digestOf(algorithm === 'hmac' ? hash.digest : algorithm);
  const passwordEncoding = encodingOfPassword(custom);
  if (digest === undefined || passwordEncoding === undefined) return unsupportedHash(field, algorithm);
  if (algorithm === 'hmac') return hmacOf(hash, digest, passwordEncoding);
  return digestOfParts(custom, hash, { digest, passwordEncoding });
}

interface DigestKind {
  readonly digest: DigestName;
  readonly passwordEncoding: 'utf8' | 'utf16le';
}

function digestOfParts(custom: SourceRow, hash: SourceRow, kind: DigestKind): FoundPassword | undefined {
  const bytes = decoded(hash, 'hex');
  const salt = saltOf(custom);
  if (bytes === undefined || salt === null)
    return badHash(field, 'its hash or salt is not in the encoding it names');
  const position = textIn(objectIn(custom.salt)?.position) === 'suffix' ? 'suffix' : 'prefix';
  const salted = salt && ({ salt, position } as const);
  return builtPassword(field, digestString({ ...kind, hash: bytes, ...salted }), 'Auth0');
}

/** Kinds whose value is a whole string. */
const strings: ReadonlySet<string> = new Set(['argon2', 'bcrypt', 'ldap', 'pbkdf2']);

/** Auth0's defaults if the PHC string has no parameters (bulk import documentation). */
const bare = /^(\$pbkdf2-sha\d+)(\$[^$=]+\$[^$]+)$/;

function stringHash(algorithm: string, value: string, custom: SourceRow): FoundPassword | undefined {
  // A salt outside the string is digested with the password, a construction that no other system has.
  if (objectIn(custom.salt) !== undefined) return unsupportedHash(field, `${algorithm}-with-salt`);
  const text = value.replace(bare, '$1$i=100000,l=64$2');
  return hashPassword(field, text, sharedLabel.test(text) ? 'pbkdf2' : undefined);
}

/** SHA-2 for Auth0, as Node names them; SHA-3 for Kratos. */
const sharedLabel = /^\$pbkdf2-sha(?:224|384)\$/;

const digests: readonly string[] = ['md5', 'sha1', 'sha256', 'sha512'] satisfies readonly DigestName[];

function digestOf(value: unknown): DigestName | undefined {
  const name = textIn(value)?.toLowerCase();
  return name !== undefined && digests.includes(name) ? (name as DigestName) : undefined;
}

function encodingOfPassword({ password }: SourceRow): 'utf8' | 'utf16le' | undefined {
  const encoding = textIn(objectIn(password)?.encoding) ?? 'utf8';
  if (encoding === 'utf16le' || encoding === 'ucs2') return 'utf16le';
  return encoding === 'utf8' || encoding === 'ascii' ? 'utf8' : undefined;
}

/** Bytes of `value` in `encoding`. */
function decoded(part: SourceRow, usual: string): Buffer | undefined {
  const [value, encoding] = [textIn(part.value) ?? '', textIn(part.encoding) ?? usual];
  if (encoding === 'hex') return decodeHex(value);
  return encoding === 'base64'
    ? decodeBase64(value, 'any')
    : encoding === 'utf8'
      ? Buffer.from(value)
      : undefined;
}

/** undefined without a salt, null for an unreadable one. */
function saltOf(custom: SourceRow): Buffer | undefined | null {
  const salt = objectIn(custom.salt);
  return salt === undefined ? undefined : (decoded(salt, 'utf8') ?? null);
}

function hmacOf(hash: SourceRow, digest: DigestName, passwordEncoding: string): FoundPassword | undefined {
  const key = decoded(objectIn(hash.key) ?? {}, 'utf8');
  const bytes = decoded(hash, 'hex');
  if (passwordEncoding !== 'utf8') return unsupportedHash(field, `hmac-${passwordEncoding}`);
  if (key === undefined || bytes === undefined)
    return badHash(field, 'its hash or key is not in the encoding it names');
  return builtPassword(field, hmacString({ digest, hash: bytes, key }), 'Auth0');
}

function scryptOf(custom: SourceRow, hash: SourceRow): string | undefined {
  const [salt, key] = [saltOf(custom), decoded(hash, 'hex')];
  const keyBytes = integerIn(custom.keylen);
  if (salt === null || key === undefined || (keyBytes !== undefined && keyBytes !== key.length))
    return undefined;
  return scryptString({
    iterations: integerIn(custom.cost) ?? 16384,
    blockSize: integerIn(custom.blockSize) ?? 8,
    parallelism: integerIn(custom.parallelization) ?? 1,
    salt: salt ?? Buffer.alloc(0),
    key,
  });
}
