/** One record of an export: a row of a CSV file (all texts) or a JSON object, before anything is trusted. */
export type SourceRow = Readonly<Record<string, unknown>>;
