/** Keycloak: `kc.sh export`, a realm file or its files of users. */

import type { NativeTotpDevice } from '../../../imports/record/native-record.ts';
import { convertAddressed, firstAddress } from '../parts/addresses.ts';
import { flagOf, listOf, objectOf, objectsOf, textOf, timeOf } from '../parts/fields.ts';
import { keycloakFactors, keycloakHash, keycloakTotp } from './keycloak-credentials.ts';
import { personOptions, rejected } from '../parts/person.ts';
import type { Person, SocialIdentity } from '../parts/person.ts';
import { disabledUnless } from '../parts/standing.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';

export const keycloak: Provider = {
  name: 'keycloak',
  title: 'Keycloak (realm or users file of kc.sh export)',
  about:
    "Only exports of the server (kc.sh export) have hashes, the admin console's partial export has none. Social identities are named by the realm's alias of the identity provider. Users of a federated directory (LDAP) have no hash; service accounts are not imported.",
  tables: [
    {
      name: 'users',
      places: [{ format: 'json', path: ['users'] }, { format: 'json', path: [] }, { format: 'ndjson' }],
      idOf: (row) => textOf(row.id),
    },
  ],
  options: personOptions,
  recognises,
  convert,
};

function recognises({ root, first }: Sample): number {
  const isRealmFile = root !== 'array' && root.includes('realm') && root.includes('users');
  if (isRealmFile) return 10;
  const names = Object.keys(first);
  const marks = ['createdTimestamp', 'federatedIdentities', 'requiredActions', 'emailVerified', 'realmRoles'];
  const count = marks.filter((name) => names.includes(name)).length;
  return names.includes('username') && count >= 2 ? 4 + count : 0;
}

function convert(user: SourceRow, _related: Related, options: ConvertOptions): Conversion {
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
    totpDevices: credentials.flatMap((each): readonly NativeTotpDevice[] => keycloakTotp(each)),
    secondFactors: credentials.flatMap(keycloakFactors),
    requiredActions: texts(user.requiredActions),
    isDisabled: disabledUnless(flagOf(user.enabled)),
  };
  return convertAddressed(person, 'email', options);
}

function texts(value: unknown): readonly string[] {
  return listOf(value).flatMap((each) => textOf(each) ?? []);
}

function socialOf({ identityProvider, userId }: SourceRow): readonly SocialIdentity[] {
  const [provider, id] = [textOf(identityProvider), textOf(userId)];
  return provider === undefined || id === undefined ? [] : [{ provider, userId: id }];
}
