import type { PlainPassword } from './tasks.ts';
import type { Tenant } from '../domain/model.ts';
import { readBase } from './parse/base.ts';
import { type Engine, rulesOf } from './engine.ts';
import type { Job } from './model.ts';
import type { HeldMethod, Holders, SingleRecord } from './parse/types.ts';

type Asking = Pick<
  Engine,
  'threads' | 'hasher' | 'jobs' | 'tenantNumbers' | 'allowPlainText' | 'placeSecret' | 'now'
>;

/** Finds the hash that a password has already, if it is known. */
export type KnownHash = (password: PlainPassword) => Promise<string | undefined>;

/** More than that many are not verified for one password: a user has one password login method, mostly. */
const hashesAtMost = 4;

/**
 * Plain text that comes again is known by verifying it, with the hash that the last import made of it, or the one that
 * is stored: hashed anew it would look like another password each time.
 * @param records that have passwords
 */
export async function knownHashes(
  engine: Asking,
  { tenant, job }: { readonly tenant: Tenant; readonly job: Job },
  records: readonly SingleRecord[],
): Promise<KnownHash> {
  const rules = await rulesOf(engine, tenant, job);
  const keys = await engine.threads.run({ type: 'keys', records, rules });
  const holders = await engine.jobs.look(job, keys);
  const { hashLimits: limits, signerKey, pepper } = tenant.settings;
  return async ({ record, password }) => {
    for (const hash of hashesOf(holders, record).slice(0, hashesAtMost))
      if (await engine.hasher.verify(password, hash, { limits, signerKey, pepper }, { isBackground: true }))
        return hash;
    return undefined;
  };
}

/** Of all login methods of the users whom the record's keys lead to; what was stated before what is stored. */
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
