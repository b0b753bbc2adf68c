/** What is asked about records that are looked at one by one, and about those removed here. Types only. */

import type { Column } from './types.ts';

/** Keys of records that are looked at one by one. */
export interface SoughtKeys {
  readonly identities: {
    /** The record's ordinal in the chunk, and the login method's in the record. */
    readonly record: Column;
    readonly method: Column;
    readonly tenantNo: Column;
    readonly kind: Column;
    readonly key: Column;
  };
  readonly externals: {
    readonly record: Column;
    readonly externalId: Column;
    readonly externalKey: Column;
    /** The external id where it has the form of a core id, else NULL. */
    readonly coreId: Column;
  };
}

/** A record that speaks of somebody who was removed here. */
export interface RemovedMatch {
  /** The record's ordinal in the chunk. */
  readonly record: number;
  /** Whose tombstone it met: one id for all that is kept of a person. */
  readonly person: string;
}
