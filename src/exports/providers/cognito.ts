/** AWS Cognito: the answers of ListUsers or AdminGetUser, or a CSV with the columns of its import. */

import type { SecondFactor } from '../../imports/model.ts';
import { carries, guards, identifies, leftOut, valueOf, withAbout, type Values } from '../fields/declare.ts';
import { noMeaningHere } from '../fields/reasons.ts';
import { orAbsent } from '../fields/parsed.ts';
import { parseObjects, parseText } from '../fields/texts.ts';
import { convertAddressed } from './parts/addresses.ts';
import { fieldsIn, hasField } from './parts/marks.ts';
import { countryOption, personOptions, type Person, type SocialIdentity } from './parts/person.ts';
import { factorIf, factorNamed, disabledIf, disabledUnless } from './parts/sign-in-state.ts';
import { convertValues } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from './provider.ts';

const ofTheAnswer = 'It is of the answer, not of the user';

const identityFields = {
  provider: carries.text('providerName'),
  userId: carries.text('userId'),
  timeJoined: carries.time('dateCreated'),
  type: leftOut('providerName says which connection it is', 'providerType'),
  issuer: leftOut('providerName says which connection it is', 'issuer'),
  isPrimary: leftOut('Each identity is a way to sign in', 'primary'),
} as const;

/** Standard attributes by their OpenID names. */
const profileFields = {
  name: carries.text('name'),
  given_name: carries.text('given_name'),
  family_name: carries.text('family_name'),
  middle_name: carries.text('middle_name'),
  nickname: carries.text('nickname'),
  preferred_username: carries.text('preferred_username'),
  profile: carries.text('profile'),
  picture: carries.text('picture'),
  website: carries.text('website'),
  gender: carries.text('gender'),
  birthdate: carries.text('birthdate'),
  zoneinfo: carries.text('zoneinfo'),
  locale: carries.text('locale'),
  address: carries.text('address'),
} as const;

/** Whether a user of this status is blocked. */
const statuses = {
  CONFIRMED: false,
  EXTERNAL_PROVIDER: false,
  UNCONFIRMED: false,
  FORCE_CHANGE_PASSWORD: false,
  RESET_REQUIRED: false,
  UNKNOWN: false,
  ARCHIVED: true,
  COMPROMISED: true,
} as const;

const userFields = {
  sub: identifies.id('sub'),
  csvName: identifies.id('cognito:username'),
  username: identifies.id('Username'),
  attributes: withAbout(
    'Each attribute counts as a column with its own name',
    identifies.objects({}, 'Attributes', 'UserAttributes'),
  ),
  email: identifies.text('email'),
  isEmailVerified: carries.flag('email_verified'),
  phone: carries.phone('phone_number'),
  isPhoneVerified: carries.flag('phone_number_verified'),
  identities: carries.objects(identityFields, 'identities'),
  timeJoined: carries.time('UserCreateDate'),
  isEnabled: guards.flag('Enabled'),
  isStopped: withAbout(
    'ARCHIVED and COMPROMISED disable the user; a temporary password and one that must be reset are at Cognito only',
    guards.word<boolean>(statuses, 'UserStatus', 'cognito:user_status'),
  ),
  factors: guards.texts('UserMFASettingList'),
  preferredFactor: guards.text('PreferredMfaSetting'),
  smsOptions: guards.list('MFAOptions'),
  hasSms: guards.flag('cognito:mfa_enabled'),
  ...profileFields,
  custom: carries.others('custom:'),
  developerOnly: carries.others('dev:custom:'),
  updatedAt: leftOut(noMeaningHere, 'UserLastModifiedDate', 'updated_at'),
  emailAlias: leftOut(
    'Users sign in by email and phone anyway',
    'cognito:email_alias',
    'cognito:phone_number_alias',
  ),
  answer: leftOut(ofTheAnswer, 'ResponseMetadata', '$metadata'),
} as const;

export const cognito: Provider = {
  name: 'cognito',
  title: 'AWS Cognito (ListUsers, AdminGetUser, or CSV)',
  about:
    'Cognito never exports password hashes: users with an email and no identity elsewhere are imported to sign in by email, or as --without-password says. ListUsers does not show second factors by TOTP: AdminGetUser does, and its answers are read, one on each line. The external id is sub, or else the user name.',
  wayBack: { reads: 'none', settings: undefined },
  tables: [
    {
      name: 'users',
      places: [
        { format: 'json', path: ['Users'] },
        { format: 'json', path: [] },
        { format: 'ndjson' },
        { format: 'csv' },
      ],
      fields: userFields,
      columnsOf: attributesOf,
      idOf: (row) => {
        const columns = attributesOf(row);
        return (
          valueOf(columns, userFields.sub) ??
          valueOf(columns, userFields.csvName) ??
          valueOf(columns, userFields.username)
        );
      },
    },
  ],
  options: [...personOptions, countryOption],
  recognises,
  convert: convertValues(userFields, convert),
};

function recognises(sample: Sample): number {
  const { format, columns, root, first } = sample;
  if (format === 'csv') return columns.includes('cognito:username') ? 10 : 0;
  if (!fieldsIn(sample, userFields)('isStopped')) return isOfUsers(root) && 'Username' in first ? 8 : 0;
  return hasField(sample, userFields.attributes) ? 10 : 0;
}

function isOfUsers(root: Sample['root']): boolean {
  return root !== 'array' && root.includes('Users');
}

/** A CSV row has its attributes in columns; so do records of the API, once their lists are converted. */
function attributesOf(user: SourceRow): SourceRow {
  const { Attributes: listed, UserAttributes: asked, ...row } = user;
  const pairs = orAbsent(parseObjects(listed ?? asked));
  if (pairs === undefined) return user;
  const named = pairs.map(({ Name, Value }) => [orAbsent(parseText(Name)) ?? '', Value] as const);
  return { ...row, ...Object.fromEntries(named) };
}

type User = Values<typeof userFields>;

function convert(user: User, _related: Related, options: ConvertOptions): Conversion {
  const { email, phone, isPhoneVerified, timeJoined, isEnabled, isStopped } = user;
  const person: Person = {
    id: user.sub ?? user.csvName ?? user.username,
    email,
    isEmailVerified: user.isEmailVerified === true,
    phone: isPhoneVerified === true ? phone : undefined,
    hasUnverifiedPhone: phone !== undefined,
    social: (user.identities ?? []).flatMap(socialOf),
    timeJoined,
    metadata: metadataOf(user),
    secondFactors: factorsOf(user),
    isDisabled: disabledIf(disabledUnless(isEnabled), isStopped === true ? true : undefined),
  };
  return convertAddressed(person, 'email', options);
}

/** Standard attributes, and `custom:` ones by their names; no user name that repeats the id. */
function metadataOf(user: User): Readonly<Record<string, unknown>> {
  const { sub, csvName, username, custom, developerOnly } = user;
  const names = Object.keys(profileFields) as (keyof typeof profileFields)[];
  const id = sub ?? csvName ?? username;
  return {
    username: username === id ? undefined : username,
    ...Object.fromEntries(names.map((name) => [name, user[name]])),
    ...custom,
    ...developerOnly,
  };
}

/** `providerType` is SAML or OIDC for connections that the pool's owner named. */
function socialOf({
  provider,
  userId,
  timeJoined,
}: Values<typeof identityFields>): readonly SocialIdentity[] {
  return provider === undefined || userId === undefined ? [] : [{ provider, userId, timeJoined }];
}

const factors = {
  SOFTWARE_TOKEN_MFA: 'totp',
  SMS_MFA: 'sms',
  EMAIL_OTP: 'email',
  WEB_AUTHN_MFA: 'webauthn',
} as const;

/** The answer of AdminGetUser names them; ListUsers and the CSV contain only codes by SMS. */
function factorsOf({
  factors: listed = [],
  preferredFactor,
  smsOptions,
  hasSms,
}: User): readonly SecondFactor[] {
  const named = [...listed, ...(preferredFactor === undefined ? [] : [preferredFactor])];
  const bySms = (smsOptions !== undefined && smsOptions.length > 0) || hasSms === true;
  return [...named.map((name) => factorNamed(factors, name)), ...factorIf(bySms, 'sms')];
}
