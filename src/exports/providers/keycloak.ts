/** Keycloak: `kc.sh export`, a realm file or its files of users. */

import { keycloakDatabase } from './keycloak-database.ts';
import { parseText } from '../fields/texts.ts';
import { unparsable } from '../fields/parsed.ts';
import { convertAddressed, firstAddress } from './parts/addresses.ts';
import { fieldsIn } from './parts/marks.ts';
import { personOptions, rejected } from './parts/person.ts';
import type { Person, SocialIdentity } from './parts/person.ts';
import { disabledUnless } from './parts/sign-in-state.ts';
import { convertValues, table } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample } from './provider.ts';
import type { SecondFactor } from '../../imports/model.ts';
import {
  isOfOtherRealm,
  keycloakLookups,
  keycloakTables,
  ofRows,
  prepareKeycloak,
  namesWith,
  realmField,
  realmOption,
} from './keycloak-rows.ts';
import { isOneTimeCode, keycloakBackupCodes, keycloakFactors, keycloakTotp } from './keycloak-factors.ts';
import { type Credential, type User, userFields } from './keycloak-fields.ts';
import { keycloakHash } from './keycloak-password.ts';
import { argon2id, importedBy } from './parts/way-back.ts';

export const keycloak: Provider = {
  name: 'keycloak',
  title: 'Keycloak (realm or users file of kc.sh export)',
  about:
    "Exports of the server (kc.sh export) and dumps of its database have hashes, the admin console's partial export has none. Social identities are named by the realm's alias of the identity provider. Users of a federated directory (LDAP) have no hash; service accounts are not imported.",
  wayBack: importedBy('Argon2 and PBKDF2 in parts, in secretData and credentialData', argon2id),
  tables: [
    table('users', userFields, {
      places: [{ format: 'json', path: ['users'] }, { format: 'json', path: [] }, { format: 'ndjson' }],
      sqlNames: ['user_entity'],
      beside: [realmField],
      advise,
    }),
    ...keycloakTables,
  ],
  options: [
    ...personOptions,
    {
      name: realmOption,
      about: 'of a dump or a file with several realms: the name of the one whose users are meant',
    },
  ],
  lookups: keycloakLookups,
  database: keycloakDatabase,
  recognises,
  prepare: prepareKeycloak,
  isLeftOut: isOfOtherRealm,
  // An export without --realm has them all, including the realm of the administrators.
  realm: ({ said }) => said?.realm,
  convert: convertValues(userFields, convert),
};

/** Users are in separate files by default. */
function advise({ root }: Sample): string | undefined {
  const isRealm = root !== 'array' && root.includes('realm') && !root.includes('users');
  return isRealm
    ? 'it is the file of a Keycloak realm without its users: take the files next to it that are called <realm>-users-0.json and so on, or export again with kc.sh export --users same_file'
    : undefined;
}

const marks = ['timeJoined', 'identities', 'requiredActions', 'isEmailVerified', 'realmRoles'] as const;

function recognises(sample: Sample): number {
  const { format, root } = sample;
  const has = fieldsIn(sample, userFields);
  if (format === 'csv') return has('username', 'realm', 'isEmailVerified', 'isEnabled') ? 10 : 0;
  const isRealmFile = root !== 'array' && root.includes('realm') && root.includes('users');
  if (isRealmFile) return 10;
  const count = marks.filter((name) => has(name)).length;
  return has('username') && count >= 2 ? 4 + count : 0;
}

function convert(user: User, related: Related, options: ConvertOptions): Conversion {
  const { id, username, firstName, lastName, timeJoined } = user;
  if (user.serviceAccount !== undefined)
    return rejected({
      code: 'NOT_IMPORTABLE',
      field: 'serviceAccountClientId',
      message: 'the account is a service account of a client and no person',
      externalUserId: id,
    });
  const rows = ofRows(related, options);
  const credentials = [...(user.credentials ?? []), ...rows.credentials].sort(
    (a, b) => (a.priority ?? 0) - (b.priority ?? 0),
  );
  const named = namesWith(user.realmName, options);
  const person: Person = {
    id,
    timeJoined,
    email: user.email ?? firstAddress(username),
    isEmailVerified: user.isEmailVerified === true,
    password: keycloakHash(credentials),
    social: [...(user.identities ?? []), ...rows.identities]
      .flatMap(socialOf)
      .map((each) => ({ ...each, provider: named.provider(each.provider) })),
    metadata: {
      firstName,
      lastName,
      username,
      realm: user.realmName,
      attributes: user.attributes ?? rows.attributes,
      groups: [...texts(user.groups), ...rows.groups],
      clientRoles: user.clientRoles ?? rows.clientRoles,
    },
    roles: [...texts(user.realmRoles), ...rows.realmRoles].map(named.role),
    totpDevices: credentials.flatMap(keycloakTotp),
    backupCodes: credentials.flatMap(keycloakBackupCodes),
    secondFactors: secondFactorsOf(user, credentials),
    requiredActions: actionsOf([...texts(user.requiredActions), ...rows.actions], credentials),
    isDisabled: disabledUnless(user.isEnabled),
  };
  const conversion = convertAddressed(person, 'email', options);
  const note = conversion.ok && hasNoWayIn(person, options) ? noteOf(user, credentials) : undefined;
  return conversion.ok && note !== undefined ? { ...conversion, note } : conversion;
}

/** Whether a user signed in by something that is not in the file, and signs in here by a code unless the old system is asked. */
function hasNoWayIn({ password, social }: Person, options: ConvertOptions): boolean {
  const how = options['without-password'] ?? 'passwordless';
  return password === undefined && social?.length === 0 && how === 'passwordless';
}

function noteOf({ federationLink }: User, credentials: readonly Credential[]): string | undefined {
  if (federationLink !== undefined) return ofDirectory;
  return credentials.some(({ type }) => type?.startsWith('webauthn')) ? ofPasskey : undefined;
}

const ofDirectory =
  'of a federated directory (LDAP), whose passwords are in no export: they sign in here by a code to their email. To let them keep their passwords, import with --without-password legacy:<source>, where the source is the directory or Keycloak (docs/guide/without-hashes.md)';
const ofPasskey =
  'with a passkey and no password: passkeys belong to the domain of Keycloak and do not move, so they sign in here by a code to their email';

/** A list of users from the admin API has no credentials: only `totp` shows that a code is required. */
function secondFactorsOf({ hasTotp }: User, credentials: readonly Credential[]): readonly SecondFactor[] {
  const hasUnseen = hasTotp === true && !credentials.some(isOneTimeCode);
  return [...credentials.flatMap(keycloakFactors), ...(hasUnseen ? (['totp'] as const) : [])];
}

const newPassword = 'UPDATE_PASSWORD';

function actionsOf(stated: readonly string[], credentials: readonly Credential[]): readonly string[] {
  const isTemporary = credentials.some((each) => each.type === 'password' && each.isTemporary === true);
  return isTemporary && !stated.includes(newPassword) ? [...stated, newPassword] : stated;
}

/** The texts of a list of names. */
function texts(list: readonly unknown[] = []): readonly string[] {
  return list.flatMap((each) => {
    const text = parseText(each);
    return text === undefined || text === unparsable ? [] : [text];
  });
}

function socialOf({
  provider,
  userId,
}: {
  readonly provider: string | undefined;
  readonly userId: string | undefined;
}): readonly SocialIdentity[] {
  return provider === undefined || userId === undefined ? [] : [{ provider, userId }];
}
