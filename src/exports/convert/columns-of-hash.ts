/** Columns next to a hash that show what was hashed, if the hash itself does not show it. */

import type {
  NativeLoginMethod,
  NativePasswordMethod,
  NativeUser,
} from '../../imports/record/native-record.ts';
import { flagOf, textOf } from '../providers/parts/fields.ts';
import type { ConversionReject, ConvertOptions, SourceRow } from '../providers/provider.ts';
import { passwordAsOption } from './transforms.ts';

/** `salt`, `password_salt`, `members_pass_salt`, `PasswordSalt`. */
const saltName = /salt$/i;

/** The name of the field of `row` with a salt, undefined if none has one. */
function saltIn(row: SourceRow): string | undefined {
  return Object.keys(row).find((name) => saltName.test(name) && textOf(row[name]) !== undefined);
}

/** A name from the file, which may be anything. */
function shown(name: string): string {
  return /^[\w.:-]{1,64}$/.test(name) ? name : 'a field of its own';
}

/** The reason, without advice that only holds for a hash without a salt if the record has a salt. */
export function withSalt({ ifSalted, ...reason }: ConversionReject, row: SourceRow): ConversionReject {
  const salt = ifSalted === undefined ? undefined : saltIn(row);
  if (salt === undefined) return reason;
  const message = `${ifSalted ?? ''}, and the record has a salt in ${shown(salt)}: which kind it is, and how the two are put together, has to be stated (docs/reference/hashes.md)`;
  return { ...reason, message };
}

/** The user with the columns' information about the hash, and a note for people if it matters. */
export interface Described {
  readonly user: NativeUser;
  readonly note?: string;
}

/** Columns which show that another input than the password was hashed, and how such hashes are imported. */
interface Construction {
  readonly isOf: (row: SourceRow, hash: string) => boolean;
  readonly change: (
    hash: string,
  ) => Partial<Pick<NativePasswordMethod, 'passwordHash' | 'passwordTransforms'>>;
  readonly note: string;
}

/** NodeBB's mark of hashes that it has made since version 1, and its form in databases without colons. */
const nodebbMarks = ['password:shaWrapped', 'passwordShaWrapped'] as const;

/** Meteor's columns as mongoexport names them in CSV. Its bcrypt is the construction that Django has a mark for. */
const constructions: readonly Construction[] = [
  {
    isOf: (row, hash) => hash.startsWith('$2') && hash === textOf(row['services.password.bcrypt']),
    change: (hash) => ({ passwordHash: `bcrypt_sha256$${hash}` }),
    note: 'with a bcrypt hash of Meteor, which hashes the SHA-256 of the password: it is stored as bcrypt_sha256',
  },
  {
    isOf: (row, hash) => hash === textOf(row['services.password.argon2']),
    change: () => ({ passwordTransforms: 'sha256-hex' }),
    note: 'with an Argon2 hash of Meteor, which hashes the SHA-256 of the password: it is imported with --password-as sha256-hex',
  },
  {
    isOf: (row, hash) => hash.startsWith('$2') && nodebbMarks.some((name) => flagOf(row[name]) === true),
    change: () => ({ passwordTransforms: 'sha512-hex' }),
    note: 'with a hash of NodeBB, which hashes the SHA-512 of the password: it is imported with --password-as sha512-hex',
  },
  {
    isOf: (_row, hash) => mysqlPassword.test(hash),
    change: () => ({}),
    note: "with a hash of MySQL's PASSWORD(), the SHA-1 of a SHA-1: it is verified as it is, and stored as sha1 with two iterations",
  },
];

/** `*` alone marks accounts without a password elsewhere, so the interpretation is shown to people. */
const mysqlPassword = /^\*[0-9A-Fa-f]{40}$/;

/** Examines the names of the fields of `row`. A statement for the whole file (`--password-as`) takes precedence. */
export function described(user: NativeUser, row: SourceRow, options: ConvertOptions): Described {
  const method = user.loginMethods.find(isHashed);
  if (method === undefined) return { user };
  const { passwordHash: hash, hashingAlgorithm: kind } = method;
  const isStated = options[passwordAsOption] !== undefined || kind !== undefined;
  const found = isStated ? undefined : constructions.find(({ isOf }) => isOf(row, hash));
  if (found !== undefined) return { user: changed(user, method, found.change(hash)), note: found.note };
  const isSaltless = kind === undefined ? holdsSalt.test(hash) : plainDigests.has(kind);
  return isSaltless && saltIn(row) !== undefined ? { user, note: saltNote } : { user };
}

interface Hashed {
  readonly passwordHash: string;
  readonly hashingAlgorithm?: string;
}

function isHashed(method: NativeLoginMethod): method is NativeLoginMethod & Hashed {
  return 'passwordHash' in method && typeof method.passwordHash === 'string';
}

function changed(
  user: NativeUser,
  method: NativeLoginMethod,
  change: ReturnType<Construction['change']>,
): NativeUser {
  const loginMethods = user.loginMethods.map((each) => (each === method ? { ...each, ...change } : each));
  return { ...user, loginMethods: loginMethods };
}

/** Kinds whose unmarked hashes are digests of the password alone. */
const plainDigests: ReadonlySet<string> = new Set(['md5', 'sha1', 'sha256', 'sha384', 'sha512']);

/** Kinds whose hashes contain their salt: a salt in a column next to them may have been hashed with the password, as in Metabase. */
const holdsSalt = /^\$(?:2[abxy]|argon2(?:id|i|d))\$/;

/** One text for all, because notes are counted by their text. */
const saltNote =
  'whose record has a salt that the kind of their hash does not use: unless it is left over, their old passwords will not be right. Check one with carryover doctor';
