/** One record of an export: a row of a CSV file (all texts) or a JSON object, before anything is trusted. */
export type SourceRow = Readonly<Record<string, unknown>>;

/** Rows of other tables that belong to the user, by table name. */
export type Related = Readonly<Record<string, readonly SourceRow[]>>;
