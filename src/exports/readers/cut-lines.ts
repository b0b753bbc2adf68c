/** Lines of JSON that end before their brackets and strings do. */

import { JsonScanner } from './json-scanner.ts';
import { listUnder } from './list-path.ts';

const openBracket = 0x5b;
const openBrace = 0x7b;

/** Whether a line begins as an object or a list, and ends inside it. Other lines that are not JSON were not truncated. */
export function isCutJson(line: Uint8Array): boolean {
  const first = firstByteOf(line) ?? 0;
  if (first !== openBrace && first !== openBracket) return false;
  const scanner = new JsonScanner(listUnder([]), { add: () => undefined, end: () => undefined });
  scanner.push(line.subarray(line.indexOf(first)));
  return scanner.fault === undefined && scanner.end() !== undefined;
}

/** The first byte that is neither white space nor of a byte order mark. */
export function firstByteOf(text: Uint8Array): number | undefined {
  return text.find((byte) => byte > 0x20 && !byteOrderMark.includes(byte));
}

/** UTF-8's, in a file that is sent unchanged. */
const byteOrderMark: readonly number[] = [0xef, 0xbb, 0xbf];

/** @param number from 1; undefined if it was not counted */
export function endsInLine(number: number | undefined): string {
  return `it ends inside ${number === undefined ? 'its last line' : `line ${number}`}, whose JSON is not complete: export it again, or copy it again`;
}
