/** What a request says of all of its records. */
export interface RecordMarks {
  readonly sameIds?: boolean;
}

/** @param user anything: what is no record is told so later @returns the record that says the same by itself */
export function marked(user: unknown, { sameIds = false }: RecordMarks): unknown {
  return sameIds && typeof user === 'object' && user !== null ? { ...user, sameIds } : user;
}
