/** Spring Security's default JDBC schema: users and authorities, with `{id}encoded` passwords. */

import { isEmail } from '../../../domain/email.ts';
import { convertAddressed } from '../parts/addresses.ts';
import { flagOf, textOf } from '../parts/fields.ts';
import { hasAll, namesOf } from '../parts/folded-row.ts';
import { personOptions, rejected, badHash, unsupportedHash, type FoundPassword } from '../parts/person.ts';
import { disabledIf, disabledUnless } from '../parts/sign-in-state.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { springDigestString, springSha256String, springPbkdf2String } from '../../../hashes/fields.ts';
import type { SpringPbkdf2 } from '../../../hashes/fields.ts';
import { builtPassword, hashPassword } from '../parts/hash-strings.ts';
import { plainBcrypt } from '../parts/way-back.ts';

const places = [{ format: 'csv' }, { format: 'json', path: [] }, { format: 'ndjson' }] as const;

export const spring: Provider = {
  name: 'spring',
  title: 'Spring Security (users table)',
  about:
    'The user name is taken as the email unless there is a column email. {pbkdf2} and {sha256} are read with the parameters of PasswordEncoderFactories and no secret: with others set in the code no old password would be right. Roles need the table authorities in a file of its own.',
  wayBack: {
    reads: 'bcrypt, with {bcrypt} in front where passwords name their encoder',
    settings: plainBcrypt,
  },
  tables: [
    { name: 'users', places, sqlNames: ['users'], idOf: (row) => textOf(row.username) },
    {
      name: 'authorities',
      places,
      sqlNames: ['authorities'],
      idOf: (row) => textOf(row.username),
      flag: 'spring-authorities',
    },
  ],
  options: personOptions,
  recognises,
  convert,
};

function recognises(sample: Sample): number {
  const names = namesOf(sample);
  if (!hasAll(names, 'username', 'password')) return 0;
  if (/^\{[\w@.-]+\}/.test(textOf(sample.first.password) ?? '')) return 10;
  return names.has('enabled') ? 6 : 0;
}

const noAddress = 'the user name is no email address: add a column email to the query that exports the users';

function convert(row: SourceRow, related: Related, options: ConvertOptions): Conversion {
  const username = textOf(row.username);
  const own = textOf(row.email);
  if (own === undefined && username !== undefined && !isEmail(username))
    return rejected({
      code: 'NOT_IMPORTABLE',
      field: 'username',
      message: noAddress,
      externalUserId: username,
    });
  const email = own ?? username;
  const person = {
    id: username,
    email,
    password: springPassword(row.password),
    metadata: { username: username === email ? undefined : username },
    roles: (related.authorities ?? []).flatMap((each) => textOf(each.authority) ?? []),
    isDisabled: isDisabled(row),
    requiredActions: flagOf(row.credentials_non_expired) === false ? ['UPDATE_PASSWORD'] : [],
  };
  return convertAddressed(person, own === undefined ? 'username' : 'email', options);
}

/** Who implements UserDetails with columns of these names has more of them than the table's own `enabled`. */
function isDisabled(row: SourceRow): boolean | undefined {
  const flags = [row.enabled, row.account_non_locked, row.account_non_expired];
  return disabledIf(...flags.map((flag) => disabledUnless(flagOf(flag))));
}

// Spring Security's `{id}encoded` (DelegatingPasswordEncoder), with the encoders of PasswordEncoderFactories.

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
 * The password of a `{id}encoded` value. Without a known id it is taken for what it says of itself (`$2a$…`,
 * `{SSHA}…`): that of an app with one encoder for all.
 */
function springPassword(value: unknown): FoundPassword | undefined {
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
