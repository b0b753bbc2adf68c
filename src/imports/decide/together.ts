/** Records that were postponed because other users had their keys: what those give up is free for all of them. */

import type { UserIds } from '../../domain/ids.ts';
import type { Held, HeldUser } from './holders.ts';
import type { IdentityRow } from './plan/plan.ts';
import { resolveKeys } from './plan/resolve.ts';
import type { Subject, SubjectKey, SubjectMethod, SubjectUser } from './subject.ts';
import { judge, type Judging, type Verdict } from './verdict.ts';

export interface Judged {
  readonly subject: Subject;
  readonly verdict: Verdict;
}

/** A record that waits for the keys of others. */
interface Hopeful extends Freed, Pick<Judged, 'verdict'> {
  readonly original: Subject;
}

/** Whether the record would be written if no other user had its keys: then it is worth waiting for the users who have them. */
export function mayBeFreed(subject: Subject, rules: Judging, ids: UserIds): boolean {
  if (rules.onConflict === 'skip' || rules.onConflict === 'reject') return false;
  const { subject: freed, wanted } = withoutForeign(subject);
  return wanted.length > 0 && isWritten(judge(freed, rules, ids));
}

/**
 * Each record is judged as if it had its keys; then records whose key is not released are rejected, and so are records waiting
 * for their keys. The rest is written together: rings and chains of users who pass a key on.
 * @param subjects no two that touch the same user, or state the same key
 */
export function judgeTogether(subjects: readonly Subject[], rules: Judging, ids: UserIds): Judged[] {
  const all = subjects.map((original) => hopefulOf(original, rules, ids));
  const failed = failing(all);
  return all.map((each) =>
    failed.has(each)
      ? { subject: each.original, verdict: judge(each.original, rules, ids) }
      : { subject: each.subject, verdict: each.verdict },
  );
}

function hopefulOf(original: Subject, rules: Judging, ids: UserIds): Hopeful {
  const freed = withoutForeign(original);
  return { original, ...freed, verdict: judge(freed.subject, rules, ids) };
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
  // Iterating a set includes members that are added on the way.
  for (const each of failed) for (const other of hoping.get(each) ?? []) failed.add(other);
  return failed;
}

function givenUp({ verdict }: Hopeful): string[] {
  return isWritten(verdict) && 'plan' in verdict ? verdict.plan.removedIdentities.map(keyId) : [];
}

interface Freed {
  /** The record, as if no other user had its keys. */
  readonly subject: Subject;
  /** Keys that others have. */
  readonly wanted: readonly SubjectKey[];
}

export function withoutForeign(subject: Subject): Freed {
  const wanted = subject.users.flatMap((user) => foreignKeys(resolveKeys(user)));
  if (wanted.length === 0) return { subject, wanted };
  const ids = new Set(wanted.map(keyId));
  const byMethod = new Map(subject.methods.map((method) => [method, freed(method, ids)]));
  const freedOf = (method: SubjectMethod): SubjectMethod => byMethod.get(method) ?? method;
  const users = subject.users.map((user) => ({
    ...user,
    methods: user.methods.map(freedOf),
    head: freedOf(user.head),
  }));
  return { subject: { ...subject, methods: subject.methods.map(freedOf), users }, wanted };
}

/** A text that identifies a key within the app. */
function keyId({ kind, key, tenantNo }: Omit<IdentityRow, 'userId'>): string {
  return `${kind} ${key} ${tenantNo}`;
}

function freed(method: SubjectMethod, wanted: ReadonlySet<string>): SubjectMethod {
  return {
    ...method,
    keys: method.keys.map((key) => (wanted.has(keyId(key)) ? { ...key, held: undefined } : key)),
  };
}

/** Keys that match.ts refuses: of another user than the rest, or of a user with another external id. */
function foreignKeys({ external, methods }: SubjectUser): SubjectKey[] {
  const held = methods.flatMap(({ keys }) => keys.filter((key) => key.held !== undefined));
  const isNew = external !== undefined && external.held === undefined;
  const isKnown = ({ held: holder }: SubjectKey): boolean => isNew && hasExternalId(holder);
  const target: HeldUser | undefined = external?.held?.user ?? held.find((key) => !isKnown(key))?.held?.user;
  return held.filter((key) => isKnown(key) || key.held?.user !== target);
}

function hasExternalId(held: Held | undefined): boolean {
  return [held?.method.externalId, held?.user.head?.externalId].some((id) => typeof id === 'string');
}
