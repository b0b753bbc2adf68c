/** Fields beside a hash that say what was hashed, where the hash itself does not show it. */

import type { NativeLoginMethod, NativeUser } from '../../imports/record/native-record.ts';
import { flagOf, textOf } from '../providers/parts/fields.ts';
import type { ConversionReject, ConvertOptions, SourceRow } from '../providers/provider.ts';

/** `salt`, `password_salt`, `members_pass_salt`, `PasswordSalt`. */
const saltName = /salt$/i;

/** The name of the field of `row` that has a salt, undefined where none has. */
function saltIn(row: SourceRow): string | undefined {
  return Object.keys(row).find((name) => saltName.test(name) && textOf(row[name]) !== undefined);
}

/** A name of the file, which may be anything. */
function shown(name: string): string {
  return /^[\w.:-]{1,64}$/.test(name) ? name : 'a field of its own';
}

/** The reason without advice that holds only for a hash without a salt, where the record has a salt. */
export function withSalt({ ifSalted, ...reason }: ConversionReject, row: SourceRow): ConversionReject {
  const salt = ifSalted === undefined ? undefined : saltIn(row);
  if (salt === undefined) return reason;
  const message = `${ifSalted ?? ''}, and the record has a salt in ${shown(salt)}: which kind it is, and how the two are put together, has to be stated (docs/reference/hashes.md)`;
  return { ...reason, message };
}

/** The user with hashes of the kind that their columns describe; a note where nothing shows whether a hash is right. */
export type Described =
  | { readonly user: NativeUser; readonly note?: string }
  | { readonly reject: Omit<ConversionReject, 'externalUserId'> };

/** Meteor's columns, as mongoexport names them in CSV. */
const meteorBcrypt = 'services.password.bcrypt';
const meteorArgon2 = 'services.password.argon2';
/** NodeBB's mark of hashes that it has made since version 1, and what a database without colons makes of it. */
const nodebbMarks = ['password:shaWrapped', 'passwordShaWrapped'] as const;

const meteorNote =
  'with a bcrypt hash of Meteor, which hashes the SHA-256 of the password: it is stored as bcrypt_sha256';

/**
 * Looks at the names of the fields of `row`. What is stated for the whole file (`--password-as`) is left to the one who
 * states it.
 */
export function described(user: NativeUser, row: SourceRow, options: ConvertOptions): Described {
  const method = user.loginMethods.find(isHashed);
  if (method === undefined) return { user };
  const { passwordHash: hash, hashingAlgorithm: kind } = method;
  if (options['password-as'] === undefined) {
    if (hash === textOf(row[meteorBcrypt]) && hash.startsWith('$2') && kind === undefined)
      return { user: withHash(user, method, `bcrypt_sha256$${hash}`), note: meteorNote };
    const construction = constructionIn(row, hash);
    if (construction !== undefined) return { reject: unsupported(construction) };
  }
  const isBare = kind !== undefined && plainDigests.has(kind) && saltIn(row) !== undefined;
  return isBare ? { user, note: saltNote } : { user };
}

interface Hashed {
  readonly passwordHash: string;
  readonly hashingAlgorithm?: string;
}

function isHashed(method: NativeLoginMethod): method is NativeLoginMethod & Hashed {
  return 'passwordHash' in method && typeof method.passwordHash === 'string';
}

function withHash(user: NativeUser, changed: NativeLoginMethod, passwordHash: string): NativeUser {
  const loginMethods = user.loginMethods.map((each) =>
    each === changed ? { ...each, passwordHash } : each,
  ) as readonly NativeLoginMethod[];
  return { ...user, loginMethods };
}

function constructionIn(row: SourceRow, hash: string): string | undefined {
  if (hash === textOf(row[meteorArgon2])) return 'Meteor hashes the SHA-256 of the password with Argon2';
  const mark = nodebbMarks.find((name) => flagOf(row[name]) === true);
  if (mark === undefined) return undefined;
  return `NodeBB hashes the SHA-512 of the password with bcrypt, as ${mark} says`;
}

function unsupported(construction: string): Omit<ConversionReject, 'externalUserId'> {
  const message = `${construction}, which has no kind here`;
  return { code: 'UNSUPPORTED_HASHING_ALGORITHM', field: 'passwordHash', message };
}

/** Kinds whose unmarked hashes are digests of the password alone. */
const plainDigests: ReadonlySet<string> = new Set(['md5', 'sha1', 'sha256', 'sha384', 'sha512']);

/** The same words for all, because notes are counted by them. */
const saltNote =
  'whose record has a salt that the kind of their hash does not use: unless it is left over, their old passwords will not be right. Check one with carryover doctor';
