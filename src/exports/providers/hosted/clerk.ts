/** Clerk: the CSV of the dashboard, or users as its Backend API gives them. */

import type { SecondFactor } from '../../../imports/model.ts';
import { convertAddressed } from '../parts/addresses.ts';
import { clerkHash } from './clerk-hashes.ts';
import {
  firstText,
  flagOf,
  hasColumns,
  objectOf,
  objectsOf,
  phoneOf,
  textOf,
  timeOf,
} from '../parts/fields.ts';
import { personOptions } from '../parts/person.ts';
import type { Person, SocialIdentity } from '../parts/person.ts';
import { factorIf } from '../parts/second-factors.ts';
import { disabledIf } from '../parts/standing.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';

export const clerk: Provider = {
  name: 'clerk',
  title: 'Clerk (CSV of the dashboard)',
  about:
    'The CSV has no join dates, social identities or metadata: they are read where external_accounts, created_at and *_metadata of the Backend API were added as JSON. For bcrypt_peppered hashes configure the pepper in the core; the one in the file is left out.',
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
function factorsOf({ totp_enabled: totp, two_factor_enabled: any }: SourceRow): readonly SecondFactor[] {
  if (flagOf(totp) === true) return ['totp'];
  return factorIf(flagOf(any) === true, 'other');
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
