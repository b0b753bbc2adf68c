/** The inside of a JSON value, passed over without being parsed. */

import {
  backslash,
  closeBrace,
  openBrace,
  openBracket,
  placeOfStringEnd,
  placeOfStructure,
  quote,
} from './json-bytes.ts';

/** Deeper documents are refused: what follows would have to remember every bracket. */
export const depthLimit = 512;

/** Where in a JSON text its bytes are. */
export interface Nesting {
  /** The brackets around. */
  readonly open: number[];
  isString: boolean;
  /** Of a string: the next byte follows a backslash. */
  isEscaped: boolean;
}

/**
 * The next byte of an element that may end it, or has no place there; the strings and brackets within the element are followed.
 * @param depth brackets around the element
 * @returns its place; the length of the chunk, or more, without one
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
        // What it escapes may stand in the next chunk.
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

/** Follows a bracket within an element. @returns whether it was one: not that which ends the element, or has no place there */
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
