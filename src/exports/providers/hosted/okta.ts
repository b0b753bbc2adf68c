/** Okta: users of GET /api/v1/users, or objects of its import with their hashes. */

import { convertAddressed } from '../parts/addresses.ts';
import { objectOf, objectsOf, textOf, timeOf, integerOf } from '../parts/fields.ts';
import { personOptions, badHash, unsupportedHash, type Person, type FoundPassword } from '../parts/person.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { decodeBase64 } from '../../../hashes/parts/encodings.ts';
import { digestString, pbkdf2String } from '../../../hashes/fields.ts';
import type { DigestName } from '../../../hashes/parts/digested.ts';
import { bcryptString, builtPassword, hashPassword } from '../parts/hash-strings.ts';
import { importedBy, plainBcrypt } from '../parts/way-back.ts';

export const okta: Provider = {
  name: 'okta',
  title: 'Okta (users of its API)',
  about:
    'Okta gives no password hashes: users are imported to sign in by email, or as --without-password says; credentials.password.hash is read where somebody added it. Social links are not in the list of users. Suspended and deprovisioned users count as disabled.',
  wayBack: importedBy('bcrypt in parts, with workFactor, salt and value', plainBcrypt),
  tables: [
    {
      name: 'users',
      places: [{ format: 'json', path: [] }, { format: 'json', path: ['users'] }, { format: 'ndjson' }],
      idOf: (row) => textOf(row.id),
    },
  ],
  options: personOptions,
  recognises,
  convert,
};

function recognises({ first }: Sample): number {
  const profile = objectOf(first.profile);
  if (profile === undefined || !('login' in profile)) return 0;
  return 'status' in first || 'credentials' in first ? 10 : 3;
}

function convert(user: SourceRow, _related: Related, options: ConvertOptions): Conversion {
  const { email: address, login, firstName, lastName, ...profile } = objectOf(user.profile) ?? {};
  const credentials = objectOf(user.credentials) ?? {};
  const email = textOf(address) ?? textOf(login);
  const person: Person = {
    id: textOf(user.id),
    email,
    isEmailVerified: objectsOf(credentials.emails).some((each) => isVerified(each, email)),
    password: oktaHash(objectOf(credentials.password)),
    timeJoined: timeOf(user.created),
    metadata: {
      firstName: textOf(firstName),
      lastName: textOf(lastName),
      login: textOf(login),
      profile,
    },
    isDisabled: isDisabled(textOf(user.status)),
    requiredActions: textOf(user.status) === 'PASSWORD_EXPIRED' ? ['UPDATE_PASSWORD'] : [],
  };
  return convertAddressed(person, 'profile.email', options);
}

function isVerified({ value, status }: SourceRow, email: string | undefined): boolean {
  return textOf(status) === 'VERIFIED' && textOf(value)?.toLowerCase() === email?.toLowerCase();
}

function isDisabled(status: string | undefined): boolean | undefined {
  return status === undefined ? undefined : status === 'SUSPENDED' || status === 'DEPROVISIONED';
}

// `credentials.password.hash` of Okta's import, which others imitate.

const field = 'credentials.password.hash';

const digests: Readonly<Partial<Record<string, DigestName>>> = {
  'SHA-512': 'sha512',
  'SHA-256': 'sha256',
  'SHA-1': 'sha1',
  MD5: 'md5',
};

/** The password of a user; undefined where the API, as always, has left it out. */
function oktaHash(password: SourceRow | undefined): FoundPassword | undefined {
  const hash = objectOf(password?.hash);
  const plain = textOf(password?.value);
  if (hash === undefined) return plain === undefined ? undefined : { plainText: plain };
  const algorithm = textOf(hash.algorithm) ?? '';
  if (algorithm === 'BCRYPT') return bcryptOf(hash);
  if (algorithm === 'PBKDF2') return pbkdf2Of(hash);
  const digest = Object.hasOwn(digests, algorithm) ? digests[algorithm] : undefined;
  return digest === undefined ? unsupportedHash(`${field}.algorithm`, algorithm) : digestOf(hash, digest);
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
