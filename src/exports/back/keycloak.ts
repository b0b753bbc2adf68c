/**
 * Bodies of Keycloak's partial import. It gives each user a new id, also one that it overwrites (UsersPartialImport.java), so users
 * that the realm has are never in them.
 */
import { type BackFormat, jsonDocument, type Written } from './format.ts';
import { argon2idIn, type Argon2Parts } from './hashes.ts';
import { type BackPerson, objectOf, textOf } from './person.ts';

const padded = (base64: string): string => Buffer.from(base64, 'base64').toString('base64');

function credentialOf({ memory, iterations, parallelism, salt, key }: Argon2Parts): object {
  const additionalParameters = {
    hashLength: [String(Buffer.from(key, 'base64').length)],
    memory: [memory],
    type: ['id'],
    version: ['1.3'],
    parallelism: [parallelism],
  };
  return {
    type: 'password',
    credentialData: JSON.stringify({
      hashIterations: Number(iterations),
      algorithm: 'argon2',
      additionalParameters,
    }),
    secretData: JSON.stringify({ value: padded(key), salt: padded(salt), additionalParameters: {} }),
  };
}

function write(person: BackPerson): Written {
  const { email, isVerified, phone, timeJoined, isDisabled, social, isThere, id } = person;
  const username = textOf(person, 'username') ?? email ?? phone;
  if (username === undefined) return { leftOut: 'NO_EMAIL' };
  const argon2 = argon2idIn(person.hash);
  const user = {
    username,
    email,
    emailVerified: isVerified,
    enabled: !isDisabled,
    createdTimestamp: timeJoined,
    firstName: textOf(person, 'firstName'),
    lastName: textOf(person, 'lastName'),
    attributes: objectOf(person, 'attributes'),
    credentials: argon2 && [credentialOf(argon2)],
    federatedIdentities: social.map(({ provider, userId, email: own }) => ({
      identityProvider: provider,
      userId,
      userName: own ?? userId,
    })),
  };
  return { user, takesPassword: argon2 !== undefined, knownAs: isThere ? id : username };
}

export const keycloakBack: BackFormat = {
  name: 'keycloak',
  replaces: false,
  document: jsonDocument('{"ifResourceExists": "SKIP", "users": [', ']}'),
  most: { users: 10_000 },
  write,
};
