/** The bytes that give a JSON text its structure. */

export const quote = 0x22;
export const backslash = 0x5c;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

function isBracket(byte: number | undefined): boolean {
  return byte === openBrace || byte === closeBrace || byte === openBracket || byte === closeBracket;
}

export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The next quote; before it a backslash in a string, a bracket outside of one. The length of the chunk without one. */
export function placeOfChange(chunk: Uint8Array, from: number, isString: boolean): number {
  let index = from;
  for (; index < chunk.length; index += 1) {
    const byte = chunk[index];
    if (byte === quote) break;
    if (isString ? byte === backslash : isBracket(byte)) break;
  }
  return index;
}

export function textOf(bytes: readonly number[]): string {
  return Buffer.from(bytes).toString('utf8');
}
