/** Canaries of an import: known passwords, with the hashes that its own records hold. */

import type { Canary } from '../../imports/canaries.ts';
import { CommandError } from '../command-error.ts';
import { printable } from '../output/format.ts';
import type { Input } from './input.ts';
import { findHashes, kindOf } from './known-hashes.ts';
import { type KnownPair, readPairs } from './known-passwords.ts';
import type { Surroundings } from '../surroundings.ts';

/** As many as a core takes. */
const canariesLimit = 100;

/**
 * Reads the known passwords, and their hashes from the records that are going to be sent. Says which kinds are not covered.
 * @throws CommandError for an email that is not in the file, or has no password there: by name
 */
export async function readCanaries(
  file: string,
  input: Input,
  surroundings: Surroundings,
): Promise<Canary[]> {
  const pairs = await readPairs(file, surroundings);
  if (pairs.length > canariesLimit)
    throw new CommandError(
      `${file}: has ${pairs.length} canaries, and a core takes ${canariesLimit}: one or two of each kind of hash are enough`,
    );
  const known = pairs.map((pair) => requireEmail(pair, file));
  const { hashes, kinds } = await findHashes(input, new Set(known.map(({ email }) => email)), surroundings);
  const canaries = known.map(({ email, password }): Canary => {
    const found = hashes.get(email);
    if (found === undefined) throw new CommandError(missing(email, hashes.has(email)));
    return { email, password, ...found };
  });
  noteUncovered(canaries, kinds, surroundings);
  return canaries;
}

function requireEmail(
  { row, email, password }: KnownPair,
  file: string,
): { email: string; password: string } {
  if (email !== undefined && password !== undefined) return { email, password };
  throw new CommandError(`${file}: row ${row} has no ${email === undefined ? 'email' : 'password'}`);
}

function missing(email: string, isThere: boolean): string {
  const why = isThere
    ? 'has no password hash in the file'
    : 'is not in the file, or its record cannot be converted (carryover inspect says why)';
  return `The canary ${printable(email)} ${why}: nothing was imported. Take a user who has one, or leave it out`;
}

function noteUncovered(
  canaries: readonly Canary[],
  kinds: ReadonlySet<string>,
  { stderr }: Surroundings,
): void {
  const covered = new Set(
    canaries.map(({ passwordHash, hashingAlgorithm }) => kindOf({ passwordHash, hashingAlgorithm })),
  );
  const uncovered = [...kinds].filter((kind) => !covered.has(kind)).sort();
  if (uncovered.length > 0)
    stderr.write(
      `No canary has a hash of these kinds, which were met while they were looked up: ${printable(uncovered.join(', '))}\n`,
    );
}
