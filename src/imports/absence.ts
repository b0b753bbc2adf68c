/** Users that the source no longer has. Types and tables only. */

import type { AbsentRefusal } from '../domain/jobs/absent-refusals.ts';

export const absentRules = ['report', 'disable', 'remove'] as const;
/** How users imported from a source are treated when a complete export of it no longer contains them. */
export type AbsentRule = (typeof absentRules)[number];

/** The result of the search, once all lines are there. */
export interface Absence {
  /** Users imported from the source, in the tenants of the file. */
  readonly known: number;
  /** Of these, users who are not in the file. */
  readonly count: number;
  /** Of these, users who have signed in here since the last import of the source began. */
  readonly active: number;
  /** Users who were disabled or removed. */
  readonly done: number;
  readonly refused: AbsentRefusal | undefined;
}

/** An absent user as it is listed. */
export interface AbsentUser {
  /** The user's id as callers know it. */
  readonly userId: string;
  readonly signedInSince: boolean;
  /** `left`: the user was gone, or was enabled by a request, before the rule was applied. */
  readonly done: 'listed' | 'disabled' | 'removed' | 'left';
  /** `made here` and `disabled here` only in a comparison; one who was disabled came from the source. */
  readonly origin: 'imported' | 'made here' | 'disabled here';
}

export type PlacedAbsentUser = AbsentUser & {
  /** The core's id. */
  readonly id: string;
};
