/** Numbers and named parameters, as hash strings write them. */

const digitsLimit = 10;
const zero = 0x30;
const nine = 0x39;

/**
 * A decimal of 1 to 10 digits without sign or leading zeros, undefined for anything else. Ten digits represent every 32-bit value
 * and stay exact in a number; some libraries wrap longer ones to small costs.
 */
export function readDecimal(text: string): number | undefined {
  if (text.length === 0 || text.length > digitsLimit) return undefined;
  if (text.length > 1 && text.charCodeAt(0) === zero) return undefined;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < zero || code > nine) return undefined;
  }
  return Number(text);
}

/** As readDecimal, for an optional number. */
export function readCount(text: string | undefined): number | undefined {
  return text === undefined ? undefined : readDecimal(text);
}

/** The parameters of one hash as written, e.g. `i=100000,l=32`. */
export type Parameters<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/**
 * Reads `name=value` pairs separated by `separator`, in any order, each at most once.
 * @returns undefined when a name is not one of `names` (they are case-sensitive) or occurs twice
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
