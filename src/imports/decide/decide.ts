/** Decides about records that meet existing users, or are more than one row: match, compare, plan, encode. Pure. */

import type { PrimaryLine } from '../parse/primaries.ts';
import { UserIds } from '../../domain/ids.ts';
import type { DecideTask } from '../tasks.ts';
import { changesOf } from './columns.ts';
import { indexHolders, type HeldUser } from './holders.ts';
import { infoTaken, obstacleTo, removedTenant } from './obstacles.ts';
import {
  type Difference,
  noWrites,
  type IdentityRow,
  type Plan,
  type PlannedConflict,
  type Writes,
} from './plan/plan.ts';
import { primariesOf } from './primaries.ts';
import { isSeenByOthers } from './seen-by-others.ts';
import { subjectOf, type Subject } from './subject.ts';
import { judgeTogether, mayBeFreed, withoutForeign } from './together.ts';
import { judge, type Verdict } from './verdict.ts';
import type { Conflict, ConflictOutcome, Reject } from '../model.ts';
import { claimOf, parseRecord } from '../record/parse-record.ts';
import { digestOf } from '../record/keys.ts';
import { FactorSealer } from '../record/seal-factors.ts';
import type { ClaimOfChunk, Decided, SingleRecord } from '../parse/types.ts';

/**
 * @param task records in the order of their lines, no two with the same key
 * @throws Error when the task breaks its contract: a holder's rows or a plain-text password's hash are missing
 */
export function decide({ records, holders, rules, removed = [], rivals = [] }: DecideTask): Decided {
  const index = indexHolders(holders, removed);
  const ids = new UserIds(rules.placeSecret);
  const decisions = new Decisions(new FactorSealer(rules.sealing), rules.compare === true);
  const together: Subject[] = [];
  const rivalOf = new Map(rivals.map((rival) => [rival.line, rival]));
  for (const single of records) {
    const result = parseRecord(single.text, rules);
    if (!result.ok) {
      decisions.refuse({ ...result.reject, line: single.line });
      continue;
    }
    const subject = subjectOf(single, result.record, { index, rules });
    // A postponed record has claimed its keys itself.
    const obstacle =
      (rules.isTogether === true ? removedTenant(subject) : obstacleTo(subject)) ??
      infoTaken(subject, rivalOf.get(single.line));
    if (obstacle) decisions.add(subject, { outcome: 'rejected', obstacle, conflicts: [] });
    else if (decisions.isDeferred(freeOf(subject, rules))) decisions.defer(freeOf(subject, rules));
    else if (rules.isTogether === true) {
      decisions.await(freeOf(subject, rules));
      together.push(subject);
    } else decideOne(decisions, subject, single, { rules, ids });
  }
  for (const { subject, verdict } of judgeTogether(together, rules, ids)) decisions.add(subject, verdict);
  return decisions.decided();
}

/** For records that are decided together, the users whose keys they take do not count as touched. */
function freeOf(subject: Subject, { isTogether }: DecideTask['rules']): Subject {
  return isTogether === true ? withoutForeign(subject).subject : subject;
}

/** Longer records are not postponed: they are refused at once. */
const longestPostponed = 4096;

function decideOne(
  decisions: Decisions,
  subject: Subject,
  { text, hashes }: SingleRecord,
  { rules, ids }: { readonly rules: DecideTask['rules']; readonly ids: UserIds },
): void {
  const verdict = judge(subject, rules, ids);
  const isTaken = verdict.outcome === 'rejected' && verdict.obstacle.code === 'IDENTITY_TAKEN';
  const isKept = rules.mayPostpone === true && hashes === undefined && text.length <= longestPostponed;
  if (isTaken && isKept && mayBeFreed(subject, rules, ids)) decisions.postpone(subject);
  else decisions.add(subject, verdict);
}

type Decision = keyof Decided['lines'];

/**
 * Collects the decisions about records. `#awaited` are users who are about to change, or who are touched by a record that waits
 * for such a user: later records that touch them wait, too, so that each user sees its records in the order of their lines.
 */
class Decisions {
  readonly #writes: Writes = noWrites();
  readonly #lines: Record<Decision, number[]> = { created: [], updated: [], unchanged: [], skipped: [] };
  readonly #byKind = new Map<string, number>();
  readonly #rejects: Reject[] = [];
  readonly #conflicts: Conflict[] = [];
  readonly #claims: ClaimOfChunk[] = [];
  readonly #primaries: PrimaryLine[] = [];
  readonly #deferred: number[] = [];
  readonly #restored: string[] = [];
  readonly #postponed: number[] = [];
  readonly #awaited = new Set<HeldUser>();
  readonly #factors: FactorSealer;
  readonly #compares: boolean;
  #rebased = 0;
  #isOutOfOrder = false;
  #isSeenByOthers = false;

  /** @param compares nothing is written: a user who is missing here leaves its keys as claims, as it is not created */
  constructor(factors: FactorSealer, compares: boolean) {
    this.#factors = factors;
    this.#compares = compares;
  }

  isDeferred(subject: Subject): boolean {
    return touchedBy(subject).some((user) => this.#awaited.has(user));
  }

  defer(subject: Subject): void {
    this.await(subject);
    this.#deferred.push(subject.ordinal);
  }

  await(subject: Subject): void {
    for (const user of touchedBy(subject)) this.#awaited.add(user);
  }

  /** Its keys are claimed as those of a reject. */
  postpone(subject: Subject): void {
    this.#claims.push(...claimsOf(subject));
    this.#postponed.push(subject.ordinal);
  }

  add(subject: Subject, verdict: Verdict): void {
    for (const each of verdict.conflicts) this.#conflicts.push(listed(subject, each, verdict));
    if (verdict.outcome !== 'created' || this.#compares) this.#claims.push(...claimsOf(subject));
    if (verdict.outcome === 'rejected') {
      this.refuse({ line: subject.line, externalUserId: subject.externalUserId, ...verdict.obstacle });
      return;
    }
    this.#lines[verdict.outcome].push(subject.line);
    this.#countKinds(subject);
    if (!('plan' in verdict)) return;
    if (this.#compares) {
      for (const each of verdict.plan.found) this.#conflicts.push(listedDifference(subject, each));
      return;
    }
    if (verdict.outcome === 'unchanged') this.#rebased += verdict.plan.changed.size;
    this.#write(subject, verdict.plan);
    if (subject.restoresRemoved) this.#restored.push(...subject.removed);
  }

  refuse(reject: Reject): void {
    this.#rejects.push(reject);
  }

  decided(): Decided {
    const { created, updated, unchanged, skipped } = this.#lines;
    return {
      changes: changesOf(this.#writes, this.#factors),
      counts: {
        created: created.length,
        updated: updated.length,
        unchanged: unchanged.length,
        skipped: skipped.length,
      },
      lines: this.#lines,
      byKind: Object.fromEntries(this.#byKind),
      rejects: this.#rejects,
      conflicts: this.#conflicts,
      rebased: this.#rebased,
      claims: this.#claims,
      primaries: this.#primaries,
      released: this.#writes.removedIdentities.map(releasedKey),
      deferred: this.#deferred,
      restored: this.#restored,
      postponed: this.#postponed,
      isOutOfOrder: this.#isOutOfOrder,
      movesKeys: this.#writes.removedIdentities.length > 0,
      isSeenByOthers: this.#isSeenByOthers,
    };
  }

  #write(subject: Subject, plan: Plan): void {
    const { users, identities, updates, removedIdentities, formerIdentities, details } = this.#writes;
    users.push(...plan.users);
    identities.push(...plan.identities);
    for (const [id, update] of plan.updates) updates.set(id, update);
    removedIdentities.push(...plan.removedIdentities);
    formerIdentities.push(...plan.formerIdentities);
    details.push(...plan.details);
    this.#writes.takenOver.push(...plan.takenOver);
    for (const user of plan.changed) this.#awaited.add(user);
    for (const head of primariesOf(plan)) this.#primaries.push({ line: subject.line, head });
    this.#isSeenByOthers ||= isSeenByOthers(plan, subject);
    this.#isOutOfOrder ||= [...plan.changed].some((user) => wasUnchangedAfter(user, subject.line));
  }

  #countKinds({ methods }: Subject): void {
    for (const { hashKind } of methods)
      if (hashKind !== undefined) this.#byKind.set(hashKind, (this.#byKind.get(hashKind) ?? 0) + 1);
  }
}

function listed(
  { line, externalUserId }: Subject,
  conflict: PlannedConflict,
  { outcome }: Verdict,
): Conflict {
  const { isTaken, ...rest } = conflict;
  const isLeft = outcome === 'skipped' || outcome === 'rejected';
  const done: ConflictOutcome = isLeft ? outcome : isTaken ? 'replaced' : 'kept';
  return { line, externalUserId, ...rest, done };
}

function listedDifference({ line, externalUserId }: Subject, difference: Difference): Conflict {
  return { line, externalUserId, ...difference, done: 'compared' };
}

function touchedBy({ external, methods }: Subject): HeldUser[] {
  const keys = methods.flatMap((method) => method.keys);
  const former = keys.flatMap((key) => key.former?.user ?? []);
  const held = [external, ...keys].flatMap((key) => key?.held?.user ?? []);
  return [...held, ...former];
}

/** Whether a later line was compared with the user as it was before this one. */
function wasUnchangedAfter({ methods }: HeldUser, line: number): boolean {
  return methods.some(({ unchangedAtLine }) => unchangedAtLine !== null && unchangedAtLine > line);
}

function claimsOf({ line, keys }: Subject): ClaimOfChunk[] {
  return keys.map((key) => claimOf(key, line));
}

function releasedKey({ tenantNo, kind, key }: IdentityRow): Decided['released'][number] {
  return { tenantNo, kind, key, digest: digestOf({ tenantNo, kind, text: key }) };
}
