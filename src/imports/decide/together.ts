/** Records that were postponed, because others had their keys: what they give up is free for all of them. */

import type { UserIds } from '../../domain/ids.ts';
import type { OnConflict } from '../model.ts';
import { keyId, withoutForeign } from './foreign.ts';
import type { Freed } from './foreign.ts';
import type { Subject } from './subject.ts';
import { judge } from './verdict.ts';
import type { Verdict } from './verdict.ts';

export interface Judged {
  readonly subject: Subject;
  readonly verdict: Verdict;
}

/** A record that waits for the keys of others. */
interface Hopeful extends Freed, Pick<Judged, 'verdict'> {
  readonly original: Subject;
}

/** Whether the record would be written if nobody else had its keys: then it is worth waiting for those who have them. */
export function mayBeFreed(subject: Subject, onConflict: OnConflict, ids: UserIds): boolean {
  if (onConflict === 'skip' || onConflict === 'reject') return false;
  const { subject: freed, wanted } = withoutForeign(subject);
  return wanted.length > 0 && isWritten(judge(freed, onConflict, ids));
}

/**
 * Each record is judged as if it had its keys; then all go that want a key which none of the others gives up, and all that
 * hoped for theirs. Who remains can be written at once: rings, and lines of users who hand a key on.
 * @param subjects no two that touch one user, or state one key
 */
export function judgeTogether(subjects: readonly Subject[], onConflict: OnConflict, ids: UserIds): Judged[] {
  const all = subjects.map((original) => hopefulOf(original, onConflict, ids));
  const failed = failing(all);
  return all.map((each) =>
    failed.has(each)
      ? { subject: each.original, verdict: judge(each.original, onConflict, ids) }
      : { subject: each.subject, verdict: each.verdict },
  );
}

function hopefulOf(original: Subject, onConflict: OnConflict, ids: UserIds): Hopeful {
  const freed = withoutForeign(original);
  return { original, ...freed, verdict: judge(freed.subject, onConflict, ids) };
}

function isWritten({ outcome }: Verdict): boolean {
  return outcome === 'created' || outcome === 'updated';
}

function failing(all: readonly Hopeful[]): ReadonlySet<Hopeful> {
  const giver = new Map(all.flatMap((each) => givenUp(each).map((id) => [id, each] as const)));
  const hoping = new Map<Hopeful, Hopeful[]>();
  const failed = new Set<Hopeful>();
  for (const each of all) {
    const givers = each.wanted.map((key) => giver.get(keyId(key)));
    if (each.wanted.length > 0 && (!isWritten(each.verdict) || givers.includes(undefined))) failed.add(each);
    for (const other of givers) if (other) hoping.set(other, [...(hoping.get(other) ?? []), each]);
  }
  // A set is walked with what is added on the way.
  for (const each of failed) for (const other of hoping.get(each) ?? []) failed.add(other);
  return failed;
}

function givenUp({ verdict }: Hopeful): string[] {
  return isWritten(verdict) && 'plan' in verdict ? verdict.plan.removedIdentities.map(keyId) : [];
}
