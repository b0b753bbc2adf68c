/** Decides for one field which value counts: the one that the source states, the one it stated last, or the stored one. */

import { notStated } from '../../parse/base.ts';
import type { ChangedBy, ConflictGroup, DifferenceGroup, OnConflict } from '../../model.ts';
import type { HeldMethod } from '../../parse/types.ts';
import type { HeldUser } from '../holders.ts';
import type { Plan } from './plan.ts';

/** Digests, see base.ts. */
export interface Sides {
  readonly theirs: string;
  /** undefined: no import has stated the login method. */
  readonly base: string | undefined;
  readonly ours: string;
}

export type Ruling = 'keep' | 'take' | 'conflict';

/**
 * Which side has changed a field since the last import, by which both were equal.
 * @returns undefined if the two are equal, or the record does not state the field
 */
export function changedBy({ theirs, base, ours }: Sides): ChangedBy | undefined {
  if (theirs === notStated || theirs === ours) return undefined;
  if (base === undefined) return 'unknown';
  if (theirs === base) return 'here';
  return ours === base ? 'there' : 'both';
}

const rulings: Readonly<Record<ChangedBy, Ruling>> = {
  here: 'keep',
  there: 'take',
  unknown: 'take',
  both: 'conflict',
};

/**
 * What the source did not change is not written, whatever is stored; what it changed is applied if it was not changed here.
 * Without a base it is unknown which side changed it: the record counts. A field that had never been stated alone counts as set
 * here.
 */
export function rulingOf(sides: Sides): Ruling {
  const changed = changedBy(sides);
  return changed === undefined ? 'keep' : rulings[changed];
}

/** A record and the user that it means. */
export interface Meeting {
  readonly plan: Plan;
  readonly target: HeldUser;
  readonly onConflict: OnConflict;
  /** No record changes how the account is entered: see evidence.ts. */
  readonly isEntryGuarded?: boolean;
  /** Of a comparison, which notes all differences: ms since the epoch. */
  readonly comparedAt?: number | undefined;
}

export interface Clash {
  readonly group: ConflictGroup;
  readonly field: string;
  readonly here: string;
  readonly source: string;
  readonly method: Pick<HeldMethod, 'userId'>;
}

/** Longer values are cut off in a conflict. */
const longestSide = 1000;

/** A field that may differ. */
export interface Compared extends Omit<Clash, 'group'> {
  readonly group: DifferenceGroup;
}

/** Notes a field if it differs, for a comparison. @param values digests or texts of it */
export function note(meeting: Meeting, compared: Compared, values: Sides): void {
  const changed = changedBy(values);
  if (changed !== undefined) noteChanged(meeting, compared, changed);
}

/** Notes a field that differs, for a comparison. */
export function noteChanged(
  { plan, target, comparedAt }: Meeting,
  compared: Compared,
  changed: ChangedBy,
): void {
  if (comparedAt === undefined) return;
  const { method, ...rest } = compared;
  plan.found.push({
    ...rest,
    ...cutSides(compared),
    userId: knownAs(target),
    methodId: method.userId,
    changed,
  });
}

function cutSides({ here, source }: Pick<Clash, 'here' | 'source'>): Pick<Clash, 'here' | 'source'> {
  return { here: here.slice(0, longestSide), source: source.slice(0, longestSide) };
}

/** The user's id as callers know it. */
function knownAs(target: HeldUser): string {
  return (target.head ?? target.methods[0])?.externalId ?? target.id;
}

/** The effect of `update`: it takes the source's value, or keeps the stored one. `keeps always`: so does `theirs`. */
export type Undecided = 'takes' | 'keeps' | 'keeps always';

/**
 * Notes a conflict.
 * @returns whether the source's value is taken
 */
export function settle(
  { plan, target, onConflict }: Meeting,
  clash: Clash,
  undecided: Undecided = 'takes',
): boolean {
  const isTaken =
    undecided !== 'keeps always' &&
    (onConflict === 'theirs' || (onConflict !== 'ours' && undecided === 'takes'));
  const { group, field, method } = clash;
  const userId = knownAs(target);
  plan.conflicts.push({ group, field, ...cutSides(clash), userId, methodId: method.userId, isTaken });
  return isTaken;
}
