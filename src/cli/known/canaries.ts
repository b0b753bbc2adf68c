/** Canaries of an import: known passwords, with the hashes from its own records. */

import { examineTotp } from '../../hashes/doctor/totp/examine-totp.ts';
import type { CodeCanary } from '../../imports/canaries/codes.ts';
import type { Canary } from '../../imports/canaries/passwords.ts';
import type { KnownSecrets } from '../../imports/canaries/known.ts';
import { CommandError } from '../command-error.ts';
import { printable } from '../output/format.ts';
import type { Input } from '../input/input.ts';
import { knownCode } from './codes.ts';
import { findDevices, type FoundDevice } from './devices.ts';
import { findHashes, kindOf } from './hashes.ts';
import { type KnownPair, readPairs } from './passwords.ts';
import type { Surroundings } from '../surroundings.ts';

/** The limit of a core. */
const canariesLimit = 100;

/**
 * Reads the known passwords and codes, and their hashes and secrets from the records that will be sent. Reports the kinds of hash
 * that are not covered.
 * @throws CommandError for an email that is not in the file, or has no password or secret there: by name
 */
export async function readCanaries(
  file: string,
  input: Input,
  surroundings: Surroundings,
): Promise<KnownSecrets> {
  const pairs = await readPairs(file, surroundings);
  if (pairs.length > canariesLimit)
    throw new CommandError(
      `${file}: has ${pairs.length} canaries, and a core takes ${canariesLimit}: one or two of each kind of hash are enough`,
    );
  const passwords = pairs.filter(({ password, code }) => password !== undefined || code === undefined);
  const codes = pairs.filter(({ code }) => code !== undefined);
  const where = { file, input, surroundings };
  return {
    passwords: passwords.length === 0 ? undefined : await passwordCanaries(passwords, where),
    codes: codes.length === 0 ? undefined : await codeCanaries(codes, where),
  };
}

interface Where {
  readonly file: string;
  readonly input: Input;
  readonly surroundings: Surroundings;
}

async function passwordCanaries(
  pairs: readonly KnownPair[],
  { file, input, surroundings }: Where,
): Promise<Canary[]> {
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

/** For a user with several devices a code is checked against the matching one, or else against the first. */
async function codeCanaries(
  pairs: readonly KnownPair[],
  { file, input, surroundings }: Where,
): Promise<CodeCanary[]> {
  const known = pairs.map(({ row, email, code = '', time }) => {
    const where = `${file}: row ${row}`;
    if (email === undefined || time === undefined)
      throw new CommandError(
        `${where} has no ${email === undefined ? 'email' : 'time of its code, in a column time'}`,
      );
    return { email, ...knownCode(where, code, time, surroundings.now()) };
  });
  const devices = await findDevices(input, new Set(known.map(({ email }) => email)), surroundings);
  return known.map(({ email, code, at }) => {
    const own = devices.get(email) ?? [];
    const isOwn = ({ secretKey: secret, ...stated }: FoundDevice): boolean =>
      examineTotp({ secret, codes: [{ code, at }], stated }).code === 'RIGHT';
    const device = own.find(isOwn) ?? own[0];
    if (device === undefined) throw new CommandError(missing(email, devices.has(email), 'TOTP secret'));
    const { encoding: secretEncoding, ...rest } = device;
    return { email, code, at, secretEncoding, ...rest };
  });
}

function requireEmail(
  { row, email, password }: KnownPair,
  file: string,
): { email: string; password: string } {
  if (email !== undefined && password !== undefined) return { email, password };
  throw new CommandError(`${file}: row ${row} has no ${email === undefined ? 'email' : 'password'}`);
}

function missing(email: string, isThere: boolean, what = 'password hash'): string {
  const why = isThere
    ? `has no ${what} in the file`
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
