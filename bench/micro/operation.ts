/** Something small whose time is taken. */
export interface Operation {
  /** As the file of src/ that it mirrors, and what is done: stays, because runs are compared by it. */
  readonly name: string;
  /** What one call does so many of; the figure is that of one. Default: one operation. */
  readonly per?: { readonly unit: string; readonly count: number };
  /** A ceiling that the project promises, ns. */
  readonly promisedNs?: number;
  /**
   * Does it once.
   * @param n counts the calls, to choose another input each time
   * @returns what it made, so that nothing can be left out as useless; a promise makes it an asynchronous one
   */
  readonly run: (n: number) => unknown;
}

/** One of several inputs, another at each call. */
export function pick<Item>(items: readonly Item[], n: number): Item {
  return items[n % items.length] as Item;
}
