/** Okta: users of GET /api/v1/users, or objects of its import with their hashes. */

import { convertAddressed } from '../parts/addresses.ts';
import { objectOf, objectsOf, textOf, timeOf } from '../parts/fields.ts';
import { oktaHash } from './okta-hashes.ts';
import { personOptions } from '../parts/person.ts';
import type { Person } from '../parts/person.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';

export const okta: Provider = {
  name: 'okta',
  title: 'Okta (users of its API)',
  about:
    'Okta gives no password hashes: users are imported to sign in by email, or as --without-password says; credentials.password.hash is read where somebody added it. Social links are not in the list of users. Suspended and deprovisioned users count as disabled.',
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
