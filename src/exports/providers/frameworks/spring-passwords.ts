/** Spring Security's `{id}encoded` (DelegatingPasswordEncoder), with the encoders of PasswordEncoderFactories. */

import { springDigestString, springPbkdf2String, springSha256String } from '../../../hashes/fields.ts';
import type { SpringPbkdf2 } from '../../../hashes/fields.ts';
import { textOf } from '../parts/fields.ts';
import { builtPassword, hashPassword } from '../parts/hash-strings.ts';
import { badHash, unsupportedHash } from '../parts/person.ts';
import type { FoundPassword } from '../parts/person.ts';

const field = 'password';

/** Of Pbkdf2PasswordEncoder: defaultsForSpringSecurity_v5_5 and _v5_8, both with keys of 256 bits. */
const pbkdf2Old: SpringPbkdf2 = { digest: 'sha1', iterations: 185_000, saltLength: 8 };
const pbkdf2New: SpringPbkdf2 = { digest: 'sha256', iterations: 310_000, saltLength: 16 };
const pbkdf2KeyBytes = 32;

type Reader = (encoded: string, id: string) => FoundPassword | undefined;

const whole: Reader = (encoded) => hashPassword(field, encoded);
const scrypt: Reader = (encoded) => hashPassword(field, encoded, 'scrypt');
const digest =
  (name: 'md5' | 'sha1' | 'sha256'): Reader =>
  (encoded, id) =>
    builtPassword(field, springDigestString(name, encoded), id);

function pbkdf2(parameters: SpringPbkdf2): Reader {
  const hexDigits = (parameters.saltLength + pbkdf2KeyBytes) * 2;
  return (encoded, id) =>
    encoded.length === hexDigits
      ? builtPassword(field, springPbkdf2String(encoded, parameters), id)
      : badHash(
          field,
          `it has ${encoded.length} digits where ${id} has ${hexDigits}: other parameters, or cut off`,
        );
}

/** Ids are case-sensitive: `{SHA-256}` is one digest, `{sha256}` 1,024 rounds of it. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['{bcrypt}', whole],
  ['{argon2}', whole],
  ['{argon2@SpringSecurity_v5_8}', whole],
  ['{scrypt}', scrypt],
  ['{scrypt@SpringSecurity_v5_8}', scrypt],
  ['{pbkdf2}', pbkdf2(pbkdf2Old)],
  ['{pbkdf2@SpringSecurity_v5_8}', pbkdf2(pbkdf2New)],
  ['{sha256}', (encoded, id) => builtPassword(field, springSha256String(encoded), id)],
  ['{MD5}', digest('md5')],
  ['{SHA-1}', digest('sha1')],
  ['{SHA-256}', digest('sha256')],
  ['{ldap}', whole],
]);

const plainMark = '{noop}';

/**
 * The password of a `{id}encoded` value. Without a known id it is taken for what it tells of itself (`$2a$…`,
 * `{SSHA}…`): that of an app with one encoder for all.
 */
export function springPassword(value: unknown): FoundPassword | undefined {
  // As it was typed, blanks too. The core refuses a plain-text password unless its configuration allows them.
  if (typeof value === 'string' && value.startsWith(plainMark))
    return value === plainMark ? undefined : { plainText: value.slice(plainMark.length) };
  const text = textOf(value);
  if (text === undefined) return undefined;
  const [id = ''] = /^\{[^}]{0,64}\}/.exec(text) ?? [];
  const read = readers.get(id);
  const encoded = text.slice(id.length);
  if (read !== undefined) return encoded === '' ? undefined : read(encoded, id);
  // Its own schemes are LDAP's; what else is in braces is an encoder that the app added, or MD4.
  return id === '' || /^\{s?(sha|md5)/i.test(id) ? hashPassword(field, text) : unsupportedHash(field, id);
}
