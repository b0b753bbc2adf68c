/** The parameters of one hash as written, e.g. `i=100000,l=32`. */
export type Parameters<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/**
 * Reads `name=value` pairs separated by `separator`, in any order, each at most once.
 * @returns undefined when a name is not one of `names` (they are case-sensitive) or comes twice
 */
export function readParameters<Name extends string>(
  text: string,
  names: readonly Name[],
  separator = ',',
): Parameters<Name> | undefined {
  const found: Partial<Record<Name, string>> = {};
  // One more than there can be: a string of separators is not worth splitting.
  for (const pair of text.split(separator, names.length + 1)) {
    const equals = pair.indexOf('=');
    const name = names.find((known) => known === pair.slice(0, equals));
    if (equals < 0 || name === undefined || found[name] !== undefined) return undefined;
    found[name] = pair.slice(equals + 1);
  }
  return found;
}
