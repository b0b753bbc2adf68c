/** `password_digest` in the syntax that Clerk's `password_hasher` names. */

import { pbkdf2String } from '../../../hashes/fields.ts';
import type { Pbkdf2Fields } from '../../../hashes/fields.ts';
import { decodeBase64, decodeHex } from '../../../hashes/parts/encodings.ts';
import { integerOf, textOf } from '../parts/fields.ts';
import { builtPassword, hashPassword } from '../parts/hash-strings.ts';
import { badHash, unsupportedHash } from '../parts/person.ts';
import type { FoundPassword } from '../parts/person.ts';
import type { SourceRow } from '../provider.ts';

const field = 'password_digest';

type Read = (digest: string) => FoundPassword | undefined;

const asItIs: Read = (digest) => hashPassword(field, digest);

/** Kinds that are not here: salted MD5 and SHA-256, whose order is not documented; Symfony's; HMAC without its key; Cognito's. */
const readers: Readonly<Partial<Record<string, Read>>> = {
  bcrypt: asItIs,
  bcrypt_sha256_django: asItIs,
  bcrypt_peppered: (digest) => hashPassword(field, digest.slice(0, 60), 'bcrypt_peppered'),
  md5: (digest) => hashPassword(field, digest, 'md5'),
  sha256: (digest) => hashPassword(field, digest, 'sha256'),
  phpass: asItIs,
  md5_phpass: asItIs,
  pbkdf2_sha1: pbkdf2('sha1', literal, decodeHex),
  pbkdf2_sha256: pbkdf2('sha256', base64, base64),
  pbkdf2_sha256_django: pbkdf2('sha256', literal, base64),
  pbkdf2_sha512: pbkdf2('sha512', literal, decodeHex),
  pbkdf2_sha512_hex: pbkdf2('sha512', decodeHex, decodeHex),
  argon2i: asItIs,
  argon2id: asItIs,
  scrypt_firebase: (digest) => hashPassword(field, digest, 'provider_scrypt'),
  scrypt_werkzeug: asItIs,
  ldap_ssha: asItIs,
};

/** The password of a row; undefined where there is none. */
export function clerkHash(row: SourceRow): FoundPassword | undefined {
  const digest = textOf(row.password_digest);
  if (digest === undefined) return undefined;
  const hasher = textOf(row.password_hasher);
  if (hasher === undefined) return asItIs(digest);
  const read = Object.hasOwn(readers, hasher) ? readers[hasher] : undefined;
  return read === undefined ? unsupportedHash('password_hasher', hasher) : read(digest);
}

type Decode = (text: string) => Buffer | undefined;

function literal(text: string): Buffer {
  return Buffer.from(text);
}

function base64(text: string): Buffer | undefined {
  return decodeBase64(text, 'any');
}

/** `name$iterations$salt$hash`, with the length of the key after it in some. */
function pbkdf2(digest: Pbkdf2Fields['digest'], saltOf: Decode, keyOf: Decode): Read {
  return (text) => {
    const [, count, saltText = '', keyText = '', length] = text.split('$');
    const [iterations, salt, key] = [integerOf(count), saltOf(saltText), keyOf(keyText)];
    if (iterations === undefined || salt === undefined || key === undefined || key.length === 0)
      return badHash(field, 'it is not name$iterations$salt$hash as its hasher has it');
    if (length !== undefined && integerOf(length) !== key.length)
      return badHash(field, 'its hash is not as long as it says');
    return builtPassword(field, pbkdf2String({ digest, iterations, salt, key }), 'Clerk');
  };
}
