/** Skips the inside of a JSON value without parsing it. */

import {
  backslash,
  closeBrace,
  openBrace,
  openBracket,
  placeOfStringEnd,
  placeOfStructure,
  quote,
} from './json-bytes.ts';

/** Deeper documents are refused: tracking them would have to remember every bracket. */
export const depthLimit = 512;

/** The nesting at a position in a JSON text. */
export interface Nesting {
  /** The open brackets. */
  readonly open: number[];
  isString: boolean;
  /** In a string: the next byte follows a backslash. */
  isEscaped: boolean;
}

/**
 * The next byte of an element that may end it, or is invalid there; the strings and brackets within the element are tracked.
 * @param depth brackets around the element
 * @returns its position; the length of the chunk, or more, without one
 */
export function placeOfEnd(chunk: Uint8Array, from: number, nesting: Nesting, depth: number): number {
  let at = from;
  while (at < chunk.length) {
    if (nesting.isString) {
      if (nesting.isEscaped) return at;
      at = placeOfStringEnd(chunk, at);
      if (nesting.open.length === depth) return at;
      if (chunk[at] === backslash) {
        at += 1;
        // The escaped character may be in the next chunk.
        nesting.isEscaped = at === chunk.length;
      } else nesting.isString = at === chunk.length;
    } else {
      at = placeOfStructure(chunk, at);
      if (at === chunk.length) return at;
      if (chunk[at] === quote) nesting.isString = true;
      else if (!isWithin(chunk[at], nesting.open, depth)) return at;
    }
    at += 1;
  }
  return at;
}

/** Tracks a bracket within an element. @returns whether it was one: not the one that ends the element, or an invalid one */
function isWithin(byte: number | undefined, open: number[], depth: number): boolean {
  if (byte === openBrace || byte === openBracket) {
    if (open.length >= depthLimit) return false;
    open.push(byte);
    return true;
  }
  if (open.length - 1 <= depth) return false;
  if (open.at(-1) !== (byte === closeBrace ? openBrace : openBracket)) return false;
  open.pop();
  return true;
}
