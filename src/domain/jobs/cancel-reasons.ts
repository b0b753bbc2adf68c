/** A job stops after this number of rejects without a valid record. Checked after each chunk. */
export const rejectsOnlyLimit = 10_000;

/** After this number of updates a job checks whether its ids belong to other people. */
export const firstUpdates = 1000;

/** Why a job stops without a request: the code, and what the operator can do. */
export const cancelReasons = {
  ALL_REJECTED:
    'The first 10,000 records were all rejected: is this the right file, and was it exported by the provider that was named (--from)? See why they were rejected, then begin again',
  DIFFERENT_PEOPLE:
    'More than half of the first 1,000 updates would have turned a user into another person, sharing only the id. If the ids of this file are of another system than those here, begin again with a prefix for them (idPrefix, --id-prefix); if they mean the same people, with sameIds (--same-ids)',
} as const satisfies Readonly<Record<string, string>>;
export type CancelReason = keyof typeof cancelReasons;
