/** Stytch: users of its search or export utility, joined with the hash file of the support. */

import { scryptString } from '../../../hashes/fields.ts';
import { decodeBase64 } from '../../../hashes/parts/encodings.ts';
import { convertAddressed } from '../parts/addresses.ts';
import { flagOf, integerOf, objectOf, objectsOf, phoneOf, textOf, timeOf } from '../parts/fields.ts';
import { builtPassword, hashPassword } from '../parts/hash-strings.ts';
import { badHash, personOptions, rejected, unsupportedHash } from '../parts/person.ts';
import type { FoundPassword, Person, SocialIdentity } from '../parts/person.ts';
import { ExportFault } from '../provider.ts';
import { factorIf } from '../parts/sign-in-state.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { argon2id, importedBy } from '../parts/way-back.ts';

export const stytch: Provider = {
  name: 'stytch',
  title: 'Stytch (users, with the hash file)',
  about:
    'Hashes come from the support as a CSV file: give it with --stytch-hashes as it is, with the rows in front of its header, which hold the parameters of scrypt. Without it users are imported by email (--without-password). TOTP secrets and passkeys are not exported.',
  wayBack: importedBy('bcrypt, Argon2id and others', argon2id),
  tables: [
    {
      name: 'users',
      places: [
        { format: 'json', path: ['results'] },
        { format: 'json', path: ['users'] },
        { format: 'json', path: [] },
        { format: 'ndjson' },
        { format: 'csv' },
      ],
      idOf: (row) => textOf(row.user_id),
    },
    {
      name: 'hashes',
      places: [{ format: 'csv', skipTo: 'id' }],
      idOf: (row) => textOf(row.id),
      flag: 'stytch-hashes',
      hashes: "the file that Stytch's support sends",
    },
  ],
  options: personOptions,
  recognises,
  prepare,
  convert,
};

function recognises({ format, columns, first }: Sample): number {
  const names = format === 'csv' ? columns : Object.keys(first);
  if (textOf(first.user_id)?.startsWith('user-') === true && names.includes('emails')) return 10;
  return ['user_id', 'emails', 'phone_numbers', 'trusted_metadata'].every((name) => names.includes(name))
    ? 8
    : 0;
}

/** Names as the file has them, its misspelling included. */
const preamble = {
  cost: 'scryptCostParameter',
  blockSize: 'scryptRParameter',
  parallelism: 'scryptPParameter',
  keyBytes: 'scryptKeyLengthParamenter',
} as const;

/** Parameters as plain numbers. @throws ExportFault for those that cannot be read */
function prepare(options: ConvertOptions): ConvertOptions {
  const named = Object.values(preamble).filter((name) => options[name] !== undefined);
  const read = named.map((name) => [name, readParameter(name, options[name] ?? '')] as const);
  return { ...options, ...Object.fromEntries(read) };
}

/** The cost is written as `1 << 15`. */
function readParameter(name: string, text: string): string {
  const [, base, shift] = /^(\d{1,10})(?:\s*<<\s*(\d{1,2}))?$/.exec(text.trim()) ?? [];
  if (base === undefined) throw new ExportFault(`the hash file's ${name} is not a number`);
  return String(Number(base) * 2 ** Number(shift ?? 0));
}

function convert(user: SourceRow, related: Related, options: ConvertOptions): Conversion {
  const id = textOf(user.user_id);
  if (textOf(user.status) === 'deleted')
    return rejected({
      code: 'NOT_IMPORTABLE',
      field: 'status',
      message: 'the user is deleted',
      externalUserId: id,
    });
  const emails = objectsOf(user.emails);
  const primary = emails.find(isVerified) ?? emails[0];
  const email = textOf(primary?.email);
  const name = objectOf(user.name);
  const [hash] = related.hashes ?? [];
  const person: Person = {
    id,
    email,
    isEmailVerified: primary !== undefined && isVerified(primary),
    phone: phoneOf(objectsOf(user.phone_numbers).find(isVerified)?.phone_number),
    password: hash && passwordOf(hash, options),
    social: objectsOf(user.providers).flatMap(socialOf),
    timeJoined: timeOf(user.created_at),
    metadata: {
      firstName: textOf(name?.first_name),
      middleName: textOf(name?.middle_name),
      lastName: textOf(name?.last_name),
      otherEmails: emails.flatMap((each) => textOf(each.email) ?? []).filter((each) => each !== email),
      trusted_metadata: objectOf(user.trusted_metadata),
      untrusted_metadata: objectOf(user.untrusted_metadata),
    },
    secondFactors: [
      ...factorIf(objectsOf(user.totps).length > 0, 'totp'),
      ...factorIf(objectsOf(user.webauthn_registrations).length > 0, 'webauthn'),
    ],
    requiredActions: flagOf(objectOf(user.password)?.requires_reset) === true ? ['UPDATE_PASSWORD'] : [],
  };
  return convertAddressed(person, 'emails', options);
}

function isVerified(each: SourceRow): boolean {
  return flagOf(each.verified) === true;
}

function socialOf({ provider_type: type, provider_subject: subject }: SourceRow): readonly SocialIdentity[] {
  const [provider, userId] = [textOf(type), textOf(subject)];
  return provider === undefined || userId === undefined ? [] : [{ provider, userId }];
}

const field = 'hash';
/** Methods whose value is a whole string. */
const strings: ReadonlySet<string> = new Set(['bcrypt', 'argon_2i', 'argon_2id', 'phpass']);

function passwordOf(row: SourceRow, options: ConvertOptions): FoundPassword | undefined {
  const [value, method] = [textOf(row.hash), textOf(row.hash_method) ?? ''];
  if (value === undefined) return undefined;
  if (strings.has(method)) return hashPassword(field, value);
  if (method !== 'scrypt') return unsupportedHash('hash_method', method);
  const [iterations, blockSize, parallelism, keyBytes] = Object.values(preamble).map((name) =>
    integerOf(options[name]),
  );
  if (iterations === undefined || blockSize === undefined || parallelism === undefined)
    throw new ExportFault(
      'the hash file lacks the rows with the parameters of scrypt in front of its header: give it as it came',
    );
  const key = decodeBase64(value.replaceAll('-', '+').replaceAll('_', '/'), 'any');
  if (key === undefined || (keyBytes !== undefined && key.length !== keyBytes))
    return badHash(field, 'it is not base64 or not as long as the file says');
  // What looks like base64 is salted with as text: its characters are the bytes.
  const salt = Buffer.from(textOf(row.salt) ?? '');
  return builtPassword(field, scryptString({ iterations, blockSize, parallelism, salt, key }), 'Stytch');
}
