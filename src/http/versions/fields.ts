/** A JSON object: a body before validation, or an answer. */
export type Fields = Readonly<Record<string, unknown>>;

/** @returns a function that removes these fields */
export function without(...names: readonly string[]): (fields: Fields) => Fields {
  return (fields) => Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
