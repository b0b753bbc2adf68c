/** Files for Auth0's job "import users", by its bulk import schema: 500 KB each. An existing user's password stays as it is there. */
import { type BackFormat, jsonDocument, type Written } from './format.ts';
import { argon2idIn, bcryptIn } from './hashes.ts';
import { type BackPerson, objectOf, textOf } from './person.ts';

/** Auth0 puts it before the ids of its database. */
const strategy = 'auth0|';

function customHash(hash: string | undefined): object | undefined {
  const bcrypt = bcryptIn(hash);
  if (bcrypt !== undefined) return { algorithm: 'bcrypt', hash: { value: bcrypt } };
  const argon2 = argon2idIn(hash);
  return argon2 === undefined ? undefined : { algorithm: 'argon2', hash: { value: argon2 } };
}

function write(person: BackPerson): Written {
  const { id, isThere, email, isVerified, password, social, isDisabled } = person;
  const isElsewhere = isThere ? id.includes('|') && !id.startsWith(strategy) : password === 'none';
  if (isElsewhere && social.length > 0) return { leftOut: 'NOT_OF_THE_DATABASE' };
  if (email === undefined) return { leftOut: 'NO_EMAIL' };
  const hash = customHash(person.hash);
  const user = {
    user_id: id.startsWith(strategy) ? id.slice(strategy.length) : id,
    email,
    email_verified: isVerified,
    custom_password_hash: hash,
    blocked: isDisabled ? true : undefined,
    name: textOf(person, 'name'),
    given_name: textOf(person, 'given_name'),
    family_name: textOf(person, 'family_name'),
    nickname: textOf(person, 'nickname'),
    username: textOf(person, 'username'),
    picture: textOf(person, 'picture'),
    user_metadata: objectOf(person, 'user_metadata'),
    app_metadata: objectOf(person, 'app_metadata'),
  };
  return { user, takesPassword: hash !== undefined, knownAs: isThere ? id : `${strategy}${id}` };
}

export const auth0Back: BackFormat = {
  name: 'auth0',
  replaces: false,
  document: jsonDocument('[', ']'),
  // "The file size limit for a bulk import is 500KB."
  most: { bytes: 490_000 },
  write,
};
