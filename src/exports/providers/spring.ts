/** Spring Security's default JDBC schema: users and authorities, with `{id}encoded` passwords. */

import { isEmail } from '../../domain/email.ts';
import { convertAddressed } from './parts/addresses.ts';
import { carries, guards, hash, identifies, leftOut, type Values } from '../fields/declare.ts';
import { ofTheRow } from '../fields/reasons.ts';
import { deletionFields, deletionOf, isRestricted, restrictionFields } from '../fields/restrictions.ts';
import { textOf } from './parts/fields.ts';
import { fieldsIn } from './parts/marks.ts';
import {
  deletedOption,
  personOptions,
  rejected,
  badHash,
  unsupportedHash,
  type FoundPassword,
} from './parts/person.ts';
import { type Disabled, disabledIf } from './parts/sign-in-state.ts';
import { convertValues, relatedValues, table } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample } from './provider.ts';
import { springDigestString, springSha256String, springPbkdf2String } from '../../hashes/fields.ts';
import type { SpringPbkdf2 } from '../../hashes/fields.ts';
import { builtPassword, hashPassword } from './parts/hash-strings.ts';
import { plainBcrypt } from './parts/way-back.ts';

const userFields = {
  username: identifies.id('username'),
  email: identifies.text('email'),
  password: hash.untrimmed('password'),
  timeJoined: carries.time('created_at', 'created_date', 'date_created'),
  isAccountNonLocked: guards.flag('account_non_locked'),
  isAccountNonExpired: guards.flag('account_non_expired'),
  isCredentialsNonExpired: guards.flag('credentials_non_expired'),
  // Grails' plugin and others negate them.
  isAccountLocked: guards.evidence('account_locked', 'locked'),
  isAccountExpired: guards.evidence('account_expired', 'expired'),
  isPasswordExpired: guards.evidence('password_expired', 'credentials_expired'),
  ...restrictionFields,
  ...deletionFields,
} as const;

const authorityFields = {
  username: identifies.id('username'),
  authority: carries.text('authority'),
  id: leftOut(ofTheRow, 'id'),
} as const;

export const spring: Provider = {
  name: 'spring',
  title: 'Spring Security (users table)',
  about:
    'The user name is taken as the email unless there is a column email. {pbkdf2} and {sha256} are read with the parameters of PasswordEncoderFactories and no secret: with others set in the code no old password would be right. Roles need the table authorities in a file of its own.',
  wayBack: {
    reads: 'bcrypt, with {bcrypt} before it where passwords name their encoder',
    settings: plainBcrypt,
  },
  tables: [
    table('users', userFields, {
      sqlNames: ['users'],
    }),
    table('authorities', authorityFields, {
      sqlNames: ['authorities'],
      flag: 'spring-authorities',
    }),
  ],
  options: [...personOptions, deletedOption],
  recognises,
  convert: convertValues(userFields, convert),
};

function recognises(sample: Sample): number {
  const has = fieldsIn(sample, userFields);
  if (!has('username', 'password')) return 0;
  if (/^\{[\w@.-]+\}/.test(textOf(sample.first.password) ?? '')) return 10;
  return has('enabled') ? 6 : 0;
}

const noAddress = 'the user name is no email address: add a column email to the query that exports the users';

function convert(user: Values<typeof userFields>, related: Related, options: ConvertOptions): Conversion {
  const { username, email: own, timeJoined } = user;
  if (own === undefined && username !== undefined && !isEmail(username))
    return rejected({
      code: 'NOT_IMPORTABLE',
      field: 'username',
      message: noAddress,
      externalUserId: username,
    });
  const email = own ?? username;
  const isExpired = user.isCredentialsNonExpired === false || user.isPasswordExpired === true;
  const person = {
    id: username,
    email,
    timeJoined,
    password: springPassword(user.password),
    metadata: { username: username === email ? undefined : username },
    roles: relatedValues(authorityFields, related.authorities).flatMap(({ authority }) => authority ?? []),
    isDisabled: isDisabled(user),
    deleted: deletionOf(user),
    requiredActions: isExpired ? ['UPDATE_PASSWORD'] : [],
  };
  return convertAddressed(person, own === undefined ? 'username' : 'email', options);
}

/** A class that implements UserDetails with columns of these names has them in addition to the table's own `enabled`. */
function isDisabled(user: Values<typeof userFields>): Disabled {
  const may = [user.isAccountNonLocked, user.isAccountNonExpired];
  return disabledIf(
    ...may.map((flag) => (flag === undefined ? undefined : !flag)),
    user.isAccountLocked,
    user.isAccountExpired,
    isRestricted(user),
  );
}

// Spring Security's `{id}encoded` (DelegatingPasswordEncoder), with the encoders of PasswordEncoderFactories.

const field = 'password';

/** Pbkdf2PasswordEncoder: defaultsForSpringSecurity_v5_5 and _v5_8, both with keys of 256 bits. */
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
 * The password of a `{id}encoded` value. Without a known id the string shows its kind (`$2a$…`, `{SSHA}…`): that of an app with
 * one encoder for all.
 */
function springPassword(value: unknown): FoundPassword | undefined {
  // As it was typed, including blanks. The core refuses a plain-text password unless its configuration allows them.
  if (typeof value === 'string' && value.startsWith(plainMark))
    return value === plainMark ? undefined : { plainText: value.slice(plainMark.length) };
  const text = textOf(value);
  if (text === undefined) return undefined;
  const [id = ''] = /^\{[^}]{0,64}\}/.exec(text) ?? [];
  const read = readers.get(id);
  const encoded = text.slice(id.length);
  if (read !== undefined) return encoded === '' ? undefined : read(encoded, id);
  // Its own schemes are LDAP's; any other id in braces is an encoder that the app added, or MD4.
  return id === '' || /^\{s?(sha|md5)/i.test(id) ? hashPassword(field, text) : unsupportedHash(field, id);
}
