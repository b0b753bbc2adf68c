/**
 * All kinds of hashes, a row each. A kind is one file in kinds/, its name here, and a verifier in verify/, which only threads
 * import: the compiler reports what is missing.
 */

import type { HashKind } from './kind.ts';
import { argon2 } from './kinds/argon2.ts';
import { aspnet } from './kinds/aspnet.ts';
import { bcrypt_2x, bcrypt_peppered, bcrypt_sha256, bcrypt_wordpress } from './kinds/bcrypt-over.ts';
import { bcrypt } from './kinds/bcrypt.ts';
import { better_auth } from './kinds/better-auth.ts';
import { construction } from './kinds/construction.ts';
import { md5_crypt, sha256_crypt, sha512_crypt } from './kinds/crypt.ts';
import { md5, sha1, sha256, sha384, sha512 } from './kinds/digest.ts';
import { provider_scrypt } from './kinds/firebase-scrypt.ts';
import { hmac } from './kinds/hmac.ts';
import { ldap } from './kinds/ldap.ts';
import { pbkdf2, pbkdf2_kratos } from './kinds/pbkdf2.ts';
import { phpass } from './kinds/phpass.ts';
import { scrypt } from './kinds/scrypt.ts';
import type { PasswordForms } from './transforms/transforms.ts';

const rows = {
  bcrypt,
  bcrypt_2x,
  bcrypt_sha256,
  bcrypt_wordpress,
  bcrypt_peppered,
  argon2,
  provider_scrypt,
  scrypt,
  better_auth,
  pbkdf2,
  pbkdf2_kratos,
  aspnet,
  phpass,
  sha512_crypt,
  sha256_crypt,
  md5_crypt,
  md5,
  sha1,
  sha256,
  sha384,
  sha512,
  ldap,
  hmac,
  construction,
};

export type HashKindName = keyof typeof rows;

type ParsedOf<Row> = Row extends HashKind<infer Parsed> ? Parsed : never;

/** The parsed type of each kind; never for a row with another name than its own. */
export type ParsedByKind = {
  readonly [Kind in HashKindName]: Extract<ParsedOf<(typeof rows)[Kind]>, { readonly kind: Kind }>;
};

/** `passwordAs`: the transforms that the source applied to the password before hashing; left out: none. */
export type ParsedHash = ParsedByKind[HashKindName] & { readonly passwordAs?: PasswordForms };

type HashKinds = { readonly [Kind in HashKindName]: HashKind<ParsedByKind[Kind]> };

export const kinds: HashKinds = rows;

/** The row of `kind`, for callers that do not know which kind they have. */
export function rowOf<Kind extends HashKindName>(kind: Kind): HashKinds[Kind] {
  return kinds[kind];
}

/** The row of `parsed`'s kind. */
export function rowFor(parsed: ParsedHash): HashKind<ParsedHash> {
  // A row of its own kind, which TypeScript cannot infer through the union.
  return kinds[parsed.kind] as HashKind<ParsedHash>;
}

export function isKind(name: string): name is HashKindName {
  return Object.hasOwn(kinds, name);
}

export const kindNames: readonly HashKindName[] = Object.keys(kinds).filter(isKind);

/** Names that other systems use for a kind. */
const aliases: ReadonlyMap<string, HashKindName> = new Map(
  kindNames.flatMap((kind) => (rowOf(kind).aliases ?? []).map((alias) => [alias, kind] as const)),
);

/** The kind called `name` in any case, `firebase_scrypt` being an alias; undefined when it is not supported. */
export function hashKindNamed(name: string): HashKindName | undefined {
  const kind = name.toLowerCase();
  return isKind(kind) ? kind : aliases.get(kind);
}
