/** Limits of a key with the scope import:new, which may only create users. */
import { Refusal } from '../../../domain/errors.ts';
import { allows, type KeyHolder, lackOf } from '../../../domain/access/key-holder.ts';
import type { NewJob } from '../../../imports/model.ts';
import type { CreatesOnly } from '../../../imports/tasks.ts';

/** Scopes for routes that such keys may call; each route checks the rest. */
export const mayCreate = ['import', 'import:new'] as const;

/** @returns undefined for a key that may change users; a key that may assign roles anyway may import them */
export function createsOnlyOf(holder: KeyHolder): CreatesOnly | undefined {
  if (allows(holder, ['import'])) return undefined;
  return { keyName: holder.name, mayGiveRoles: allows(holder, ['admin']) };
}

/**
 * @param job as requested, or as begun, perhaps with another key
 * @throws Refusal KEY_SCOPE_MISSING when the job may do more to users than the key
 */
export function requireWithin(holder: KeyHolder, job: Omit<NewJob, 'uploadLength'>): void {
  if (allows(holder, ['import'])) return;
  const beyond = beyondCreating(job);
  if (beyond !== undefined) throw new Refusal('KEY_SCOPE_MISSING', lackOf(holder, ['import'], beyond));
}

function beyondCreating(job: Omit<NewJob, 'uploadLength'>): string | undefined {
  const { onConflict, absent, sameIds = false, restoreRemoved = false } = job;
  if (onConflict !== 'skip' && onConflict !== 'reject')
    return `onConflict=${onConflict} (skip and reject do without it)`;
  if (absent !== undefined) return `absent=${absent}`;
  if (sameIds) return 'sameIds';
  return restoreRemoved ? 'restoreRemoved' : undefined;
}
