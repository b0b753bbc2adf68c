/** The fields of Keycloak's exports and of the tables of its database. */

import { carries, guards, hash, identifies, leftOut, type Values, withAbout } from '../fields/declare.ts';
import { ofTheRow } from '../fields/reasons.ts';
import { unparsable } from '../fields/parsed.ts';

const ofPasskey = 'Passkeys belong to the domain of Keycloak and do not move';
const ofConsole = 'It is what the admin console offers';

const secretFields = {
  value: hash.text('value'),
  salt: hash.salt('salt'),
  codes: hash.objects(
    { hash: hash.text('encodedHashedValue'), number: leftOut('Their order says it', 'number') },
    'codes',
  ),
  parameters: leftOut('Keycloak writes none', 'additionalParameters'),
} as const;

const dataFields = {
  iterations: hash.number('hashIterations'),
  algorithm: hash.text('algorithm', 'hashAlgorithm'),
  parameters: hash.object('additionalParameters'),
  subType: guards.text('subType'),
  digits: carries.number('digits'),
  period: carries.number('period'),
  secretEncoding: carries.text('secretEncoding'),
  counter: leftOut('Codes by a counter are counted and not imported', 'counter'),
  remaining: leftOut('The codes that are left are listed', 'remainingCodes', 'remaining'),
  total: leftOut('The codes that are left are listed', 'totalCodes', 'total'),
  aaguid: leftOut(ofPasskey, 'aaguid'),
  credentialId: leftOut(ofPasskey, 'credentialId'),
  publicKey: leftOut(ofPasskey, 'credentialPublicKey'),
  statement: leftOut(ofPasskey, 'attestationStatement'),
  statementFormat: leftOut(ofPasskey, 'attestationStatementFormat'),
  transports: leftOut(ofPasskey, 'transports'),
} as const;

/** Before version 8 the parts were columns next to the type. */
export const credentialFields = {
  type: guards.text('type'),
  label: carries.text('userLabel', 'device'),
  secret: hash.record(secretFields, 'secretData'),
  data: hash.record(dataFields, 'credentialData'),
  value: withAbout(
    'A password in clear where nothing stands next to it; before version 8 the hash',
    hash.untrimmed('value', 'hashedSaltedValue'),
  ),
  salt: withAbout('Before version 8', {
    ...hash.salt('salt'),
    // Bytes may begin or end with a blank.
    parse: (value: unknown) => (typeof value === 'string' ? value : unparsable),
  }),
  iterations: withAbout('Before version 8', hash.number('hashIterations')),
  algorithm: withAbout('Before version 8', hash.text('algorithm')),
  digits: withAbout('Before version 8', carries.number('digits')),
  period: withAbout('Before version 8', carries.number('period')),
  priority: carries.number('priority'),
  isTemporary: withAbout('Such a user has to set a new password', guards.flag('temporary')),
  counter: leftOut('Codes by a counter are counted and not imported', 'counter'),
  config: leftOut('Keycloak writes none: it is of providers of the community', 'config'),
  id: leftOut(ofTheRow, 'id'),
  createdAt: leftOut('Only Keycloak asks for the age of a password', 'createdDate'),
} as const;

export type Credential = Values<typeof credentialFields>;

export const userFields = {
  id: identifies.id('id'),
  username: identifies.text('username'),
  email: identifies.text('email'),
  isEmailVerified: carries.flag('emailVerified'),
  firstName: carries.text('firstName'),
  lastName: carries.text('lastName'),
  timeJoined: carries.time('createdTimestamp'),
  isEnabled: guards.flag('enabled'),
  hasTotp: guards.flag('totp'),
  requiredActions: guards.list('requiredActions'),
  credentials: guards.objects(credentialFields, 'credentials'),
  identities: carries.objects(
    {
      provider: carries.text('identityProvider'),
      userId: carries.text('userId'),
      name: leftOut('The provider states it again at the next sign-in', 'userName'),
    },
    'federatedIdentities',
  ),
  attributes: carries.object('attributes'),
  groups: carries.list('groups'),
  realmRoles: carries.list('realmRoles'),
  clientRoles: carries.object('clientRoles', 'applicationRoles'),
  federationLink: withAbout(
    'Says that the password is in a directory',
    carries.text('federationLink', 'origin'),
  ),
  serviceAccount: withAbout(
    'Such accounts are no users and are not imported',
    guards.text('serviceAccountClientId', 'service_account_client_link'),
  ),
  realmName: withAbout('Of a file with several realms: that of the user', carries.text('realm')),
  realm: withAbout('Of a dump: which realm the user is of', identifies.id('realm_id')),
  emailConstraint: leftOut('It is the email again', 'email_constraint'),
  notBefore: leftOut('It ends older sessions, which do not move', 'notBefore'),
  disableable: leftOut(ofConsole, 'disableableCredentialTypes'),
  access: leftOut(ofConsole, 'access'),
  profile: leftOut(ofConsole, 'userProfileMetadata'),
  self: leftOut(ofConsole, 'self'),
  consents: leftOut('They are of the clients of the realm', 'clientConsents'),
  modifiedAt: leftOut(ofTheRow, 'last_modified_timestamp'),
} as const;

export type User = Values<typeof userFields>;

export const credentialRowFields = { userId: identifies.id('user_id'), ...credentialFields } as const;

export const attributeFields = {
  userId: identifies.id('user_id'),
  name: carries.text('name'),
  value: carries.any('value'),
  longValue: carries.any('long_value'),
  id: leftOut(ofTheRow, 'id'),
  longHash: leftOut('It follows from long_value', 'long_value_hash'),
  longHashLower: leftOut('It follows from long_value', 'long_value_hash_lower_case'),
} as const;

export const identityFields = {
  userId: identifies.id('user_id'),
  provider: carries.text('identity_provider'),
  providerUserId: carries.text('federated_user_id'),
  name: leftOut('The provider states it again at the next sign-in', 'federated_username'),
  token: leftOut('It is the access of Keycloak to the provider', 'token'),
  realm: leftOut('It is that of the user', 'realm_id'),
} as const;

export const roleFields = {
  userId: identifies.id('user_id'),
  id: carries.text('role_id'),
} as const;

export const groupFields = {
  userId: identifies.id('user_id'),
  id: carries.text('group_id'),
  membership: leftOut('Names the manager of the membership', 'membership_type'),
} as const;

export const actionFields = {
  userId: identifies.id('user_id'),
  action: guards.text('required_action'),
} as const;
