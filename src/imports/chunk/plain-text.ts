import type { PlainPassword } from '../tasks.ts';
import { type KnownHash, knownHashes } from '../known-passwords.ts';
import type { Engine } from '../engine.ts';
import type { SingleRecord } from '../parse/types.ts';

/** Passwords that are hashed at the same time: enough for every thread. */
const atOnce = 8;

/**
 * Hashes the plain-text passwords among these records, before any transaction is open: it takes milliseconds each.
 * @returns the hashes by record and login method
 */
export async function hashPlainTexts(
  engine: Engine,
  where: Parameters<typeof knownHashes>[1],
  records: readonly SingleRecord[],
): Promise<ReadonlyMap<number, Readonly<Record<number, string>>>> {
  const passwords = await engine.threads.run({ type: 'passwords', records });
  if (passwords.length === 0) return new Map();
  const having = new Set(passwords.map(({ record }) => record));
  const known = await knownHashes(
    engine,
    where,
    records.filter(({ record }) => having.has(record)),
  );
  return hashPasswords(engine.hasher, passwords, known);
}

/** @returns the hashes by record and login method */
export async function hashPasswords(
  hasher: Pick<Engine['hasher'], 'hash'>,
  passwords: readonly PlainPassword[],
  known: KnownHash = () => Promise.resolve(undefined),
): Promise<ReadonlyMap<number, Readonly<Record<number, string>>>> {
  const hashes = new Map<number, Record<number, string>>();
  for (let i = 0; i < passwords.length; i += atOnce) {
    const some = passwords.slice(i, i + atOnce);
    const made = await Promise.all(
      some.map(async (each) => (await known(each)) ?? hasher.hash(each.password, { isBackground: true })),
    );
    for (const [at, { record, method }] of some.entries()) {
      hashes.set(record, { ...hashes.get(record), [method]: made[at] ?? '' });
    }
  }
  return hashes;
}
