/** The path to a list of records in a JSON document. */

/** Each element of an array; as the last step, also each value of an object. */
export const each = Symbol('each');

/** A key of an object, or each element. */
export type Step = string | typeof each;

export interface ListPath {
  /** From the document to its records; the last step is `each`. */
  readonly steps: readonly Step[];
  /** Fields of the object around the list that its records need: their texts, if they precede the list. */
  readonly beside?: readonly string[];
  /**
   * The list was found by the look of its elements. It may be an object with records by their keys, and several such documents
   * may follow one another. Records are `[key or null, fields beside the list or null, record]`.
   */
  readonly isFound?: boolean;
}

/** The array under these keys of a document. */
export function listUnder(path: readonly string[]): ListPath {
  return { steps: [...path, each] };
}

/** In jq's notation: `.data.users[]`. */
export function jqPath(steps: readonly Step[]): string {
  const text = steps.map((step) => (step === each ? '[]' : dotted(step))).join('');
  return text.startsWith('.') ? text : `.${text}`;
}

function dotted(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** Whether the elements of the one list contain the other. */
export function isWithin(outer: readonly Step[], inner: readonly Step[]): boolean {
  return outer.length < inner.length && outer.every((step, place) => step === inner[place]);
}

export function isSamePath(one: readonly Step[], other: readonly Step[]): boolean {
  return one.length === other.length && one.every((step, place) => step === other[place]);
}
