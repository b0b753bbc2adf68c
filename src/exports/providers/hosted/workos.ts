/** WorkOS: the CSV of its migration command, or users of its API. */

import { convertAddressed } from '../parts/addresses.ts';
import { firstText, flagOf, hasColumns, objectOf, textOf, timeOf } from '../parts/fields.ts';
import { hashPassword } from '../parts/hash-strings.ts';
import { personOptions, unsupportedHash, type FoundPassword, type Person } from '../parts/person.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { argon2id, importedBy } from '../parts/way-back.ts';

export const workos: Provider = {
  name: 'workos',
  title: 'WorkOS (CSV of its migration command, or users of its API)',
  about:
    'WorkOS gives no hashes by itself: they are in files that were made for its import (password_hash, password_hash_type). The external id is external_id, or id where there is none. Social identities are not in it.',
  wayBack: importedBy('bcrypt, Argon2 and others', argon2id),
  tables: [
    {
      name: 'users',
      places: [
        { format: 'csv' },
        { format: 'json', path: ['data'] },
        { format: 'json', path: [] },
        { format: 'ndjson' },
      ],
      idOf,
    },
  ],
  options: personOptions,
  recognises,
  convert,
};

function idOf(row: SourceRow): string | undefined {
  return firstText(row, 'external_id', 'id');
}

function recognises({ format, columns, first }: Sample): number {
  if (format === 'csv') {
    if (!hasColumns(columns, 'email', 'email_verified')) return 0;
    return hasColumns(columns, 'password_hash_type') ? 10 : hasColumns(columns, 'external_id') ? 5 : 0;
  }
  const isUser = textOf(first.object) === 'user' && textOf(first.id)?.startsWith('user_') === true;
  return isUser && 'email_verified' in first ? 9 : 0;
}

function convert(user: SourceRow, _related: Related, options: ConvertOptions): Conversion {
  const person: Person = {
    id: idOf(user),
    email: textOf(user.email),
    isEmailVerified: flagOf(user.email_verified) === true,
    password: passwordOf(user),
    timeJoined: timeOf(user.created_at),
    metadata: {
      firstName: textOf(user.first_name),
      lastName: textOf(user.last_name),
      picture: textOf(user.profile_picture_url),
      metadata: objectOf(user.metadata),
    },
  };
  return convertAddressed(person, 'email', options);
}

/** Types whose hash is a string that says the rest by itself. */
const strings: ReadonlySet<string> = new Set(['bcrypt', 'argon2', 'scrypt', 'pbkdf2', 'ssha', 'ssha256']);

function passwordOf(user: SourceRow): FoundPassword | undefined {
  const hash = textOf(user.password_hash);
  const type = textOf(user.password_hash_type)?.toLowerCase() ?? '';
  if (hash === undefined) return undefined;
  if (type === 'firebase-scrypt') return hashPassword('password_hash', hash, 'provider_scrypt');
  const isPrefixed = textOf(user.password_salt_position) === 'prefix';
  if (type === 'ssha256' && isPrefixed) return unsupportedHash('password_salt_position', 'ssha256-prefix');
  if (type !== '' && !strings.has(type)) return unsupportedHash('password_hash_type', type);
  return hashPassword('password_hash', hash);
}
