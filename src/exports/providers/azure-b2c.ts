/** Azure AD B2C and Entra External ID: users of Microsoft Graph, or the CSV of the portal. */

import { carries, guards, identifies, leftOut, type Values } from '../fields/declare.ts';
import { countedHere, noMeaningHere } from '../fields/reasons.ts';
import { deletionOf } from '../fields/restrictions.ts';
import { orAbsent } from '../fields/parsed.ts';
import { parsePhone } from '../fields/texts.ts';
import { convertAddressed, firstAddress } from './parts/addresses.ts';
import { fieldsIn, hasField } from './parts/marks.ts';
import {
  countryIn,
  countryOption,
  deletedOption,
  personOptions,
  type Person,
  type SocialIdentity,
} from './parts/person.ts';
import { disabledUnless } from './parts/sign-in-state.ts';
import { convertValues, table } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample } from './provider.ts';

const ofTheDirectory = 'It is a setting of the directory';

const identityFields = {
  type: identifies.text('signInType'),
  issuer: carries.text('issuer'),
  id: identifies.text('issuerAssignedId'),
} as const;

/** Profile attributes, and their names in the metadata. */
const profileFields = {
  displayName: carries.text('displayName'),
  givenName: carries.text('givenName'),
  surname: carries.text('surname'),
  jobTitle: carries.text('jobTitle'),
  companyName: carries.text('companyName'),
  department: carries.text('department'),
  streetAddress: carries.text('streetAddress'),
  postalCode: carries.text('postalCode'),
  city: carries.text('city'),
  state: carries.text('state'),
  country: carries.text('country'),
  preferredLanguage: carries.text('preferredLanguage'),
  mobilePhone: carries.text('mobilePhone'),
  businessPhones: carries.texts('businessPhones', 'telephoneNumber'),
} as const;

const userFields = {
  id: identifies.id('id', 'objectId'),
  principalName: identifies.text('userPrincipalName'),
  identities: identifies.objects(identityFields, 'identities'),
  mail: identifies.text('mail'),
  otherMails: identifies.texts('otherMails', 'alternateEmailAddress'),
  isEnabled: guards.flag('accountEnabled'),
  deletedAt: guards.evidence('deletedDateTime'),
  timeJoined: carries.time('createdDateTime'),
  ...profileFields,
  extensions: carries.others('extension_'),
  creationType: leftOut('Which identities a user has says the same', 'creationType', 'identityIssuer'),
  userType: leftOut(ofTheDirectory, 'userType'),
  invitation: leftOut(
    ofTheDirectory,
    'externalUserState',
    'externalUserStateChangeDateTime',
    'invitationState',
  ),
  policies: leftOut(ofTheDirectory, 'passwordPolicies'),
  passwordProfile: leftOut('Microsoft Graph never returns passwords', 'passwordProfile'),
  passwordChanged: leftOut(noMeaningHere, 'lastPasswordChangeDateTime'),
  validFrom: leftOut(
    'Sessions end with the move',
    'refreshTokensValidFromDateTime',
    'signInSessionsValidFromDateTime',
  ),
  proxyAddresses: leftOut('mail and otherMails have the addresses', 'proxyAddresses', 'imAddresses'),
  nickname: leftOut(ofTheDirectory, 'mailNickname'),
  location: leftOut(ofTheDirectory, 'usageLocation', 'officeLocation'),
  age: leftOut(ofTheDirectory, 'ageGroup', 'consentProvidedForMinor', 'legalAgeGroupClassification'),
  synced: leftOut(ofTheDirectory, 'directorySynced', 'onPremisesSyncEnabled', 'onPremisesImmutableId'),
  activity: leftOut(countedHere, 'signInActivity'),
  odata: leftOut('It is of the answer, not of the user', '@odata.id', '@odata.type', '@odata.etag'),
} as const;

export const azureB2c: Provider = {
  name: 'azure-b2c',
  title: 'Azure AD B2C (users of Microsoft Graph)',
  about:
    'Microsoft Graph returns no password hashes: users with an email and no identity elsewhere are imported to sign in by email, or as --without-password says: legacy:<source> asks B2C about each password once (the dialect b2c). Ask for identities, which Graph leaves out unless they are selected. The email is that of the sign-in by email, else mail, else the first of otherMails. Nothing in Graph shows that an email was verified.',
  wayBack: { reads: 'none', settings: undefined },
  tables: [
    table('users', userFields, {
      places: [
        { format: 'json', path: ['value'] },
        { format: 'json', path: [] },
        { format: 'ndjson' },
        { format: 'csv' },
      ],
    }),
  ],
  options: [...personOptions, deletedOption, countryOption],
  recognises,
  convert: convertValues(userFields, convert),
};

function recognises(sample: Sample): number {
  if (!hasField(sample, userFields.id)) return 0;
  const has = fieldsIn(sample, userFields);
  const isGraph = sample.root !== 'array' && sample.root.includes('@odata.context');
  if (has('identities', 'displayName') && isGraph) return 10;
  const { identities, isEnabled, creationType, displayName } = userFields;
  const marks = [identities, isEnabled, creationType, displayName, userFields.otherMails];
  return has('principalName') && (isGraph || marks.some((field) => hasField(sample, field))) ? 10 : 0;
}

type User = Values<typeof userFields>;
type Identity = Values<typeof identityFields>;

function convert(user: User, _related: Related, options: ConvertOptions): Conversion {
  const { id, identities = [], mail, otherMails = [], principalName, timeJoined } = user;
  const own = (type: string) => identities.flatMap((each) => (isOf(each, type) ? (each.id ?? []) : []));
  const byEmail = own('emailaddress')[0];
  const phones = own('phonenumber');
  const email = byEmail ?? mail ?? otherMails[0] ?? firstAddress(mailboxOf(principalName));
  const names = Object.keys(profileFields) as (keyof typeof profileFields)[];
  const person: Person = {
    id,
    email,
    timeJoined,
    // B2C verifies a number by a code before it can be used to sign in.
    phone: phones
      .map((each) => orAbsent(parsePhone(each, countryIn(options))))
      .find((each) => each !== undefined),
    hasUnverifiedPhone: phones.length > 0,
    social: identities.flatMap(socialOf),
    metadata: {
      ...Object.fromEntries(names.map((name) => [name, user[name]])),
      userName: own('username')[0],
      otherEmails: [...new Set([...(mail === undefined ? [] : [mail]), ...otherMails])].filter(
        (each) => each !== email,
      ),
      ...user.extensions,
    },
    isDisabled: disabledUnless(user.isEnabled),
    deleted: deletionOf({ deletedAt: user.deletedAt, deleted: undefined, isDeleted: undefined }),
  };
  return convertAddressed(person, 'identities', options);
}

function isOf({ type }: Identity, name: string): boolean {
  return type?.toLowerCase() === name;
}

/** B2C invents one at onmicrosoft.com for each local account, and for guests with the mark #EXT#: no mail reaches it. */
function mailboxOf(principalName: string | undefined): string | undefined {
  const isMadeUp = /#ext#|@[^@]+\.onmicrosoft\.com$/i.test(principalName ?? '');
  return isMadeUp ? undefined : principalName;
}

/** The issuer is a domain (`google.com`), or the address of an OpenID Connect provider. */
function socialOf({ type, issuer, id: userId }: Identity): readonly SocialIdentity[] {
  if (type?.toLowerCase() !== 'federated' || issuer === undefined || userId === undefined) return [];
  return [{ provider: issuer, userId }];
}
