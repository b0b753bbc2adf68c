/** What is asked about records that are looked at one by one, and about those removed here. Types only. */

import type { ArraysOf } from '../../domain/columns.ts';
import type { soughtExternalColumns, soughtIdentityColumns } from '../../domain/user-columns.ts';

/** Keys of records that are looked at one by one. */
export interface SoughtKeys {
  readonly identities: ArraysOf<typeof soughtIdentityColumns>;
  readonly externals: ArraysOf<typeof soughtExternalColumns>;
}

/** A record that speaks of somebody who was removed here. */
export interface RemovedMatch {
  /** The record's ordinal in the chunk. */
  readonly record: number;
  /** Whose tombstone it met: one id for all that is kept of a person. */
  readonly person: string;
}
