/** Lines of JSON that end before their brackets and strings do. */

import { JsonScanner } from './json-scanner.ts';

const openBracket = 0x5b;
const openBrace = 0x7b;

/** Whether a line begins as an object or a list, and ends inside it. Other lines that are not JSON were not cut. */
export function isCutJson(line: Uint8Array): boolean {
  const first = line.find((byte) => byte > 0x20 && !byteOrderMark.includes(byte));
  if (first !== openBrace && first !== openBracket) return false;
  const scanner = new JsonScanner([], { add: () => undefined, end: () => undefined });
  scanner.push(line.subarray(line.indexOf(first)));
  return scanner.fault === undefined && scanner.end() !== undefined;
}

/** Of UTF-8, where a file is sent as it is. */
const byteOrderMark: readonly number[] = [0xef, 0xbb, 0xbf];

/** @param number from 1 */
export function endsInLine(number: number): string {
  return `it ends inside line ${number}, whose JSON is not complete: export it again, or copy it again`;
}
