/** What a comparison finds, from the lists of its job. */

import type { AbsentUser } from './absence.ts';
import type { ChangedBy, Conflict, DifferenceGroup, Reject } from './model.ts';

interface Found {
  /** Nothing is left to be done about it: it was intended, or is the result of an intended change. */
  readonly explained: boolean;
}

/** A field of a user who is on both sides. Secrets are compared, and never shown. */
export interface DifferentField extends Found {
  readonly is: 'different';
  /** The record's number among those of the source, from 1. */
  readonly line: number;
  readonly externalUserId?: string | undefined;
  /** The user's id as callers know it. */
  readonly userId: string;
  /** Path in the record. */
  readonly field: string;
  readonly group: DifferenceGroup;
  /** The side that has changed it since both were last equal. */
  readonly changed: ChangedBy;
  readonly here: string;
  readonly there: string;
}

/** A record without a user here. */
export interface MissingHere extends Found {
  readonly is: 'missingHere' | 'removedHere';
  readonly line: number;
  readonly externalUserId?: string | undefined;
}

/** A user without a record in the source. `removedThere`: the user came from it, and is disabled here. */
export interface MissingThere extends Found {
  readonly is: 'missingThere' | 'removedThere' | 'madeHere';
  readonly userId: string;
  /** Has signed in here since the last import of the source began. */
  readonly signedInSince: boolean;
}

/** A record that an import would reject. `leftOut`: the source marks its user as deleted. */
export interface NotImportable
  extends Found, Pick<Reject, 'line' | 'externalUserId' | 'code' | 'field' | 'message'> {
  readonly is: 'notImportable' | 'leftOut';
}

export type Difference = DifferentField | MissingHere | MissingThere | NotImportable;
export type Kind = Difference['is'];

/** In the order in which they are shown: the unexplained first. */
export const differenceKinds: readonly (readonly [kind: Kind, title: string])[] = [
  ['missingHere', 'missing here'],
  ['missingThere', 'missing there: they came from it, and it no longer has them'],
  ['different', 'different'],
  ['notImportable', 'with a record that an import would reject'],
  ['removedHere', 'removed here since they were imported'],
  ['removedThere', 'gone there, and disabled here'],
  ['madeHere', 'made here, and never there'],
  ['leftOut', 'marked as deleted there'],
];

export const changedSides = {
  there: 'changed there',
  both: 'changed on both sides',
  unknown: 'no import has stated them',
  here: 'changed here',
} as const satisfies Readonly<Record<ChangedBy, string>>;

export function ofConflict({
  line,
  externalUserId,
  userId,
  field,
  group,
  changed = 'unknown',
  here,
  source: there,
}: Omit<Conflict, 'methodId'>): DifferentField | MissingHere {
  if (group === 'user') return { is: 'missingHere', line, externalUserId, explained: false };
  const explained = changed === 'here';
  return { is: 'different', line, externalUserId, userId, field, group, changed, here, there, explained };
}

export function ofReject({
  line,
  externalUserId,
  code,
  field,
  message,
  isGone,
}: Omit<Reject, 'isStated'>): MissingHere | NotImportable {
  if (code === 'REMOVED_HERE') return { is: 'removedHere', line, externalUserId, explained: true };
  const explained = isGone === true;
  const is = explained ? 'leftOut' : 'notImportable';
  return { is, line, externalUserId, code, field, message, explained };
}

const origins = {
  imported: 'missingThere',
  'made here': 'madeHere',
  'disabled here': 'removedThere',
} as const satisfies Readonly<Record<AbsentUser['origin'], Kind>>;

export function ofAbsent({ userId, signedInSince, origin }: Omit<AbsentUser, 'done'>): MissingThere {
  const is = origins[origin];
  return { is, userId, signedInSince, explained: is !== 'missingThere' };
}
