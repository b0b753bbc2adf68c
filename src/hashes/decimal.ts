const digitsLimit = 10;
const zero = 0x30;
const nine = 0x39;

/**
 * A decimal of 1 to 10 digits without sign or leading zeros, undefined for anything else.
 * Ten digits hold every 32-bit value and stay exact in a number; some libraries wrap longer ones to small costs.
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

/** As readDecimal, for what may be missing. */
export function readCount(text: string | undefined): number | undefined {
  return text === undefined ? undefined : readDecimal(text);
}
