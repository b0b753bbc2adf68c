/** The structural bytes of a JSON text. */

export const quote = 0x22;
export const backslash = 0x5c;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** By byte: whether it is relevant, outside of strings, for the end of an element. */
const isStructure = Uint8Array.from({ length: 256 }, (_, byte) =>
  [quote, openBrace, closeBrace, openBracket, closeBracket].includes(byte) ? 1 : 0,
);

/** The next quote or bracket; the length of the chunk without one. */
export function placeOfStructure(chunk: Uint8Array, from: number): number {
  let at = from;
  while (at < chunk.length && isStructure[chunk[at] ?? 0] === 0) at += 1;
  return at;
}

/** In a string: the next quote or backslash; the length of the chunk without one. */
export function placeOfStringEnd(chunk: Uint8Array, from: number): number {
  let at = from;
  for (; at < chunk.length; at += 1) {
    const byte = chunk[at];
    if (byte === quote || byte === backslash) break;
  }
  return at;
}

export function textOf(bytes: readonly number[]): string {
  return Buffer.from(bytes).toString('utf8');
}
