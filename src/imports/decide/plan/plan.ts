/** The rows to be written for records; a plan collects them for one record. */

import { pickCells, type RowOf } from '../../../domain/columns.ts';
import { updateColumns } from '../../../domain/user-columns.ts';
import type { detailsColumns, identityColumns, MethodRow, UpdateRow } from '../../../domain/user-columns.ts';
import type { KeptRestrictions } from '../../../operations/ports/ports.ts';
import type { HeldMethod, TakenOver } from '../../parse/types.ts';
import type { ChangedBy, ConflictGroup, DifferenceGroup } from '../../model.ts';
import type { HeldUser } from '../holders.ts';
import type { Obstacle } from '../obstacles.ts';

export type NewMethod = MethodRow<undefined>;

export type IdentityRow = RowOf<typeof identityColumns, never>;

/** An existing login method, as it will be. */
export type MethodUpdate = UpdateRow;

/** undefined for a user without details. */
export interface DetailsRow extends RowOf<typeof detailsColumns, undefined> {
  readonly restrictions: KeptRestrictions | undefined;
}

export interface Writes {
  readonly users: NewMethod[];
  readonly identities: IdentityRow[];
  /** By the login method's id. */
  readonly updates: Map<string, MethodUpdate>;
  readonly removedIdentities: IdentityRow[];
  readonly formerIdentities: IdentityRow[];
  readonly details: DetailsRow[];
  readonly takenOver: TakenOver[];
}

/** A field that was changed both here and at the source. */
export interface PlannedConflict {
  readonly group: ConflictGroup;
  readonly field: string;
  readonly here: string;
  readonly source: string;
  /** The user's id as callers know it. */
  readonly userId: string;
  /** The core's id of the login method, or for details that of the user. */
  readonly methodId: string;
  /** Whether the plan writes the source's value. */
  readonly isTaken: boolean;
}

/** A field that differs, whether an import would change it or not. */
export interface Difference extends Omit<PlannedConflict, 'group' | 'methodId' | 'isTaken'> {
  readonly group: DifferenceGroup;
  /** undefined for a user who is missing here. */
  readonly methodId: string | undefined;
  readonly changed: ChangedBy;
}

/**
 * Filled step by step while a record is compared with the user it means. Without differences nothing is written for existing
 * users.
 */
export interface Plan extends Writes {
  /** The number of new users. */
  created: number;
  /** Fields in which existing users differ from the record, in the order in which they were found. */
  readonly differences: string[];
  readonly conflicts: PlannedConflict[];
  /** Filled for a comparison only. */
  readonly found: Difference[];
  /** Existing users who would change. */
  readonly changed: Set<HeldUser>;
  /** Why the record cannot be written. */
  obstacle: Obstacle | undefined;
}

export function noWrites(): Writes {
  return {
    users: [],
    identities: [],
    updates: new Map(),
    removedIdentities: [],
    formerIdentities: [],
    details: [],
    takenOver: [],
  };
}

export function emptyPlan(): Plan {
  return {
    ...noWrites(),
    created: 0,
    differences: [],
    conflicts: [],
    found: [],
    changed: new Set(),
    obstacle: undefined,
  };
}

/** The login method as the plan leaves it so far. */
export function planned(plan: Plan, method: HeldMethod): MethodUpdate {
  return plan.updates.get(method.userId) ?? pickCells(updateColumns, method);
}

export function planDifference(plan: Plan, user: HeldUser, field: string): void {
  plan.differences.push(field);
  plan.changed.add(user);
}

/** An empty change counts, too: a login method whose identities change is otherwise written unchanged. */
export function planUpdate(plan: Plan, method: HeldMethod, change: Partial<MethodUpdate>): void {
  plan.updates.set(method.userId, { ...planned(plan, method), ...change });
}
