/** The people of a load: in a twin with its passwords, or made up. */

import { stat } from 'node:fs/promises';
import path from 'node:path';
import {
  emailOf,
  externalIdOf,
  kindOf,
  madeUpMix,
  mixInWords,
  nativeRecord,
  password,
} from '../../../load/made-up.ts';
import { CommandError, fileError } from '../../command-error.ts';
import { linesOf } from '../../input/lines.ts';
import { nativeSource, type UploadSource } from '../../input/source.ts';
import { readPairs } from '../../known/passwords.ts';
import { emailOf as emailIn, type Fields, fieldsIn, recordOf } from '../../known/records.ts';
import type { Surroundings } from '../../surroundings.ts';

/** A user with a password. */
export interface Person {
  readonly email: string;
  readonly password: string;
  /** undefined: the public one. */
  readonly tenant: string | undefined;
}

export interface People {
  readonly source: UploadSource;
  /** Those who sign in; not empty. */
  readonly people: readonly Person[];
  /** All in the source. */
  readonly users: number;
  /** Tenants that the records name, without the public one. */
  readonly tenants: readonly string[];
  /** Of the app, as in `coreConfig`. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly inWords: string;
}

export function madeUpPeople(count: number): People {
  const numbers = Array.from({ length: count }, (_, n) => n);
  return {
    source: sourceOf(count, (n) => nativeRecord(n, madeUpMix.hashes[kindOf(n)])),
    people: numbers.map((n) => ({ email: emailOf(n), password, tenant: undefined })),
    users: count,
    tenants: [],
    settings: { provider_password_hashing_signer_key: madeUpMix.signerKey },
    inWords: `made up: ${mixInWords}`,
  };
}

/** People who are imported while others sign in: other emails and ids than those above. */
export function latecomers(count: number): UploadSource {
  return sourceOf(count, (n) => ({
    externalUserId: `late-${externalIdOf(n)}`,
    loginMethods: [{ recipeId: 'emailpassword', email: `late-${emailOf(n)}`, ...madeUpMix.hashes.bcrypt }],
  }));
}

function sourceOf(count: number, record: (n: number) => object): UploadSource {
  const numbers = Array.from({ length: count }, (_, n) => n);
  const bytes = Buffer.from(numbers.map((n) => `${JSON.stringify(record(n))}\n`).join(''));
  return {
    unit: 'line',
    length: bytes.length,
    fileBytes: bytes.length,
    // eslint-disable-next-line @typescript-eslint/require-await
    open: async function* (offset) {
      yield bytes.subarray(offset);
    },
    fileBytesAt: (offset) => offset,
  };
}

/** As many as a twin of the largest export needs. */
const passwordsLimit = 10_000_000;

/**
 * Reads a twin once, for those whose password is known and for the tenants.
 * @param files NDJSON of native records, and known passwords by email
 * @throws CommandError if a file cannot be read, or none of them can sign in
 */
export async function peopleOfTwin(
  files: { readonly records: string; readonly passwords: string },
  surroundings: Surroundings,
): Promise<People> {
  const file = path.resolve(surroundings.folder, files.records);
  const found = await stat(file).catch((error: unknown) => {
    throw fileError(files.records, error);
  });
  if (!found.isFile())
    throw new CommandError(`${files.records}: it is no file: give NDJSON of native records`, {
      field: '--people',
    });
  const pairs = await readPairs(files.passwords, surroundings, passwordsLimit);
  const known = new Map(pairs.map(({ email = '', password: text = '' }) => [email, text]));
  const source = nativeSource(file, found.size);
  const { people, users, tenants } = await signInsOf(source, known, surroundings);
  if (users === 0)
    throw new CommandError(
      `${files.records}: has no native records, one JSON object a line: 'carryover twin' and 'carryover convert' write them`,
      { field: '--people' },
    );
  if (people.length === 0)
    throw new CommandError(
      `${files.passwords}: has no password of a user in ${files.records}: give the passwords that were written with it`,
      { field: '--passwords' },
    );
  return { source, people, users, tenants, settings: {}, inWords: `of ${path.basename(files.records)}` };
}

async function signInsOf(
  source: UploadSource,
  known: ReadonlyMap<string, string>,
  { interrupt }: Surroundings,
): Promise<Pick<People, 'people' | 'users' | 'tenants'>> {
  const people: Person[] = [];
  const tenants = new Set<string>();
  let users = 0;
  for await (const line of linesOf(source.open(0, interrupt))) {
    const record = recordOf(line);
    if (record === undefined || !Array.isArray(record.loginMethods)) continue;
    users += 1;
    for (const method of fieldsIn(record.loginMethods)) {
      const named = Array.isArray(method.tenantIds) ? method.tenantIds.map(String) : [];
      for (const tenant of named) tenants.add(tenant);
      const email = emailIn(method) ?? '';
      const text = method.recipeId === 'emailpassword' ? known.get(email) : undefined;
      if (text === undefined || text === '' || isHeld(record)) continue;
      people.push({ email, password: text, tenant: named.find((each) => each !== 'public') });
    }
  }
  tenants.delete('public');
  return { people, users, tenants: [...tenants] };
}

/** Whether the core refuses their right password, too. */
function isHeld({ isDisabled, disabledUntil, secondFactors, requiredActions }: Fields): boolean {
  const some = [secondFactors, requiredActions].some((each) => Array.isArray(each) && each.length > 0);
  return some || isDisabled === true || disabledUntil !== undefined;
}
