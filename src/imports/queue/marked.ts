/** Options that a request states for all of its records. */
export interface RecordMarks {
  readonly sameIds?: boolean;
  readonly restoreRemoved?: boolean;
}

/** @param user of any type: an invalid record is rejected later @returns the record with these options in it */
export function marked(user: unknown, { sameIds = false, restoreRemoved = false }: RecordMarks): unknown {
  if (typeof user !== 'object' || user === null || !(sameIds || restoreRemoved)) return user;
  return { ...user, ...(sameIds && { sameIds }), ...(restoreRemoved && { restoreRemoved }) };
}
