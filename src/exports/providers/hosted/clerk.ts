/** Clerk: the CSV of the dashboard, or users as its Backend API gives them. */

import type { SecondFactor } from '../../../imports/model.ts';
import { convertAddressed } from '../parts/addresses.ts';
import {
  firstText,
  flagOf,
  hasColumns,
  objectOf,
  objectsOf,
  phoneOf,
  textOf,
  timeOf,
  integerOf,
} from '../parts/fields.ts';
import { personOptions, badHash, unsupportedHash } from '../parts/person.ts';
import type { Person, SocialIdentity, FoundPassword } from '../parts/person.ts';
import { factorIf, disabledIf } from '../parts/sign-in-state.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { decodeBase64, decodeHex } from '../../../hashes/parts/encodings.ts';
import { pbkdf2String, type Pbkdf2Fields } from '../../../hashes/fields.ts';
import { builtPassword, hashPassword } from '../parts/hash-strings.ts';
import { argon2id, importedBy } from '../parts/way-back.ts';

export const clerk: Provider = {
  name: 'clerk',
  title: 'Clerk (CSV of the dashboard)',
  about:
    'The CSV has no join dates, social identities or metadata: they are read where external_accounts, created_at and *_metadata of the Backend API were added as JSON. For bcrypt_peppered hashes configure the pepper in the core; the one in the file is left out.',
  wayBack: importedBy('bcrypt, Argon2id and others', argon2id),
  tables: [
    {
      name: 'users',
      places: [
        { format: 'csv' },
        { format: 'json', path: [] },
        { format: 'json', path: ['data'] },
        { format: 'ndjson' },
      ],
      idOf: (row) => textOf(row.id),
    },
  ],
  options: personOptions,
  recognises,
  convert,
};

function recognises({ format, columns, first }: Sample): number {
  if (format === 'csv' && hasColumns(columns, 'primary_email_address', 'password_hasher')) return 10;
  if (format === 'csv' && hasColumns(columns, 'primary_email_address')) return 7;
  return 'primary_email_address' in first || 'primary_email_address_id' in first ? 8 : 0;
}

function convert(row: SourceRow, _related: Related, options: ConvertOptions): Conversion {
  const verified = addressesOf(row.verified_email_addresses);
  const unverified = addressesOf(row.unverified_email_addresses);
  const email = primaryOf(row) ?? verified[0] ?? unverified[0];
  const phones = addressesOf(row.verified_phone_numbers);
  const totp = textOf(row.totp_secret);
  const person: Person = {
    id: textOf(row.id),
    email,
    isEmailVerified: isAmong(email, verified) || isVerifiedObject(row, email),
    phone: [textOf(row.primary_phone_number), ...phones]
      .filter((each) => isAmong(each, phones))
      .map(phoneOf)[0],
    password: clerkHash(row),
    social: objectsOf(row.external_accounts).flatMap(socialOf),
    timeJoined: timeOf(row.created_at),
    metadata: {
      firstName: textOf(row.first_name),
      lastName: textOf(row.last_name),
      username: textOf(row.username),
      picture: textOf(row.image_url),
      otherEmails: [...verified, ...unverified].filter((each) => each !== email),
      public_metadata: objectOf(row.public_metadata),
      private_metadata: objectOf(row.private_metadata),
      unsafe_metadata: objectOf(row.unsafe_metadata),
    },
    ...(totp !== undefined && { totpDevices: [{ secretKey: totp }] }),
    secondFactors: totp === undefined ? factorsOf(row) : [],
    isDisabled: disabledIf(flagOf(row.banned), flagOf(row.locked)),
  };
  return convertAddressed(person, 'primary_email_address', options);
}

/** Users of its API say that they have one, and not its secret. */
function factorsOf({ totp_enabled: totp, two_factor_enabled: hasSome }: SourceRow): readonly SecondFactor[] {
  if (flagOf(totp) === true) return ['totp'];
  return factorIf(flagOf(hasSome) === true, 'other');
}

/** Lists inside one cell are separated by bars. */
function addressesOf(value: unknown): readonly string[] {
  return (textOf(value) ?? '')
    .split('|')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function isAmong(value: string | undefined, list: readonly string[]): boolean {
  return value !== undefined && list.some((each) => each.toLowerCase() === value.toLowerCase());
}

/** The API refers to one of `email_addresses` by its id. */
function primaryOf(row: SourceRow): string | undefined {
  const primary = firstText(row, 'primary_email_address');
  if (primary !== undefined) return primary;
  const id = textOf(row.primary_email_address_id);
  const objects = objectsOf(row.email_addresses);
  return textOf((objects.find((each) => textOf(each.id) === id) ?? objects[0])?.email_address);
}

function isVerifiedObject(row: SourceRow, email: string | undefined): boolean {
  const found = objectsOf(row.email_addresses).find((each) => textOf(each.email_address) === email);
  return textOf(objectOf(found?.verification)?.status) === 'verified';
}

function socialOf(account: SourceRow): readonly SocialIdentity[] {
  const [provider, userId] = [textOf(account.provider), textOf(account.provider_user_id)];
  if (provider === undefined || userId === undefined) return [];
  const isVerified = textOf(objectOf(account.verification)?.status) === 'verified';
  return [{ provider, userId, email: textOf(account.email_address), isVerified }];
}

// `password_digest` in the syntax that Clerk's `password_hasher` names.

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
function clerkHash(row: SourceRow): FoundPassword | undefined {
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
