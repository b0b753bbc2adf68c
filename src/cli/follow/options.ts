import type { AbsentRule } from '../../imports/absence.ts';
import type { OnConflict, SecondFactorRule } from '../../imports/model.ts';
import type { OldDatabaseOptions } from '../input/old-database.ts';

/** How users are imported, as the first import was. */
export interface FollowedAs {
  readonly source?: string;
  readonly idPrefix?: string;
  readonly sameIds?: boolean;
  readonly onConflict: OnConflict;
  readonly secondFactor: SecondFactorRule;
  readonly absent?: AbsentRule;
  readonly forceAbsent?: boolean;
}

export interface FollowOptions extends OldDatabaseOptions, FollowedAs {
  /** Seconds for each broken connection to the core. */
  readonly patience: string;
  /** Seconds between two looks at what changed. */
  readonly interval: number;
  /** Seconds between two readings of all users. */
  readonly fullEvery: number;
  /** One look, and the end. */
  readonly once?: boolean;
}
