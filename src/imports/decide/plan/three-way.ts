/** Decides for one field which value counts: the one that the source states, the one it stated last, or the stored one. */

import { notStated } from '../../parse/base.ts';
import type { ConflictGroup, OnConflict } from '../../model.ts';
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
 * What the source did not change is not written, whatever is stored; what it changed is applied if it was not changed here.
 * Without a base it is unknown which side changed it: the record counts. A field that had never been stated alone counts as set
 * here.
 */
export function rulingOf({ theirs, base, ours }: Sides): Ruling {
  if (theirs === notStated || theirs === ours || theirs === base) return 'keep';
  return base === undefined || ours === base ? 'take' : 'conflict';
}

/** A record and the user that it means. */
export interface Meeting {
  readonly plan: Plan;
  readonly target: HeldUser;
  readonly onConflict: OnConflict;
  /** No record changes how the account is entered: see evidence.ts. */
  readonly isEntryGuarded?: boolean;
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
  const { group, field, here, source, method } = clash;
  const userId = (target.head ?? target.methods[0])?.externalId ?? target.id;
  const sides = { here: here.slice(0, longestSide), source: source.slice(0, longestSide) };
  plan.conflicts.push({ group, field, ...sides, userId, methodId: method.userId, isTaken });
  return isTaken;
}
