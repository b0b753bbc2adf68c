/** CSV for a user import job of AWS Cognito. It takes no hashes, and makes new users only. */
import type { BackFormat, Written } from './format.ts';
import { type BackPerson, textOf } from './person.ts';

/** As get-csv-header gives it for a pool without attributes of its own. */
const columns = [
  'cognito:username',
  'name',
  'given_name',
  'family_name',
  'middle_name',
  'nickname',
  'preferred_username',
  'profile',
  'picture',
  'website',
  'email',
  'email_verified',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
  'phone_number',
  'phone_number_verified',
  'address',
  'updated_at',
  'cognito:mfa_enabled',
] as const;

type Row = Readonly<Partial<Record<(typeof columns)[number], string | undefined>>>;

/** Columns that are not of the person's profile. */
const ofAccount: ReadonlySet<string> = new Set([
  'cognito:username',
  'email',
  'email_verified',
  'phone_number',
  'phone_number_verified',
  'updated_at',
  'cognito:mfa_enabled',
]);
const profile = columns.filter((column) => !ofAccount.has(column));

function write(person: BackPerson): Written {
  const { id, isThere, email, phone, isVerified } = person;
  const username = email ?? phone;
  if (username === undefined) return { leftOut: 'NO_EMAIL' };
  // A job refuses users without a verified address.
  if (!isThere && !isVerified && phone === undefined) return { leftOut: 'EMAIL_NOT_VERIFIED' };
  const user: Row = {
    ...Object.fromEntries(profile.map((name) => [name, textOf(person, name)])),
    'cognito:username': isThere ? id : username,
    email,
    email_verified: String(isVerified),
    phone_number: phone,
    phone_number_verified: String(phone !== undefined),
    'cognito:mfa_enabled': 'false',
  };
  return { user, takesPassword: false, knownAs: isThere ? id : username };
}

const cell = (text = ''): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const cognitoBack: BackFormat = {
  name: 'cognito',
  replaces: false,
  document: { extension: 'csv', begin: `${columns.join(',')}\n`, between: '\n', end: '\n' },
  // "The maximum number of rows is 500,000."
  most: { users: 500_000 },
  write,
  lineOf: (user) => columns.map((column) => cell((user as Row)[column])).join(','),
};
