/** A JSON object: of a body before it is validated, or of an answer. */
export type Fields = Readonly<Record<string, unknown>>;

/** @returns a function that leaves out these fields */
export function without(...names: readonly string[]): (fields: Fields) => Fields {
  return (fields) => Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
