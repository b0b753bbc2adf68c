/**
 * Django: `dumpdata` (records `{model, pk, fields}` of many models in one array) or CSV of the tables. The user model
 * may be a custom one. Verified emails are django-allauth's, social identities django-allauth's or social-auth's.
 */

import { convertAddressed, firstAddress } from '../parts/addresses.ts';
import { firstText, flagOf, objectOf, textOf } from '../parts/fields.ts';
import { hasAll, namesOf } from '../parts/folded-row.ts';
import { hashPassword } from '../parts/hash-strings.ts';
import { personOptions, unsupportedHash, type FoundPassword, type SocialIdentity } from '../parts/person.ts';
import { ExportFault } from '../provider.ts';
import { disabledUnless } from '../parts/sign-in-state.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { thirdPartyIdOf } from '../parts/third-party-ids.ts';
import { timeOf } from '../parts/times.ts';
import { argon2id } from '../parts/way-back.ts';

const places = [{ format: 'json', path: [] }, { format: 'ndjson' }, { format: 'csv' }] as const;

export const django: Provider = {
  name: 'django',
  title: 'Django (auth_user, django-allauth, social-auth)',
  about:
    'Without django-allauth no email counts as verified. Google identities of social-auth whose uid is the email are left out unless extra_data has the sub: those users sign in by email.',
  wayBack: {
    reads:
      'Argon2id with argon2 in front ($argon2id$… becomes argon2$argon2id$…) where argon2-cffi is installed',
    settings: argon2id,
  },
  tables: [
    {
      name: 'users',
      places,
      sqlNames: ['auth_user', '*_user'],
      holds: isUser,
      idOf: (row) => textOf(columnsOf(row).id),
    },
    {
      name: 'emails',
      places,
      sqlNames: ['account_emailaddress'],
      holds: (row) => isModel(row, '.emailaddress'),
      idOf: ownerOf,
      flag: 'django-emails',
    },
    {
      name: 'identities',
      places,
      sqlNames: ['socialaccount_socialaccount', 'social_auth_usersocialauth'],
      holds: (row) => isModel(row, '.socialaccount') || isModel(row, '.usersocialauth'),
      idOf: ownerOf,
      flag: 'django-identities',
    },
  ],
  options: personOptions,
  recognises,
  convert,
};

/** The columns of a record, whichever form it has. */
function columnsOf(row: SourceRow): SourceRow {
  const fields = objectOf(row.fields);
  return fields === undefined ? inLowerCase(row) : { ...fields, id: row.pk };
}

const upperCase = /\p{Lu}/u;

/** Oracle writes the names of columns in capitals. */
function inLowerCase(row: SourceRow): SourceRow {
  const names = Object.keys(row);
  if (!names.some((name) => upperCase.test(name))) return row;
  return Object.fromEntries(names.map((name) => [name.toLowerCase(), row[name]]));
}

/** A row of a CSV file has no model: its file says what it is. */
function isModel({ model }: SourceRow, end: string): boolean {
  return model === undefined || (typeof model === 'string' && model.toLowerCase().endsWith(end));
}

/** Every user model has AbstractBaseUser's two fields, whatever it is called. */
function isUser(row: SourceRow): boolean {
  const columns = columnsOf(row);
  return 'password' in columns && (row.model === undefined || 'last_login' in columns);
}

/** @throws ExportFault for natural keys: a user's own key in the dump is another one */
function ownerOf(row: SourceRow): string | undefined {
  const { user, user_id: userId } = columnsOf(row);
  if (Array.isArray(user))
    throw new ExportFault('the dump refers to users by natural keys: make it anew without --natural-foreign');
  return textOf(user) ?? textOf(userId);
}

function recognises(sample: Sample): number {
  const { model, fields } = sample.first;
  if (sample.format !== 'csv' && typeof model === 'string' && objectOf(fields) !== undefined) return 10;
  const names = namesOf(sample);
  if (hasAll(names, 'password', 'issuperuser', 'isstaff')) return 10;
  return hasAll(names, 'password', 'lastlogin', 'isactive') ? 6 : 0;
}

function convert(row: SourceRow, related: Related, options: ConvertOptions): Conversion {
  const user = columnsOf(row);
  const addresses = (related.emails ?? []).map(columnsOf);
  const username = firstText(user, 'username');
  const email = textOf(user.email) ?? emailOf(addresses) ?? firstAddress(username);
  const person = {
    id: textOf(user.id),
    email,
    isEmailVerified: isVerified(addresses, email),
    password: passwordOf(user.password),
    social: (related.identities ?? []).flatMap((each) => socialOf(columnsOf(each))),
    timeJoined: timeOf(user.date_joined),
    metadata: {
      username,
      name: textOf(user.name),
      first_name: textOf(user.first_name),
      last_name: textOf(user.last_name),
    },
    isDisabled: disabledUnless(flagOf(user.is_active)),
  };
  return convertAddressed(person, 'email', options);
}

function emailOf(addresses: readonly SourceRow[]): string | undefined {
  const primary = addresses.find((each) => flagOf(each.primary) === true) ?? addresses[0];
  return textOf(primary?.email);
}

function isVerified(addresses: readonly SourceRow[], email: string | undefined): boolean {
  const sought = email?.toLowerCase();
  return addresses.some(
    (each) => flagOf(each.verified) === true && textOf(each.email)?.toLowerCase() === sought,
  );
}

/** `argon2` and `bcrypt` stand before a whole hash; a bare MD5 is from before Django 1.0. */
function passwordOf(value: unknown): FoundPassword | undefined {
  const text = textOf(value);
  // `!` and 40 random characters: set_unusable_password().
  if (text === undefined || text.startsWith('!')) return undefined;
  // CryptPasswordHasher: crypt(3) with DES, until Django 4.
  if (text.startsWith('crypt$')) return unsupportedHash('password', 'crypt');
  if (/^[0-9a-f]{32}$/i.test(text)) return hashPassword('password', text, 'md5');
  const hash = text.replace(/^argon2\$(?=argon2)/, '$').replace(/^bcrypt\$(?=\$2)/, '');
  return hashPassword('password', hash);
}

function socialOf(row: SourceRow): readonly SocialIdentity[] {
  const provider = textOf(row.provider);
  const extra = objectOf(row.extra_data) ?? {};
  const userId = provider === undefined ? undefined : userIdOf(provider, textOf(row.uid), extra);
  if (provider === undefined || userId === undefined) return [];
  const timeJoined = timeOf(row.date_joined) ?? timeOf(row.created);
  return [{ provider, userId, email: firstAddress(textOf(extra.email)), timeJoined }];
}

/**
 * social-auth identifies Google users by their email unless USE_UNIQUE_USER_ID was set; Google's own id is then in
 * extra_data, if anywhere (social_core/backends/google.py, get_user_id).
 */
function userIdOf(provider: string, uid: string | undefined, extra: SourceRow): string | undefined {
  const isEmail = thirdPartyIdOf(provider) === 'google' && uid?.includes('@') === true;
  return isEmail ? firstText(extra, 'sub', 'id') : uid;
}
