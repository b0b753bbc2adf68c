/** Users that the source does not have any more. Types and tables only. */

import type { AbsentRefusal } from '../domain/jobs/absent-refusals.ts';

export const absentRules = ['report', 'disable', 'remove'] as const;
/** How users who came by imports of a source and are not in a whole export of it are treated. */
export type AbsentRule = (typeof absentRules)[number];

/** What was found of them, once all lines are there. */
export interface Absence {
  /** Users who came by imports of the source, in the tenants of the file. */
  readonly known: number;
  /** Of these, users who are not in the file. */
  readonly count: number;
  /** Of these, users who have signed in here since the last import of the source began. */
  readonly active: number;
  /** Users who were disabled or removed. */
  readonly done: number;
  readonly refused: AbsentRefusal | undefined;
}

/** One of them, as it is listed. */
export interface AbsentUser {
  /** As callers know the user. */
  readonly userId: string;
  readonly signedInSince: boolean;
  /** `left`: was gone, or was enabled by a request, before it came to that. */
  readonly done: 'listed' | 'disabled' | 'removed' | 'left';
}

export type PlacedAbsentUser = AbsentUser & {
  /** The core's id. */
  readonly id: string;
};
