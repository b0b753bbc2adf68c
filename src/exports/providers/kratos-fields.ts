/** The fields of Kratos's identities and of the tables of its database. */

import { carries, guards, hash, identifies, leftOut, type Values, withAbout } from '../fields/declare.ts';
import { noMeaningHere, ofTheRow } from '../fields/reasons.ts';

const ofPasskey = 'Passkeys belong to the domain of the app and do not move';
const ofProvider = 'It is the access of Kratos to the provider';
/** For credentials of every type: their names do not collide. */
const configFields = {
  hash: hash.text('hashed_password'),
  plainText: hash.untrimmed('password'),
  isByHook: carries.flag('use_password_migration_hook'),
  providers: carries.objects(
    {
      provider: carries.text('provider'),
      subject: carries.text('subject'),
      organization: leftOut('Organizations are of Kratos', 'organization'),
      idToken: leftOut(ofProvider, 'initial_id_token'),
      accessToken: leftOut(ofProvider, 'initial_access_token'),
      refreshToken: leftOut(ofProvider, 'initial_refresh_token'),
      autoLink: leftOut('It is a setting of the import into Kratos', 'use_auto_link'),
    },
    'providers',
  ),
  totpUrl: guards.text('totp_url'),
  recoveryCodes: carries.objects(
    { code: carries.text('code'), isUsed: carries.evidence('used_at') },
    'recovery_codes',
  ),
  keys: guards.objects(
    {
      isPasswordless: guards.flag('is_passwordless'),
      id: leftOut(ofPasskey, 'id'),
      publicKey: leftOut(ofPasskey, 'public_key'),
      attestation: leftOut(ofPasskey, 'attestation'),
      attestationType: leftOut(ofPasskey, 'attestation_type'),
      authenticator: leftOut(ofPasskey, 'authenticator'),
      name: leftOut(ofPasskey, 'display_name'),
      addedAt: leftOut(ofPasskey, 'added_at'),
      flags: leftOut(ofPasskey, 'flags'),
    },
    'credentials',
  ),
  userHandle: leftOut(ofPasskey, 'user_handle'),
  addresses: leftOut('A code goes to the email or the phone number of the user', 'addresses'),
} as const;

const credentialFields = {
  identifiers: carries.list('identifiers'),
  config: guards.record(configFields, 'config'),
  type: leftOut('It is the name of the credential', 'type'),
  version: leftOut(ofTheRow, 'version'),
  createdAt: leftOut(ofTheRow, 'created_at'),
  updatedAt: leftOut(ofTheRow, 'updated_at'),
} as const;

export type Credential = Values<typeof credentialFields>;

const credentialsFields = {
  password: guards.record(credentialFields, 'password'),
  oidc: guards.record(credentialFields, 'oidc'),
  saml: guards.record(credentialFields, 'saml'),
  totp: guards.record(credentialFields, 'totp'),
  lookupSecret: guards.record(credentialFields, 'lookup_secret'),
  webauthn: guards.record(credentialFields, 'webauthn'),
  passkey: leftOut(ofPasskey, 'passkey'),
  code: leftOut('A code goes to the email or the phone number of the user', 'code'),
  codeRecovery: leftOut('A code goes to the email of the user', 'code_recovery'),
  linkRecovery: leftOut('A link goes to the email of the user', 'link_recovery'),
  profile: leftOut('Kratos writes nothing in it', 'profile'),
} as const;

export type Credentials = Values<typeof credentialsFields>;

/** Types of credentials that are read, by their names in Kratos. */
export const credentialTypes = {
  password: 'password',
  oidc: 'oidc',
  saml: 'saml',
  totp: 'totp',
  lookup_secret: 'lookupSecret',
  webauthn: 'webauthn',
} as const satisfies Readonly<Record<string, keyof Credentials>>;

const addressFields = {
  value: carries.text('value'),
  isVerified: carries.flag('verified'),
  via: carries.text('via'),
  status: leftOut('It follows from `verified`', 'status'),
  verifiedAt: leftOut('It follows from `verified`', 'verified_at'),
  id: leftOut(ofTheRow, 'id'),
  createdAt: leftOut(ofTheRow, 'created_at'),
  updatedAt: leftOut(ofTheRow, 'updated_at'),
} as const;

export type Address = Values<typeof addressFields>;

export const identityFields = {
  id: identifies.id('id'),
  externalId: withAbout('Where there is no id', identifies.id('external_id')),
  traits: identifies.object('traits'),
  credentials: guards.record(credentialsFields, 'credentials'),
  addresses: carries.objects(addressFields, 'verifiable_addresses'),
  isInactive: guards.word({ active: false, inactive: true }, 'state'),
  timeJoined: carries.time('created_at'),
  publicMetadata: carries.object('metadata_public'),
  adminMetadata: carries.object('metadata_admin'),
  recoveryAddresses: leftOut('Recovery goes to the email of the user', 'recovery_addresses'),
  schemaId: leftOut('It is the schema of the traits', 'schema_id'),
  schemaUrl: leftOut('It is the schema of the traits', 'schema_url'),
  stateChangedAt: leftOut(noMeaningHere, 'state_changed_at'),
  organizationId: leftOut('Organizations are of Kratos', 'organization_id'),
  network: leftOut('A dump has one network', 'nid'),
  assurance: leftOut('It follows from the credentials', 'available_aal'),
  version: leftOut(ofTheRow, 'version'),
  updatedAt: leftOut(noMeaningHere, 'updated_at'),
} as const;

export type Identity = Values<typeof identityFields>;

export const credentialRowFields = {
  identityId: identifies.id('identity_id'),
  typeId: guards.text('identity_credential_type_id'),
  config: guards.record(configFields, 'config'),
  id: leftOut(ofTheRow, 'id'),
  network: leftOut('A dump has one network', 'nid'),
  version: leftOut(ofTheRow, 'version'),
  createdAt: leftOut(ofTheRow, 'created_at'),
  updatedAt: leftOut(ofTheRow, 'updated_at'),
} as const;

export const addressRowFields = {
  identityId: identifies.id('identity_id'),
  network: leftOut('A dump has one network', 'nid'),
  ...addressFields,
} as const;
