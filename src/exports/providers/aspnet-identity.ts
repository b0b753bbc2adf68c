/** ASP.NET Core Identity, also under Duende's and IdentityServer's tables: AspNetUsers and AspNetUserLogins. */

import { carries, guards, hash, identifies, leftOut, type Values } from '../fields/declare.ts';
import { deletionFields, deletionOf, isRestricted, restrictionFields } from '../fields/restrictions.ts';
import { convertAddressed, firstAddress } from './parts/addresses.ts';
import { recognisedBy } from './parts/marks.ts';
import { hashPasswordOr } from './parts/hash-strings.ts';
import {
  countryOption,
  deletedOption,
  personOptions,
  type FoundPassword,
  type SocialIdentity,
} from './parts/person.ts';
import { type Disabled, disabledIf, disabledUntil, factorIf } from './parts/sign-in-state.ts';
import { convertValues, relatedValues, table } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related } from './provider.ts';

const elsewhere = 'It is made here';
const ofTheLock = 'A lock counts by its end';

const userFields = {
  id: identifies.id('Id', 'UserId'),
  username: identifies.text('UserName'),
  email: identifies.text('Email'),
  isEmailConfirmed: carries.flag('EmailConfirmed'),
  phone: carries.phone('PhoneNumber'),
  isPhoneConfirmed: carries.flag('PhoneNumberConfirmed'),
  password: hash.text('PasswordHash'),
  isTwoFactorEnabled: guards.flag('TwoFactorEnabled'),
  isLockoutEnabled: guards.flag('LockoutEnabled'),
  lockoutEnd: guards.until('LockoutEnd', 'LockoutEndDateUtc'),
  timeJoined: carries.time('CreatedAt', 'CreatedOn', 'CreationTime', 'RegistrationDate'),
  ...restrictionFields,
  ...deletionFields,
  securityStamp: leftOut(elsewhere, 'SecurityStamp'),
  concurrencyStamp: leftOut(elsewhere, 'ConcurrencyStamp'),
  normalizedUserName: leftOut('It follows from UserName', 'NormalizedUserName'),
  normalizedEmail: leftOut('It follows from Email', 'NormalizedEmail'),
  accessFailedCount: leftOut(ofTheLock, 'AccessFailedCount'),
} as const;

const loginFields = {
  userId: identifies.id('UserId'),
  provider: carries.text('LoginProvider'),
  key: carries.text('ProviderKey'),
  displayName: leftOut('It is the name of the provider', 'ProviderDisplayName'),
} as const;

export const aspnetIdentity: Provider = {
  name: 'aspnet-identity',
  title: 'ASP.NET Core Identity (AspNetUsers)',
  about:
    'The table has no date of sign-up. Social identities need AspNetUserLogins in a file of its own. Users who are locked out are disabled until LockoutEnd. Column names in snake_case are read too.',
  wayBack: {
    reads: 'its own PBKDF2 format (version 3), unless the app has a password hasher of another kind',
    settings: undefined,
  },
  tables: [
    table('users', userFields, {
      sqlNames: ['AspNetUsers'],
    }),
    table('logins', loginFields, {
      sqlNames: ['AspNetUserLogins'],
      flag: 'aspnet-logins',
    }),
  ],
  options: [...personOptions, deletedOption, countryOption],
  recognises: recognisedBy(
    userFields,
    { score: 10, all: ['password', 'normalizedEmail', 'securityStamp', 'normalizedUserName'] },
    { score: 8, all: ['password', 'normalizedEmail'] },
  ),
  convert: convertValues(userFields, convert),
};

function convert(user: Values<typeof userFields>, related: Related, options: ConvertOptions): Conversion {
  const { id, username, timeJoined } = user;
  const email = user.email ?? firstAddress(username);
  const person = {
    id,
    email,
    timeJoined,
    isEmailVerified: user.isEmailConfirmed === true,
    phone: user.isPhoneConfirmed === true ? user.phone : undefined,
    password: passwordOf(user.password),
    social: relatedValues(loginFields, related.logins).flatMap(socialOf),
    metadata: { username: username === email ? undefined : username },
    secondFactors: factorIf(user.isTwoFactorEnabled === true, 'other'),
    isDisabled: disabledIf(lockOf(user), isRestricted(user)),
    deleted: deletionOf(user),
  };
  return convertAddressed(person, 'Email', options);
}

/** The column belongs to an IPasswordHasher, which may be another than ASP.NET's own. */
function passwordOf(text: string | undefined): FoundPassword | undefined {
  return text === undefined ? undefined : hashPasswordOr('PasswordHash', text, 'aspnet');
}

/** ASP.NET reads the end only if locks are enabled for the user. */
function lockOf({ isLockoutEnabled, lockoutEnd }: Values<typeof userFields>): Disabled {
  const lock = disabledUntil(lockoutEnd);
  return lock !== undefined && isLockoutEnabled === false ? false : lock;
}

function socialOf({ provider, key: userId }: Values<typeof loginFields>): readonly SocialIdentity[] {
  return provider === undefined || userId === undefined ? [] : [{ provider, userId }];
}
