/**
 * Bodies of Keycloak's partial import. It gives each user a new id, also one that it overwrites (UsersPartialImport.java), so users
 * that the realm has are never in them.
 */
import { storedPasswordOf } from '../providers/keycloak-password.ts';
import { type BackFormat, jsonDocument, type Written } from './format.ts';
import { type BackPerson, objectOf, textOf } from './person.ts';

function write(person: BackPerson): Written {
  const { email, isVerified, phone, timeJoined, isDisabled, social, isThere, id } = person;
  const username = textOf(person, 'username') ?? email ?? phone;
  if (username === undefined) return { leftOut: 'NO_EMAIL' };
  const password = person.hash === undefined ? undefined : storedPasswordOf(person.hash);
  const user = {
    username,
    email,
    emailVerified: isVerified,
    enabled: !isDisabled,
    createdTimestamp: timeJoined,
    firstName: textOf(person, 'firstName'),
    lastName: textOf(person, 'lastName'),
    attributes: objectOf(person, 'attributes'),
    credentials: password && [{ type: 'password', ...password }],
    federatedIdentities: social.map(({ provider, userId, email: own }) => ({
      identityProvider: provider,
      userId,
      userName: own ?? userId,
    })),
  };
  return { user, takesPassword: password !== undefined, knownAs: isThere ? id : username };
}

export const keycloakBack: BackFormat = {
  name: 'keycloak',
  replaces: false,
  document: jsonDocument('{"ifResourceExists": "SKIP", "users": [', ']}'),
  most: { users: 10_000 },
  write,
};
