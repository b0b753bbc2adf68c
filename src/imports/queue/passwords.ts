import type { PlainPassword } from '../tasks.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Engine } from '../engine.ts';
import { hashPasswords } from '../chunks/plain-text.ts';

interface Hashing {
  readonly hasher: Pick<Engine['hasher'], 'hash'>;
}

/** Plain-text passwords in one request to the queue: its answer waits for their hashes, some 10 s on two cores. */
export const maxPlainTexts = 1000;

/**
 * Records as the queue may store them: with hashes instead of plain-text passwords, which reach no table, log or backup of the
 * database.
 * @param texts valid records
 * @throws Refusal INVALID_FIELD for more than 1,000 plain-text passwords, OVERLOADED when too many wait to be hashed
 */
export async function withoutPlainTexts(
  { threads, hasher, allowPlainText }: Hashing & Pick<Engine, 'threads' | 'allowPlainText'>,
  texts: readonly string[],
): Promise<readonly string[]> {
  if (!allowPlainText) return texts;
  const records = texts.map((text, record) => ({ record, line: record + 1, text }));
  const passwords = await threads.run({ type: 'passwords', records });
  const hashes = await hashesOf({ hasher }, passwords);
  return texts.map((text, record) => withHashes(text, hashes.get(record)));
}

/**
 * @returns the hashes by record and login method
 * @throws as withoutPlainTexts
 */
export async function hashesOf(
  { hasher }: Hashing,
  passwords: readonly PlainPassword[],
): Promise<ReadonlyMap<number, Readonly<Record<number, string>>>> {
  if (passwords.length > maxPlainTexts) throw tooManyPlainTexts();
  return hashPasswords(hasher, passwords);
}

interface Method {
  plainTextPassword?: string;
  passwordHash?: string;
  hashingAlgorithm?: string;
  passwordTransforms?: string;
}

/** A record with hashes instead of its plain-text passwords. @param hashes by login method */
export function withHashes(text: string, hashes: Readonly<Record<number, string>> | undefined): string {
  if (hashes === undefined) return text;
  const user = JSON.parse(text) as { readonly loginMethods: Method[] };
  for (const [place, method] of user.loginMethods.entries()) {
    const passwordHash = hashes[place];
    if (passwordHash === undefined) continue;
    delete method.plainTextPassword;
    // The record's algorithm does not apply to a hash of the core, which states its own.
    delete method.hashingAlgorithm;
    delete method.passwordTransforms;
    method.passwordHash = passwordHash;
  }
  return JSON.stringify(user);
}

function tooManyPlainTexts(): Refusal {
  return new Refusal(
    'INVALID_FIELD',
    `Field name 'users' is invalid in JSON input: at most ${maxPlainTexts} plainTextPassword in a request, because they are hashed before it is answered: send fewer users at a time, or all of them as a job (POST /bulk-import/jobs)`,
  );
}
