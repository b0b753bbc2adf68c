/** A small operation that is timed. */
export interface Operation {
  /** The file of src/ that it mirrors, and the operation: it does not change, because runs are compared by it. */
  readonly name: string;
  /** The number of units in one call; the figure is for one unit. Default: one operation. */
  readonly per?: { readonly unit: string; readonly count: number };
  /** A ceiling that the project promises, ns. */
  readonly promisedNs?: number;
  /**
   * Runs it once.
   * @param n counts the calls, to choose another input each time
   * @returns its result, so that nothing can be optimised away; a promise makes it an asynchronous operation
   */
  readonly run: (n: number) => unknown;
}

/** One of several inputs, another at each call. */
export function pick<Item>(items: readonly Item[], n: number): Item {
  return items[n % items.length] as Item;
}
