/** Bodies of Clerk's `POST /v1/users`, one a line: it has no import of files. It takes each email for verified. */
import type { BackFormat, Written } from './format.ts';
import { argon2idIn, bcryptIn } from './hashes.ts';
import { type BackPerson, objectOf, textOf } from './person.ts';

function digestOf(hash: string | undefined) {
  const bcrypt = bcryptIn(hash);
  if (bcrypt !== undefined) return { password_digest: bcrypt, password_hasher: 'bcrypt' };
  const argon2 = argon2idIn(hash);
  return argon2 === undefined ? undefined : { password_digest: argon2, password_hasher: 'argon2id' };
}

function write(person: BackPerson): Written {
  const { id, isThere, email, isVerified, phone, timeJoined } = person;
  if (email === undefined && phone === undefined) return { leftOut: 'NO_EMAIL' };
  if (!isThere && email !== undefined && !isVerified) return { leftOut: 'EMAIL_NOT_VERIFIED' };
  const digest = digestOf(person.hash);
  const user = {
    external_id: isThere ? textOf(person, 'external_id') : id,
    email_address: email === undefined ? undefined : [email],
    phone_number: phone === undefined ? undefined : [phone],
    ...(digest ?? (isThere ? {} : { skip_password_requirement: true })),
    first_name: textOf(person, 'firstName'),
    last_name: textOf(person, 'lastName'),
    username: textOf(person, 'username'),
    public_metadata: objectOf(person, 'public_metadata'),
    private_metadata: objectOf(person, 'private_metadata'),
    unsafe_metadata: objectOf(person, 'unsafe_metadata'),
    created_at: timeJoined === undefined ? undefined : new Date(timeJoined).toISOString(),
  };
  return { user, takesPassword: digest !== undefined };
}

export const clerkBack: BackFormat = {
  name: 'clerk',
  replaces: false,
  document: { extension: 'ndjson', begin: '', between: '\n', end: '\n' },
  write,
};
