/** Checks the hash of an export against the kinds that a core can verify, so that a record is refused while the cure is known. */

import { buildHash } from '../../../hashes/constructions.ts';
import { unprefixed } from '../../../hashes/foreign-forms.ts';
import { isConstruction, parseConstruction } from '../../../hashes/parts/construction.ts';
import { parseHash, type HashProblem } from '../../../hashes/recognise.ts';
import { hashKindNamed, type HashKindName } from '../../../hashes/registry.ts';
import { hashLimitsBy } from '../../../config/tenant-settings.ts';
import { badHash, type FoundPassword } from './person.ts';

/** Without ceilings: the settings of the core that will import the record are not known here. It checks its own. */
const noCeilings = hashLimitsBy(() => Number.MAX_SAFE_INTEGER);

/**
 * The password of `hash`; undefined for a mark of no password. A prefix that Spring or Django adds to a whole hash is removed.
 * @param field its name in the provider's record
 * @param kind if the string does not show it. Needed for kinds that the core wants named.
 */
export function hashPassword(field: string, hash: string, kind?: HashKindName): FoundPassword | undefined {
  const result = parseHash(hash, kind, noCeilings);
  if (result.ok || result.code === 'out-of-range') return { hash, algorithm: kind };
  if (result.code === 'no-password') return undefined;
  const inside = unprefixed(hash);
  if (inside !== undefined) return hashPassword(field, inside.hash, inside.kind ?? kind);
  if (result.code !== 'unsupported') return unreadable(field, hash, kind, result);
  return { reject: { code: 'UNSUPPORTED_HASHING_ALGORITHM', field, message: result.message } };
}

/** A string that is not recognised as a hash may be one by the kind that is named for the whole file. */
function unreadable(
  field: string,
  hash: string,
  kind: HashKindName | undefined,
  { message, ifSalted }: HashProblem,
): FoundPassword {
  if (kind !== undefined) return badHash(field, message);
  const advised = message.replace(/set (?:hashingAlgorithm|it) to (\w+)/, '$& (--hash-as $1)');
  const reject = { code: 'INVALID_PASSWORD_HASH', field, message: advised } as const;
  return {
    reject: ifSalted === undefined ? reject : { ...reject, ifSalted },
    as: (how, salt) => hashPasswordAs(field, { hash, salt }, how),
  };
}

/** A hash and what may be its salt, from their columns. */
interface SaltedHash {
  readonly hash: string;
  readonly salt: string | undefined;
}

/** @param how a kind's name, or the construction: `md5(salt.password)` */
function hashPasswordAs(field: string, { hash, salt }: SaltedHash, how: string): FoundPassword | undefined {
  if (!isConstruction(how)) return hashPassword(field, hash, hashKindNamed(how));
  const construction = parseConstruction(how);
  if (typeof construction === 'string') return badHash(field, `--hash-as ${construction}`);
  const built = buildHash(construction, hash, salt);
  return built.ok ? { hash: built.hash } : badHash(field, built.fault);
}

/** As hashPassword for columns with `kind` unless the string shows its own: `$2b$…`, `{SSHA}…`. */
export function hashPasswordOr(field: string, hash: string, kind: HashKindName): FoundPassword | undefined {
  return hashPassword(field, hash, /^[${]/.test(hash) ? undefined : kind);
}

/** A hash of `kind` made from decoded fields; undefined: they were not as the source writes them. */
export function builtPassword(
  field: string,
  hash: string | undefined,
  name: string,
): FoundPassword | undefined {
  return hash === undefined
    ? badHash(field, `it is not what ${name} writes (it may have been cut off)`)
    : hashPassword(field, hash);
}

/** The 60 characters of bcrypt, in three parts. */
export function bcryptString(cost: number | undefined, salt = '', value = ''): string {
  return `$2a$${String(cost ?? 0).padStart(2, '0')}$${salt}${value}`;
}
