/** better-auth: the tables `user` and `account` in one JSON document, or in a file each. */

import { betterAuthDatabase } from './better-auth-database.ts';
import {
  carries,
  guards,
  hash,
  identifies,
  leftOut,
  valueOf,
  type Values,
  withAbout,
} from '../fields/declare.ts';
import { countedHere, noMeaningHere, ofTheRow } from '../fields/reasons.ts';
import { deletionFields, deletionOf, isRestricted, restrictionFields } from '../fields/restrictions.ts';
import { betterAuthFactors, factorFields, prepareSecret, secretOption } from './better-auth-factors.ts';
import { convertAddressed } from './parts/addresses.ts';
import { fieldsIn } from './parts/marks.ts';
import { hashPasswordOr } from './parts/hash-strings.ts';
import {
  countryOption,
  deletedOption,
  personOptions,
  rejected,
  type FoundPassword,
  type SocialIdentity,
} from './parts/person.ts';
import { type Disabled, disabledIf, disabledUntil } from './parts/sign-in-state.ts';
import { convertValues, ExportFault, relatedValues, table } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample } from './provider.ts';

const ofProvider = 'It is the access of the app to the provider';

/** The end of a ban by the admin plugin may be in another column. */
const { banned, ...restrictions } = restrictionFields;

const userFields = {
  id: identifies.id('id'),
  email: identifies.text('email'),
  isEmailVerified: carries.evidence('emailVerified'),
  phone: carries.phone('phoneNumber'),
  isPhoneVerified: carries.flag('phoneNumberVerified'),
  timeJoined: carries.time('createdAt'),
  name: carries.text('name'),
  username: carries.text('username'),
  displayUsername: withAbout('Where there is no username', carries.text('displayUsername')),
  image: carries.text('image'),
  role: withAbout('Several with commas', carries.text('role')),
  hasBan: withAbout('Until `banExpires`, if it is there', banned),
  banEnd: guards.until('banExpires'),
  isAnonymous: withAbout('Such users are not imported', guards.flag('isAnonymous')),
  isTwoFactorEnabled: guards.flag('twoFactorEnabled'),
  ...restrictions,
  ...deletionFields,
  banReason: leftOut('It is a note for the people who run the app', 'banReason'),
  lastLoginMethod: leftOut(countedHere, 'lastLoginMethod'),
  updatedAt: leftOut(noMeaningHere, 'updatedAt'),
} as const;

const accountFields = {
  userId: identifies.id('userId'),
  accountId: carries.text('accountId'),
  provider: carries.text('providerId'),
  password: hash.text('password'),
  timeJoined: carries.time('createdAt'),
  id: leftOut(ofTheRow, 'id'),
  accessToken: leftOut(ofProvider, 'accessToken'),
  accessTokenEnd: leftOut(ofProvider, 'accessTokenExpiresAt'),
  refreshToken: leftOut(ofProvider, 'refreshToken'),
  refreshTokenEnd: leftOut(ofProvider, 'refreshTokenExpiresAt'),
  idToken: leftOut(ofProvider, 'idToken'),
  tokenEnd: leftOut(ofProvider, 'expiresAt'),
  scope: leftOut(ofProvider, 'scope'),
  updatedAt: leftOut(ofTheRow, 'updatedAt'),
} as const;

type User = Values<typeof userFields>;
type AccountRow = Values<typeof accountFields>;

const files = [{ format: 'json', path: [] }, { format: 'csv' }, { format: 'ndjson' }] as const;

export const betterAuth: Provider = {
  name: 'better-auth',
  title: 'better-auth (user and account)',
  about:
    'Hashes and social identities are in the table account: give it too, in the same JSON document or in a file of its own. Column names in snake_case are read too. Secrets and backup codes of the two-factor plugin are in the table twoFactor, read with --better-auth-secret and counted only without it.',
  wayBack: { reads: 'its own scrypt, unless password.verify of the app reads another', settings: undefined },
  tables: [
    table('users', userFields, {
      places: [{ format: 'json', path: ['user'] }, { format: 'json', path: ['users'] }, ...files],
      sqlNames: ['user', 'users'],
    }),
    table('accounts', accountFields, {
      places: [{ format: 'json', path: ['account'] }, { format: 'json', path: ['accounts'] }, ...files],
      sqlNames: ['account', 'accounts'],
      flag: 'better-auth-accounts',
      hashes: 'the table account',
    }),
    table('factors', factorFields, {
      places: [
        { format: 'json', path: ['twoFactor'] },
        { format: 'json', path: ['two_factor'] },
        { format: 'json', path: ['twoFactors'] },
        ...files,
      ],
      sqlNames: ['twoFactor', 'two_factor', 'twoFactors', 'two_factors'],
      flag: 'better-auth-two-factor',
    }),
  ],
  options: [secretOption, ...personOptions, deletedOption, countryOption],
  database: betterAuthDatabase,
  recognises,
  prepare: prepareSecret,
  convert: convertValues(userFields, convert),
};

const verifiedFlag = carries.flag('emailVerified');

/** `emailVerified` is a boolean here and a time in Auth.js; accounts name their columns differently too. */
function recognises(sample: Sample): number {
  const isDocument = sample.root !== 'array' && sample.root.some((key) => /^users?$/.test(key));
  if (isDocument && fieldsIn(sample, accountFields)('accountId', 'provider', 'userId')) return 10;
  const isFlag = valueOf(sample.first, verifiedFlag) !== undefined;
  const has = fieldsIn(sample, userFields);
  if (!isFlag || !has('name', 'email', 'image', 'timeJoined', 'updatedAt')) return 0;
  return isDocument ? 10 : 6;
}

function convert(user: User, related: Related, options: ConvertOptions): Conversion {
  const { id, email, timeJoined, name } = user;
  const accounts = requireAccounts(related);
  if (user.isAnonymous === true) return anonymous(id);
  const factors = related.factors && relatedValues(factorFields, related.factors);
  const person = {
    id,
    email,
    timeJoined,
    isEmailVerified: user.isEmailVerified === true,
    phone: user.isPhoneVerified === true ? user.phone : undefined,
    password: passwordOf(accounts),
    social: accounts.flatMap(socialOf),
    metadata: { name, username: user.username ?? user.displayUsername, picture: user.image },
    roles: rolesOf(user.role),
    ...betterAuthFactors(user.isTwoFactorEnabled === true, factors, options),
    isDisabled: disabledIf(banOf(user), isRestricted({ ...user, banned: undefined })),
    deleted: deletionOf(user),
  };
  return convertAddressed(person, 'email', options);
}

/** The admin plugin separates several by commas. */
function rolesOf(text = ''): readonly string[] {
  return text
    .split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '');
}

/** The list of a user without accounts is empty. @throws ExportFault without the table: all would lose theirs */
function requireAccounts({ accounts }: Related): readonly AccountRow[] {
  if (accounts !== undefined) return relatedValues(accountFields, accounts);
  throw new ExportFault(
    'hashes and social identities are in the table of accounts: give its file with --better-auth-accounts',
  );
}

/** A ban may have an end; one whose end is absent or a zero date is permanent. */
function banOf({ hasBan, banEnd = 0 }: User): Disabled {
  return hasBan === true ? disabledUntil(banEnd === 0 ? Infinity : banEnd) : hasBan;
}

function anonymous(externalUserId: string | undefined): Conversion {
  const message = 'the account is anonymous: it has nothing to sign in with';
  return rejected({ code: 'NOT_IMPORTABLE', field: 'isAnonymous', message, externalUserId });
}

function isCredential({ provider }: AccountRow): boolean {
  return provider === 'credential';
}

/** An app may have replaced the hash function: then the string shows its kind. */
function passwordOf(accounts: readonly AccountRow[]): FoundPassword | undefined {
  const text = accounts.find(isCredential)?.password;
  return text === undefined ? undefined : hashPasswordOr('account.password', text, 'better_auth');
}

function socialOf(account: AccountRow): readonly SocialIdentity[] {
  const { provider, accountId: userId, timeJoined } = account;
  if (isCredential(account) || provider === undefined || userId === undefined) return [];
  return [{ provider, userId, timeJoined }];
}
