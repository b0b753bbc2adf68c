/** Bodies of SuperTokens' `POST /bulk-import/users`, whose records the core's own are, without what only this core has. */
import { randomBytes } from 'node:crypto';
import { type BackFormat, jsonDocument, type Written } from './format.ts';
import { argon2idIn, bcryptIn } from './hashes.ts';
import type { BackMethod, BackPerson } from './person.ts';

type Hash = { readonly passwordHash: string; readonly hashingAlgorithm: string } | undefined;

function hashOf({ passwordHash: hash, passwordTransforms: forms }: BackMethod): Hash {
  if (hash === undefined || forms !== undefined) return undefined;
  if (bcryptIn(hash) !== undefined) return { passwordHash: hash, hashingAlgorithm: 'bcrypt' };
  const argon2 = argon2idIn(hash);
  return argon2 === undefined ? undefined : { passwordHash: argon2, hashingAlgorithm: 'argon2' };
}

const ofPassword: ReadonlySet<string> = new Set([
  'passwordHash',
  'hashingAlgorithm',
  'passwordTransforms',
  'legacy',
] satisfies (keyof BackMethod)[]);

function methodOf(method: BackMethod, isThere: boolean): object {
  const rest = Object.fromEntries(Object.entries(method).filter(([name]) => !ofPassword.has(name)));
  if (method.recipeId !== 'emailpassword' || isThere) return rest;
  // A new method needs a password: one that no one knows.
  return { ...rest, ...(hashOf(method) ?? { plainTextPassword: randomBytes(24).toString('base64url') }) };
}

function write({ id, isThere, record }: BackPerson): Written {
  const { userMetadata, userRoles, totpDevices, loginMethods } = record;
  const passwords = loginMethods.filter(({ recipeId }) => recipeId === 'emailpassword');
  const user = {
    externalUserId: id,
    userMetadata,
    userRoles,
    totpDevices,
    loginMethods: loginMethods.map((method) => methodOf(method, isThere)),
  };
  return { user, takesPassword: passwords.every((method) => hashOf(method) !== undefined) };
}

export const supertokensBack: BackFormat = {
  name: 'supertokens',
  replaces: false,
  document: jsonDocument('{"users": [', ']}'),
  most: { users: 10_000 },
  write,
};
