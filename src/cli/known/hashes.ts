/** Looks up the hashes of some emails in a file of users, converted while it is read. */

import { hashKindNamed } from '../../hashes/registry.ts';
import { storedKind } from '../../hashes/recognise.ts';
import { statedBeside } from '../../hashes/transforms/transforms.ts';
import type { Input } from '../input/input.ts';
import { emailOf, type Fields, fieldsIn, type Searching, searchRecords } from './records.ts';

export interface FoundHash {
  readonly passwordHash: string;
  readonly hashingAlgorithm: string | undefined;
}

export interface FoundHashes {
  /** By email; undefined: the user exists, without a password hash. */
  readonly hashes: ReadonlyMap<string, FoundHash | undefined>;
  /** By email, for users without a password hash: the old system that verifies their password. */
  readonly oldSystems: ReadonlyMap<string, string>;
  /** Kinds of all hashes in the part that was read: up to the last sought email. */
  readonly kinds: ReadonlySet<string>;
}

/** Reads until every email was found. @param emails trimmed and in lower case */
export async function findHashes(
  input: Input,
  emails: ReadonlySet<string>,
  surroundings: Searching,
): Promise<FoundHashes> {
  const hashes = new Map<string, FoundHash | undefined>();
  const oldSystems = new Map<string, string>();
  const kinds = new Set<string>();
  let left = emails.size;
  const look = (record: Fields): boolean => {
    for (const method of passwordMethodsOf(record)) {
      const found = hashOf(method);
      if (found !== undefined) kinds.add(kindOf(found));
      const email = emailOf(method) ?? '';
      if (!emails.has(email) || hashes.get(email) !== undefined) continue;
      hashes.set(email, found);
      if (typeof method.legacy === 'string') oldSystems.set(email, method.legacy);
      if (found !== undefined) left -= 1;
    }
    return left === 0;
  };
  await searchRecords(input, look, surroundings);
  return { hashes, oldSystems, kinds };
}

function passwordMethodsOf({ loginMethods }: Fields): Fields[] {
  return fieldsIn(loginMethods).filter(({ recipeId }) => recipeId === 'emailpassword');
}

/** With the stated password forms before the hash, so that one text has everything. */
function hashOf({ passwordHash, hashingAlgorithm, passwordTransforms }: Fields): FoundHash | undefined {
  if (typeof passwordHash !== 'string' || passwordHash === '') return undefined;
  const stated =
    typeof passwordTransforms === 'string' ? statedBeside(passwordHash, passwordTransforms) : passwordHash;
  return {
    // If it is invalid, the core refuses it.
    passwordHash: typeof stated === 'string' ? stated : passwordHash,
    hashingAlgorithm: typeof hashingAlgorithm === 'string' ? hashingAlgorithm : undefined,
  };
}

/** The kind that a hash shows or that is stated for it. */
export function kindOf({ passwordHash, hashingAlgorithm }: FoundHash): string {
  const named = hashingAlgorithm === undefined ? undefined : hashKindNamed(hashingAlgorithm);
  return storedKind(passwordHash) ?? named ?? 'unknown';
}
