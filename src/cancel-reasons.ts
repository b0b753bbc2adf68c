/** Rejects without one valid record after which a job stops. Judged after each chunk. */
export const rejectsOnlyLimit = 10_000;

/** Why a job stops by itself: its code, and for people what to do. */
export const cancelReasons = {
  ALL_REJECTED:
    'The first 10,000 records were all rejected: is this the right file, and was it exported by the provider that was named (--from)? See why they were rejected, then begin again',
} as const satisfies Readonly<Record<string, string>>;
export type CancelReason = keyof typeof cancelReasons;
