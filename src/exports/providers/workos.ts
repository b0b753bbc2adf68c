/** WorkOS: the CSV of its migration command, or users of its API. */

import {
  carries,
  guards,
  hash,
  identifies,
  leftOut,
  valueOf,
  withAbout,
  type Values,
} from '../fields/declare.ts';
import { countedHere, noMeaningHere } from '../fields/reasons.ts';
import { convertAddressed } from './parts/addresses.ts';
import { fieldsIn } from './parts/marks.ts';
import { hashPassword } from './parts/hash-strings.ts';
import { personOptions, unsupportedHash, type FoundPassword, type Person } from './parts/person.ts';
import { factorNamed } from './parts/sign-in-state.ts';
import { convertValues } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from './provider.ts';
import { argon2id, importedBy } from './parts/way-back.ts';

const noOrganisations = 'There are no organisations';
const factorFields = {
  type: guards.text('type'),
  id: leftOut('It is of the factor', 'id'),
  object: leftOut('It is of the object itself', 'object'),
  totp: leftOut('The API shows no secret', 'totp'),
  userId: leftOut('It is of the factor', 'user_id'),
  createdAt: leftOut(noMeaningHere, 'created_at'),
  updatedAt: leftOut(noMeaningHere, 'updated_at'),
} as const;

const userFields = {
  externalId: identifies.id('external_id'),
  id: identifies.id('id'),
  email: identifies.text('email'),
  isEmailVerified: carries.flag('email_verified'),
  password: hash.text('password_hash'),
  passwordType: hash.text('password_hash_type'),
  saltPosition: hash.text('password_salt_position'),
  timeJoined: carries.time('created_at'),
  firstName: carries.text('first_name'),
  lastName: carries.text('last_name'),
  name: carries.text('name'),
  picture: carries.text('profile_picture_url'),
  locale: carries.text('locale'),
  metadata: carries.object('metadata'),
  factors: withAbout(
    'A script of yours asked for them: the list of users has none',
    guards.objects(factorFields, 'auth_factors', 'factors'),
  ),
  object: leftOut('It is of the object itself', 'object'),
  organization: leftOut(noOrganisations, 'organization_id', 'org_id', 'org_external_id'),
  organizationName: leftOut(noOrganisations, 'organization_name', 'org_name'),
  role: leftOut('It is a role in an organisation: --roles-from takes it', 'role_slug', 'role_slugs'),
  lastSignIn: leftOut(countedHere, 'last_sign_in_at'),
  updatedAt: leftOut(noMeaningHere, 'updated_at'),
} as const;

export const workos: Provider = {
  name: 'workos',
  title: 'WorkOS (CSV of its migration command, or users of its API)',
  about:
    'WorkOS exports no hashes: they are in files that were made for its import (password_hash, password_hash_type). The external id is external_id, or else id. Social identities are not in it.',
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
      fields: userFields,
      idOf: (row: SourceRow) => valueOf(row, userFields.externalId) ?? valueOf(row, userFields.id),
    },
  ],
  options: personOptions,
  recognises,
  convert: convertValues(userFields, convert),
};

function recognises(sample: Sample): number {
  const has = fieldsIn(sample, userFields);
  if (sample.format === 'csv') return has('email', 'isEmailVerified', 'passwordType') ? 10 : 0;
  const { object, id } = sample.first;
  const isUser = object === 'user' && typeof id === 'string' && id.startsWith('user_');
  return isUser && has('email', 'isEmailVerified') ? 9 : 0;
}

type User = Values<typeof userFields>;

function convert(user: User, _related: Related, options: ConvertOptions): Conversion {
  const person: Person = {
    id: user.externalId ?? user.id,
    email: user.email,
    isEmailVerified: user.isEmailVerified === true,
    password: passwordOf(user),
    timeJoined: user.timeJoined,
    metadata: {
      firstName: user.firstName,
      lastName: user.lastName,
      name: user.name,
      picture: user.picture,
      locale: user.locale,
      metadata: user.metadata,
    },
    secondFactors: (user.factors ?? []).map(({ type }) => factorNamed({ totp: 'totp', sms: 'sms' }, type)),
  };
  return convertAddressed(person, 'email', options);
}

/** Types whose hash is a complete string. */
const strings: ReadonlySet<string> = new Set(['bcrypt', 'argon2', 'scrypt', 'pbkdf2', 'ssha', 'ssha256']);

function passwordOf({ password, passwordType, saltPosition }: User): FoundPassword | undefined {
  const type = passwordType?.toLowerCase() ?? '';
  if (password === undefined) return undefined;
  if (type === 'firebase-scrypt') return hashPassword('password_hash', password, 'provider_scrypt');
  if (type === 'ssha256' && saltPosition === 'prefix')
    return unsupportedHash('password_salt_position', 'ssha256-prefix');
  if (type !== '' && !strings.has(type)) return unsupportedHash('password_hash_type', type);
  return hashPassword('password_hash', password);
}
