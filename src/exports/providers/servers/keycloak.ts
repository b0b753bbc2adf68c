/** Keycloak: `kc.sh export`, a realm file or its files of users. */

import { convertAddressed, firstAddress } from '../parts/addresses.ts';
import {
  flagOf,
  hasColumns,
  listOf,
  objectOf,
  objectsOf,
  textOf,
  timeOf,
  integerOf,
} from '../parts/fields.ts';
import { personOptions, rejected, badHash, unsupportedHash } from '../parts/person.ts';
import type { Person, SocialIdentity, FoundPassword } from '../parts/person.ts';
import { disabledUnless } from '../parts/sign-in-state.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { decodeBase64 } from '../../../hashes/parts/encodings.ts';
import { keycloakArgon2String, pbkdf2String, type Pbkdf2Fields } from '../../../hashes/fields.ts';
import type { SecondFactor } from '../../../imports/model.ts';
import { builtPassword, hashPassword } from '../parts/hash-strings.ts';
import {
  dumpedUser,
  isOfOtherRealm,
  isRowOfKeycloak,
  keycloakLookups,
  keycloakTables,
  prepareKeycloak,
  realmOption,
} from './keycloak-rows.ts';
import { keycloakBackupCodes, keycloakFactors, keycloakTotp } from './keycloak-factors.ts';
import { argon2id, importedBy } from '../parts/way-back.ts';

export const keycloak: Provider = {
  name: 'keycloak',
  title: 'Keycloak (realm or users file of kc.sh export)',
  about:
    "Exports of the server (kc.sh export) and dumps of its database have hashes, the admin console's partial export has none. Social identities are named by the realm's alias of the identity provider. Users of a federated directory (LDAP) have no hash; service accounts are not imported.",
  wayBack: importedBy('Argon2id in parts, in secretData and credentialData', argon2id),
  tables: [
    {
      name: 'users',
      places: [{ format: 'json', path: ['users'] }, { format: 'json', path: [] }, { format: 'ndjson' }],
      sqlNames: ['user_entity'],
      idOf: (row) => textOf(row.id),
      advise,
    },
    ...keycloakTables,
  ],
  options: [
    ...personOptions,
    { name: realmOption, about: 'of a dump with several realms: the name of the one whose users are meant' },
  ],
  lookups: keycloakLookups,
  recognises,
  prepare: prepareKeycloak,
  isLeftOut: isOfOtherRealm,
  // An export without --realm has them all, the realm of the administrators, too.
  realm: ({ said }) => said?.realm,
  convert,
};

/** Users are in files of their own unless the export is told otherwise. */
function advise({ root }: Sample): string | undefined {
  const isRealm = root !== 'array' && root.includes('realm') && !root.includes('users');
  return isRealm
    ? 'it is the file of a Keycloak realm without its users: take the files beside it that are called <realm>-users-0.json and so on, or export again with kc.sh export --users same_file'
    : undefined;
}

function recognises({ format, columns, root, first }: Sample): number {
  if (format === 'csv')
    return hasColumns(columns, 'username', 'realm_id', 'email_verified', 'enabled') ? 10 : 0;
  const isRealmFile = root !== 'array' && root.includes('realm') && root.includes('users');
  if (isRealmFile) return 10;
  const names = Object.keys(first);
  const marks = ['createdTimestamp', 'federatedIdentities', 'requiredActions', 'emailVerified', 'realmRoles'];
  const count = marks.filter((name) => names.includes(name)).length;
  return names.includes('username') && count >= 2 ? 4 + count : 0;
}

function convert(row: SourceRow, related: Related, options: ConvertOptions): Conversion {
  const user = isRowOfKeycloak(row) ? dumpedUser(row, related, options) : row;
  const id = textOf(user.id);
  if (textOf(user.serviceAccountClientId) !== undefined)
    return rejected({
      code: 'NOT_IMPORTABLE',
      field: 'serviceAccountClientId',
      message: 'the account is a service account of a client and no person',
      externalUserId: id,
    });
  const credentials = objectsOf(user.credentials);
  const person: Person = {
    id,
    email: textOf(user.email) ?? firstAddress(textOf(user.username)),
    isEmailVerified: flagOf(user.emailVerified) === true,
    password: keycloakHash(credentials),
    social: objectsOf(user.federatedIdentities).flatMap(socialOf),
    timeJoined: timeOf(user.createdTimestamp),
    metadata: {
      firstName: textOf(user.firstName),
      lastName: textOf(user.lastName),
      username: textOf(user.username),
      attributes: objectOf(user.attributes),
      groups: texts(user.groups),
      clientRoles: objectOf(user.clientRoles),
    },
    roles: texts(user.realmRoles),
    totpDevices: credentials.flatMap(keycloakTotp),
    backupCodes: credentials.flatMap(keycloakBackupCodes),
    secondFactors: secondFactorsOf(user, credentials),
    requiredActions: texts(user.requiredActions),
    isDisabled: disabledUnless(flagOf(user.enabled)),
  };
  const conversion = convertAddressed(person, 'email', options);
  const note = conversion.ok && hasNoWayIn(person, options) ? noteOf(user, credentials) : undefined;
  return conversion.ok && note !== undefined ? { ...conversion, note } : conversion;
}

/** Who signed in by something that is not in the file, and signs in here by a code unless the old system is asked. */
function hasNoWayIn({ password, social }: Person, options: ConvertOptions): boolean {
  const how = options['without-password'] ?? 'passwordless';
  return password === undefined && social?.length === 0 && how === 'passwordless';
}

function noteOf({ federationLink }: SourceRow, credentials: readonly SourceRow[]): string | undefined {
  if (textOf(federationLink) !== undefined) return ofDirectory;
  return credentials.some(({ type }) => textOf(type)?.startsWith('webauthn')) ? ofPasskey : undefined;
}

const ofDirectory =
  'of a federated directory (LDAP), whose passwords are in no export: they sign in here by a code to their email. To let them keep their passwords, import with --without-password legacy:<source>, where the source is the directory or Keycloak (docs/guide/without-hashes.md)';
const ofPasskey =
  'with a passkey and no password: passkeys belong to the domain of Keycloak and do not move, so they sign in here by a code to their email';

/** A list of users by the admin API has no credentials: `totp` alone says that a code is asked for. */
function secondFactorsOf(user: SourceRow, credentials: readonly SourceRow[]): readonly SecondFactor[] {
  const hasUnseen = flagOf(user.totp) === true && !credentials.some(({ type }) => textOf(type) === 'otp');
  return [...credentials.flatMap(keycloakFactors), ...(hasUnseen ? (['totp'] as const) : [])];
}

function texts(value: unknown): readonly string[] {
  return listOf(value).flatMap((each) => textOf(each) ?? []);
}

function socialOf({ identityProvider, userId }: SourceRow): readonly SocialIdentity[] {
  const [provider, id] = [textOf(identityProvider), textOf(userId)];
  return provider === undefined || id === undefined ? [] : [{ provider, userId: id }];
}

// Keycloak's credentials: JSON texts inside JSON, or, in very old exports, fields of the credential itself.

const field = 'credentials.secretData';

/** By Keycloak's name of the provider; a name of its own may end with more. */
const digests: Readonly<Partial<Record<string, Pbkdf2Fields['digest']>>> = {
  pbkdf2: 'sha1',
  'pbkdf2-sha256': 'sha256',
  'pbkdf2-sha512': 'sha512',
};

/** The password among `credentials`, not those of its history; undefined where there is none. */
function keycloakHash(credentials: readonly SourceRow[]): FoundPassword | undefined {
  const credential = credentials.find(({ type }) => textOf(type) === 'password');
  if (credential === undefined) return undefined;
  const plain = textOf(credential.value);
  if (plain !== undefined && credential.secretData === undefined) return { plainText: plain };
  const whole = textOf(objectOf(credential.secretData)?.value ?? credential.hashedSaltedValue);
  // Providers of the community (bcrypt, Argon2) keep the whole string; base64 has no `$`.
  if (whole?.startsWith('$') === true) return hashPassword(field, whole);
  const { value, salt, iterations, algorithm, parameters } = partsOf(credential);
  if (value === undefined || salt === undefined || iterations === undefined)
    return badHash(field, 'its value, salt or hashIterations is missing or not what Keycloak writes');
  if (algorithm === 'argon2') {
    const costs = { hashIterations: iterations, additionalParameters: parameters };
    return builtPassword(field, keycloakArgon2String(costs, salt, value), 'Keycloak');
  }
  const digest = Object.hasOwn(digests, algorithm) ? digests[algorithm] : undefined;
  if (digest === undefined) return unsupportedHash('credentials.credentialData', algorithm);
  return builtPassword(field, pbkdf2String({ digest, iterations, salt, key: value }), 'Keycloak');
}

function partsOf(credential: SourceRow) {
  const secret = objectOf(credential.secretData);
  const data = objectOf(credential.credentialData) ?? credential;
  const parameters = Object.entries(objectOf(data.additionalParameters) ?? {});
  return {
    value: bytesOf(secret?.value ?? credential.hashedSaltedValue),
    salt: bytesOf(secret?.salt ?? credential.salt),
    iterations: integerOf(data.hashIterations),
    algorithm: textOf(data.algorithm) ?? 'pbkdf2',
    parameters: Object.fromEntries(parameters.map(([name, list]) => [name, textsOf(list)] as const)),
  };
}

function bytesOf(value: unknown): Buffer | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : decodeBase64(text, 'any');
}

function textsOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((each) => textOf(each) ?? []);
}
