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

/** `auto`: the log where it can be read, else the times of changes. */
export const logRules = ['auto', 'require', 'off'] as const;
export type LogRule = (typeof logRules)[number];

export interface FollowOptions extends OldDatabaseOptions, FollowedAs {
  /** Seconds for each broken connection to the core. */
  readonly patience: string;
  /** Seconds between two looks at what changed. */
  readonly interval: number;
  /** Seconds between two readings of all users. */
  readonly fullEvery: number;
  /** One look, and the end. */
  readonly once?: boolean;
  readonly log: LogRule;
  /** Bytes of its log that the old database may keep for the follower. */
  readonly maxLog: number;
}
