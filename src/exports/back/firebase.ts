/**
 * Files for `firebase auth:import`. Its keys and providers are those that firebase-tools accepts (src/accountImporter.ts); a user
 * whose localId exists is replaced (Admin SDK, "Import users").
 */
import { type BackFormat, jsonDocument, type Written } from './format.ts';
import { bcryptIn } from './hashes.ts';
import { type BackPerson, objectOf, textOf } from './person.ts';

const providers: Readonly<Partial<Record<string, string>>> = {
  google: 'google.com',
  facebook: 'facebook.com',
  twitter: 'twitter.com',
  github: 'github.com',
};

interface Password {
  /** Of the file's name: the kind, and its parameters, which are those of one call of the import. */
  readonly group: string;
  readonly fields: object;
}

const ownScrypt = /^\$f_scrypt\$([^$]+)\$([^$]+)\$m=(\d+)\$r=(\d+)\$s=([^$]*)$/;

function passwordOf(hash: string | undefined): Password | undefined {
  const bcrypt = bcryptIn(hash);
  if (bcrypt !== undefined)
    return { group: 'bcrypt', fields: { passwordHash: Buffer.from(bcrypt).toString('base64') } };
  const [, passwordHash, salt, memory, rounds] = ownScrypt.exec(hash ?? '') ?? [];
  if (passwordHash === undefined || memory === undefined || rounds === undefined) return undefined;
  return { group: `scrypt-rounds${rounds}-mem${memory}`, fields: { passwordHash, salt } };
}

function write(person: BackPerson): Written {
  const { id, email, isVerified, phone, timeJoined, isDisabled, social } = person;
  const password = passwordOf(person.hash);
  const claims = objectOf(person, 'customClaims');
  const providerUserInfo = social.flatMap(({ provider, userId, email: own }) => {
    const providerId = providers[provider];
    return providerId === undefined ? [] : [{ providerId, rawId: userId, email: own }];
  });
  const user = {
    localId: id,
    email,
    emailVerified: isVerified,
    ...password?.fields,
    displayName: textOf(person, 'name'),
    photoUrl: textOf(person, 'picture'),
    createdAt: timeJoined === undefined ? undefined : String(timeJoined),
    phoneNumber: phone,
    disabled: isDisabled,
    customAttributes: claims && JSON.stringify(claims),
    providerUserInfo,
  };
  return {
    user,
    takesPassword: password !== undefined,
    ...(password !== undefined && { group: password.group }),
  };
}

export const firebaseBack: BackFormat = {
  name: 'firebase',
  replaces: true,
  document: jsonDocument('{"users": [', ']}'),
  write,
};
