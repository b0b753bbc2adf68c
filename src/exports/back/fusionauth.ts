/** Bodies of FusionAuth's `POST /api/user/import`, which makes new users only. */
import { randomBytes } from 'node:crypto';
import { type BackFormat, jsonDocument, type Written } from './format.ts';
import { bcryptIn } from './hashes.ts';
import { type BackPerson, objectOf, textOf } from './person.ts';

function passwordOf(hash: string | undefined): object | undefined {
  const [, factor, salt, password] = /^\$2[ab]\$(\d\d)\$(.{22})(.{31})$/.exec(bcryptIn(hash) ?? '') ?? [];
  if (factor === undefined) return undefined;
  return { encryptionScheme: 'bcrypt', factor: Number(factor), salt, password };
}

/** A new user needs one. Without a scheme it is in the clear. */
function unknownPassword(): object {
  return { password: randomBytes(24).toString('base64url') };
}

function write(person: BackPerson): Written {
  const { id, isThere, email, isVerified, timeJoined, isDisabled } = person;
  if (email === undefined) return { leftOut: 'NO_EMAIL' };
  const password = passwordOf(person.hash);
  const user = {
    id,
    email,
    verified: isVerified,
    ...(password ?? (isThere ? {} : unknownPassword())),
    active: !isDisabled,
    username: textOf(person, 'username'),
    firstName: textOf(person, 'firstName'),
    middleName: textOf(person, 'middleName'),
    lastName: textOf(person, 'lastName'),
    fullName: textOf(person, 'fullName'),
    birthDate: textOf(person, 'birthDate'),
    mobilePhone: textOf(person, 'mobilePhone'),
    imageUrl: textOf(person, 'imageUrl'),
    timezone: textOf(person, 'timezone'),
    data: objectOf(person, 'data'),
    insertInstant: timeJoined,
  };
  return { user, takesPassword: password !== undefined };
}

export const fusionauthBack: BackFormat = {
  name: 'fusionauth',
  replaces: false,
  document: jsonDocument('{"users": [', ']}'),
  most: { users: 10_000 },
  write,
};
