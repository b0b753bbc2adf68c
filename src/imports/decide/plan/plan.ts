/** What is to be written for records, as rows; a plan gathers it for one record. */

import { pickCells, type RowOf } from '../../../domain/columns.ts';
import { updateColumns } from '../../../domain/user-columns.ts';
import type { detailsColumns, identityColumns, MethodRow, UpdateRow } from '../../../domain/user-columns.ts';
import type { KeptRestrictions } from '../../../operations/ports/ports.ts';
import type { HeldMethod, TakenOver } from '../../parse/types.ts';
import type { ConflictGroup } from '../../model.ts';
import type { HeldUser } from '../holders.ts';
import type { Obstacle } from '../obstacles.ts';

export type NewMethod = MethodRow<undefined>;

export type IdentityRow = RowOf<typeof identityColumns, never>;

/** A login method that was there, as it will be. */
export type MethodUpdate = UpdateRow;

/** undefined where the user has none. */
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

/** A field that was changed here and at the source. */
export interface PlannedConflict {
  readonly group: ConflictGroup;
  readonly field: string;
  readonly here: string;
  readonly source: string;
  /** As callers know the user. */
  readonly userId: string;
  /** The core's id of the login method; of details the user's. */
  readonly methodId: string;
  /** Whether the plan writes what the source says. */
  readonly isTaken: boolean;
}

/** Filled step by step while a record is compared with the user it means. Without differences nothing is written for users who exist. */
export interface Plan extends Writes {
  /** Users who are created. */
  created: number;
  /** Fields in which users who exist differ from the record, in the order in which they were found. */
  readonly differences: string[];
  readonly conflicts: PlannedConflict[];
  /** Users who exist and would change. */
  readonly changed: Set<HeldUser>;
  /** Why it cannot be written. */
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

/** An empty change counts, too: a login method whose identities change is kept as it was before. */
export function planUpdate(plan: Plan, method: HeldMethod, change: Partial<MethodUpdate>): void {
  plan.updates.set(method.userId, { ...planned(plan, method), ...change });
}
