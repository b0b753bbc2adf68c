/**
 * Django: `dumpdata` (records `{model, pk, fields}` of many models in one array) or CSV of the tables. The user model may be a
 * custom one. Verified emails are django-allauth's, social identities django-allauth's or social-auth's.
 */

import { djangoDatabase } from './django-database.ts';
import { carries, folded, hash, identifies, leftOut, valueOf, type Values } from '../fields/declare.ts';
import { countedHere, ofTheRow } from '../fields/reasons.ts';
import { deletionFields, deletionOf, isRestricted, restrictionFields } from '../fields/restrictions.ts';
import { convertAddressed, firstAddress } from './parts/addresses.ts';
import { recognisedBy } from './parts/marks.ts';
import { hashPassword } from './parts/hash-strings.ts';
import {
  deletedOption,
  personOptions,
  unsupportedHash,
  type FoundPassword,
  type SocialIdentity,
} from './parts/person.ts';
import { convertValues, ExportFault, relatedValues } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from './provider.ts';
import { thirdPartyIdOf } from './parts/third-party-ids.ts';
import { argon2id } from './parts/way-back.ts';

const places = [{ format: 'json', path: [] }, { format: 'ndjson' }, { format: 'csv' }] as const;

const ofAdmin = 'It is a right in the admin of Django';
const userFields = {
  id: identifies.id('id'),
  email: identifies.text('email'),
  username: identifies.text('username'),
  password: hash.text('password'),
  timeJoined: carries.time('date_joined'),
  name: carries.text('name'),
  firstName: carries.text('first_name'),
  lastName: carries.text('last_name'),
  ...restrictionFields,
  ...deletionFields,
  isStaff: leftOut(ofAdmin, 'is_staff'),
  isSuperuser: leftOut(ofAdmin, 'is_superuser'),
  permissions: leftOut(ofAdmin, 'user_permissions'),
  groups: leftOut('They are of the app: --roles-from groups takes them', 'groups'),
  lastLogin: leftOut(countedHere, 'last_login'),
} as const;

const emailFields = {
  userId: identifies.id('user_id', 'user'),
  email: carries.text('email'),
  isVerified: carries.flag('verified'),
  isPrimary: carries.flag('primary'),
  id: leftOut(ofTheRow, 'id'),
} as const;

const identityFields = {
  userId: identifies.id('user_id', 'user'),
  provider: carries.text('provider'),
  uid: carries.text('uid'),
  extra: carries.object('extra_data'),
  timeJoined: carries.time('date_joined', 'created'),
  id: leftOut(ofTheRow, 'id'),
  lastLogin: leftOut(countedHere, 'last_login'),
  modified: leftOut(ofTheRow, 'modified'),
} as const;

type User = Values<typeof userFields>;
type Address = Values<typeof emailFields>;

export const django: Provider = {
  name: 'django',
  title: 'Django (auth_user, django-allauth, social-auth)',
  about:
    'Without django-allauth no email counts as verified. Google identities of social-auth whose uid is the email are left out unless extra_data has the sub: those users sign in by email.',
  wayBack: {
    reads:
      'Argon2id with argon2 before it ($argon2id$… becomes argon2$argon2id$…) where argon2-cffi is installed',
    settings: argon2id,
  },
  tables: [
    {
      name: 'users',
      places,
      sqlNames: ['auth_user', '*_user'],
      holds: isUser,
      fields: userFields,
      columnsOf,
      idOf: (row) => valueOf(columnsOf(row), userFields.id),
    },
    {
      name: 'emails',
      places,
      sqlNames: ['account_emailaddress'],
      holds: (row) => isModel(row, '.emailaddress'),
      fields: emailFields,
      columnsOf,
      idOf: ownerOf,
      flag: 'django-emails',
    },
    {
      name: 'identities',
      places,
      sqlNames: ['socialaccount_socialaccount', 'social_auth_usersocialauth'],
      holds: (row) => isModel(row, '.socialaccount') || isModel(row, '.usersocialauth'),
      fields: identityFields,
      columnsOf,
      idOf: ownerOf,
      flag: 'django-identities',
    },
  ],
  options: [...personOptions, deletedOption],
  database: djangoDatabase,
  recognises,
  convert: convertValues(userFields, convert),
};

/** The columns of a record, whichever form it has. */
function columnsOf(row: SourceRow): SourceRow {
  const { fields } = row;
  return typeof fields === 'object' && fields !== null ? { ...fields, id: row.pk } : row;
}

/** A row of a CSV file has no model: the file determines it. */
function isModel({ model }: SourceRow, end: string): boolean {
  return model === undefined || (typeof model === 'string' && model.toLowerCase().endsWith(end));
}

/** Every user model has AbstractBaseUser's two fields, whatever its name. Oracle writes names in capitals. */
function isUser(row: SourceRow): boolean {
  const columns = columnsOf(row);
  if (row.model !== undefined) return 'password' in columns && 'last_login' in columns;
  return 'password' in columns || Object.keys(columns).some((name) => folded(name) === 'password');
}

/** @throws ExportFault for natural keys: a user's own key in the dump is another one */
function ownerOf(row: SourceRow): string | undefined {
  const columns = columnsOf(row);
  if (Array.isArray(columns.user))
    throw new ExportFault(
      'the dump refers to users by natural keys: make it again without --natural-foreign',
    );
  return valueOf(columns, emailFields.userId);
}

const recognisesColumns = recognisedBy(
  userFields,
  { score: 10, all: ['password', 'isSuperuser', 'isStaff'] },
  { score: 6, all: ['password', 'lastLogin', 'isActive'] },
);

function recognises(sample: Sample): number {
  const { model, fields } = sample.first;
  const isDumped = sample.format !== 'csv' && typeof model === 'string' && typeof fields === 'object';
  return isDumped ? 10 : recognisesColumns(sample);
}

function convert(user: User, related: Related, options: ConvertOptions): Conversion {
  const { id, username, timeJoined, name, firstName, lastName } = user;
  const addresses = relatedValues(emailFields, related.emails);
  const email = user.email ?? emailOf(addresses) ?? firstAddress(username);
  const person = {
    id,
    email,
    timeJoined,
    isEmailVerified: isVerified(addresses, email),
    password: passwordOf(user.password),
    social: relatedValues(identityFields, related.identities).flatMap(socialOf),
    metadata: { username, name, first_name: firstName, last_name: lastName },
    isDisabled: isRestricted(user),
    deleted: deletionOf(user),
  };
  return convertAddressed(person, 'email', options);
}

function emailOf(addresses: readonly Address[]): string | undefined {
  return (addresses.find(({ isPrimary }) => isPrimary === true) ?? addresses[0])?.email;
}

function isVerified(addresses: readonly Address[], email: string | undefined): boolean {
  const sought = email?.toLowerCase();
  return addresses.some((each) => each.isVerified === true && each.email?.toLowerCase() === sought);
}

/** `argon2` and `bcrypt` precede a whole hash; a bare MD5 is from before Django 1.0. */
function passwordOf(text: string | undefined): FoundPassword | undefined {
  // `!` and 40 random characters: set_unusable_password().
  if (text === undefined || text.startsWith('!')) return undefined;
  // CryptPasswordHasher: crypt(3) with DES, until Django 4.
  if (text.startsWith('crypt$')) return unsupportedHash('password', 'crypt');
  if (/^[0-9a-f]{32}$/i.test(text)) return hashPassword('password', text, 'md5');
  const whole = text.replace(/^argon2\$(?=argon2)/, '$').replace(/^bcrypt\$(?=\$2)/, '');
  return hashPassword('password', whole);
}

const extraFields = { email: carries.text('email'), sub: carries.text('sub'), id: carries.text('id') };

function socialOf(row: Values<typeof identityFields>): readonly SocialIdentity[] {
  const { provider, uid, extra = {}, timeJoined } = row;
  const userId = provider === undefined ? undefined : userIdOf(provider, uid, extra);
  if (provider === undefined || userId === undefined) return [];
  return [{ provider, userId, email: firstAddress(valueOf(extra, extraFields.email)), timeJoined }];
}

/**
 * social-auth identifies Google users by their email unless USE_UNIQUE_USER_ID was set; Google's own id is then in extra_data, if
 * anywhere (social_core/backends/google.py, get_user_id).
 */
function userIdOf(provider: string, uid: string | undefined, extra: SourceRow): string | undefined {
  const isEmail = thirdPartyIdOf(provider) === 'google' && uid?.includes('@') === true;
  return isEmail ? (valueOf(extra, extraFields.sub) ?? valueOf(extra, extraFields.id)) : uid;
}
