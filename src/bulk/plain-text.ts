import type { PlainPassword } from '../../workers/protocol.ts';
import type { Engine } from './engine.ts';
import type { SingleRecord } from './rows.ts';

/** Passwords that are hashed at the same time: enough for every thread. */
const atOnce = 8;

/**
 * Hashes the plain-text passwords among these records, before any transaction is open: it takes milliseconds each.
 * @returns the hashes by record and login method
 */
export async function hashPlainTexts(
  { threads, hasher }: Pick<Engine, 'threads' | 'hasher'>,
  records: readonly SingleRecord[],
): Promise<ReadonlyMap<number, Readonly<Record<number, string>>>> {
  return hashPasswords(hasher, await threads.run({ type: 'passwords', records }));
}

/** @returns the hashes by record and login method */
export async function hashPasswords(
  hasher: Engine['hasher'],
  passwords: readonly PlainPassword[],
): Promise<ReadonlyMap<number, Readonly<Record<number, string>>>> {
  const hashes = new Map<number, Record<number, string>>();
  for (let i = 0; i < passwords.length; i += atOnce) {
    const some = passwords.slice(i, i + atOnce);
    const made = await Promise.all(some.map(({ password }) => hasher.hash(password, { isBackground: true })));
    for (const [at, { record, method }] of some.entries()) {
      hashes.set(record, { ...hashes.get(record), [method]: made[at] ?? '' });
    }
  }
  return hashes;
}
