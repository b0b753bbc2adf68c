/** What a request says of all of its records. */
export interface RecordMarks {
  readonly sameIds?: boolean;
  readonly restoreRemoved?: boolean;
}

/** @param user anything: what is no record is told so later @returns the record that says the same by itself */
export function marked(user: unknown, { sameIds = false, restoreRemoved = false }: RecordMarks): unknown {
  if (typeof user !== 'object' || user === null || !(sameIds || restoreRemoved)) return user;
  return { ...user, ...(sameIds && { sameIds }), ...(restoreRemoved && { restoreRemoved }) };
}
