/** Auth.js (NextAuth) adapters: users and accounts, whose columns each adapter names differently. */

import { authjsDatabase } from './authjs-database.ts';
import { carries, hash, identifies, leftOut, valueOf, type Values } from '../fields/declare.ts';
import { noMeaningHere, ofTheRow } from '../fields/reasons.ts';
import { deletionFields, deletionOf, isRestricted, restrictionFields } from '../fields/restrictions.ts';
import { convertAddressed } from './parts/addresses.ts';
import { fieldsIn } from './parts/marks.ts';
import { hashPassword } from './parts/hash-strings.ts';
import { deletedOption, personOptions, type FoundPassword, type SocialIdentity } from './parts/person.ts';
import { convertValues, ExportFault, relatedValues, table } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample } from './provider.ts';
import { plainBcrypt } from './parts/way-back.ts';

const files = [{ format: 'json', path: [] }, { format: 'csv' }, { format: 'ndjson' }] as const;

function placesUnder(...keys: readonly string[]) {
  return [...keys.map((key) => ({ format: 'json' as const, path: [key] })), ...files];
}

const userFields = {
  id: identifies.id('id'),
  email: identifies.text('email'),
  isEmailVerified: carries.evidence('emailVerified'),
  password: hash.text('password'),
  hashedPassword: hash.text('hashedPassword'),
  passwordHash: hash.text('passwordHash'),
  timeJoined: carries.time('createdAt'),
  name: carries.text('name'),
  username: carries.text('username'),
  image: carries.text('image'),
  ...restrictionFields,
  ...deletionFields,
  updatedAt: leftOut(noMeaningHere, 'updatedAt'),
} as const;

const ofTheProvider = 'Tokens of a provider are of the app that asked for them';

const accountFields = {
  userId: identifies.id('userId'),
  provider: carries.text('provider', 'provider_id'),
  accountId: carries.text('providerAccountId'),
  type: carries.text('type', 'provider_type'),
  timeJoined: carries.time('createdAt'),
  refreshToken: leftOut(ofTheProvider, 'refresh_token'),
  accessToken: leftOut(ofTheProvider, 'access_token'),
  idToken: leftOut(ofTheProvider, 'id_token'),
  expiresAt: leftOut(ofTheProvider, 'expires_at'),
  tokenType: leftOut(ofTheProvider, 'token_type'),
  scope: leftOut(ofTheProvider, 'scope'),
  sessionState: leftOut(ofTheProvider, 'session_state'),
  id: leftOut(ofTheRow, 'id'),
} as const;

export const authjs: Provider = {
  name: 'authjs',
  title: 'Auth.js / NextAuth (users and accounts)',
  about:
    'The standard tables have no passwords and no date of sign-up; a hash in a column password, hashedPassword or passwordHash of the users is read. An email counts as verified only after a sign-in by magic link: after one by OAuth the column is usually empty.',
  wayBack: { reads: 'what the authorize function of the app compares, mostly bcrypt', settings: plainBcrypt },
  tables: [
    table('users', userFields, {
      places: placesUnder('users', 'user', 'User'),
      sqlNames: ['users', 'user'],
    }),
    table('accounts', accountFields, {
      places: placesUnder('accounts', 'account', 'Account'),
      sqlNames: ['accounts', 'account'],
      flag: 'authjs-accounts',
    }),
  ],
  options: [...personOptions, deletedOption],
  database: authjsDatabase,
  recognises,
  convert: convertValues(userFields, convert),
};

const verifiedFlag = carries.flag('emailVerified');

/** A flag in `emailVerified` is better-auth's. */
function recognises(sample: Sample): number {
  const has = fieldsIn(sample, userFields);
  const isDocument = sample.root !== 'array' && sample.root.some((key) => /^users?$/i.test(key));
  if (isDocument && fieldsIn(sample, accountFields)('userId', 'accountId')) return 10;
  const isFlag = valueOf(sample.first, verifiedFlag) !== undefined;
  if (isFlag || !has('id', 'email', 'isEmailVerified')) return 0;
  if (isDocument) return has('image') ? 9 : 5;
  return has('name', 'image') ? 7 : 0;
}

function convert(user: Values<typeof userFields>, related: Related, options: ConvertOptions): Conversion {
  const { id, email, isEmailVerified, timeJoined, name, username, image } = user;
  const person = {
    id,
    email,
    isEmailVerified,
    timeJoined,
    password: passwordOf(user),
    social: requireAccounts(related).flatMap(socialOf),
    metadata: { name, username, picture: image },
    isDisabled: isRestricted(user),
    deleted: deletionOf(user),
  };
  return convertAddressed(person, 'email', options);
}

type Account = Values<typeof accountFields>;

/** The list of a user without accounts is empty. @throws ExportFault without the table: all would lose theirs */
function requireAccounts({ accounts }: Related): readonly Account[] {
  if (accounts !== undefined) return relatedValues(accountFields, accounts);
  throw new ExportFault(
    'social identities are in the table of accounts: give its file with --authjs-accounts',
  );
}

function passwordOf(user: Values<typeof userFields>): FoundPassword | undefined {
  const text = user.password ?? user.hashedPassword ?? user.passwordHash;
  return text === undefined ? undefined : hashPassword('password', text);
}

/** Before version 4 the columns were named provider_type and provider_id. */
function socialOf({
  provider,
  accountId: userId,
  type = 'oauth',
  timeJoined,
}: Account): readonly SocialIdentity[] {
  if (provider === undefined || userId === undefined || !/^(oauth|oidc)$/i.test(type)) return [];
  return [{ provider, userId, timeJoined }];
}
