import type { Tenant } from '../../domain/model.ts';
import type { Engine } from '../engine.ts';
import type { JobRef } from '../model.ts';
import { readBase } from '../parse/base.ts';
import type { HeldMethod, Holders, SingleRecord } from '../parse/types.ts';
import type { PlainPassword, RecordRules } from '../tasks.ts';
import type { MadeHashes } from './prepared.ts';

/** Passwords that are hashed at the same time: enough for every thread. */
const atOnce = 8;

/** The most hashes that are verified for one password: most users have one password login method. */
const hashesAtMost = 4;

/** The records of one batch, and the rules for them. */
interface Records {
  readonly tenant: Tenant;
  readonly job: JobRef;
  readonly rules: RecordRules;
}

/** Finds the existing hash of a password, if it is known. */
type KnownHash = (password: PlainPassword) => Promise<string | undefined>;

/**
 * Hashes the plain-text passwords of these records, before any transaction is open: each takes milliseconds.
 * @returns the hashes by record and login method
 */
export async function hashPlainTexts(
  engine: Pick<Engine, 'threads' | 'hasher' | 'jobs'>,
  of: Records,
  records: readonly SingleRecord[],
): Promise<MadeHashes> {
  const passwords = await engine.threads.run({ type: 'passwords', records });
  if (passwords.length === 0) return new Map();
  const having = new Set(passwords.map(({ record }) => record));
  const known = await knownHashes(
    engine,
    of,
    records.filter(({ record }) => having.has(record)),
  );
  return hashPasswords(engine.hasher, passwords, known);
}

/** @returns the hashes by record and login method */
export async function hashPasswords(
  hasher: Pick<Engine['hasher'], 'hash'>,
  passwords: readonly PlainPassword[],
  known: KnownHash = () => Promise.resolve(undefined),
): Promise<MadeHashes> {
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

/**
 * A repeated plain-text password is recognised by verifying it, with the hash that the last import made of it or the stored one:
 * hashed again it would look like another password each time.
 * @param records that have passwords
 */
async function knownHashes(
  { threads, hasher, jobs }: Pick<Engine, 'threads' | 'hasher' | 'jobs'>,
  { tenant, job, rules }: Records,
  records: readonly SingleRecord[],
): Promise<KnownHash> {
  const keys = await threads.run({ type: 'keys', records, rules });
  const holders = await jobs.look(job, keys);
  const { hashLimits: limits, signerKey, pepper } = tenant.settings;
  return async ({ record, password }) => {
    for (const hash of hashesOf(holders, record).slice(0, hashesAtMost))
      if (await hasher.verify(password, hash, { limits, signerKey, pepper }, { isBackground: true }))
        return hash;
    return undefined;
  };
}

/** All login methods of the users that the record's keys lead to count; stated hashes come before stored ones. */
function hashesOf({ identities, externals, methods }: Holders, record: number): string[] {
  const led = [...identities, ...externals].filter((each) => each.record === record);
  const ids = new Set(led.flatMap((each) => [each.userId, 'formerId' in each ? each.formerId : null]));
  const heads = new Set(methods.filter(({ userId }) => ids.has(userId)).map(headOf));
  const held = methods.filter((method) => method.recipe === 1 && heads.has(headOf(method)));
  const stated = held.flatMap(({ base }) => readBase(base)?.madeHash ?? []);
  return [...new Set([...stated, ...held.flatMap(({ passwordHash }) => passwordHash ?? [])])];
}

function headOf({ userId, primaryUserId }: HeldMethod): string {
  return primaryUserId ?? userId;
}
