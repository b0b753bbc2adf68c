import { timingSafeEqual } from 'node:crypto';
import { cryptAlphabet } from '../../parts/crypt-alphabet.ts';

/** Bytes of a digest that make up one group of characters, the most significant first. */
export type Group = readonly number[];

/** `bytes` in crypt(3)'s base64, group by group; each group's lowest six bits come first. */
export function encodeGroups(bytes: Buffer, groups: readonly Group[]): string {
  return groups.map((group) => encodeGroup(group.map((index) => bytes[index] ?? 0))).join('');
}

function encodeGroup(bytes: readonly number[]): string {
  let value = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  let text = '';
  for (let left = bytes.length * 8; left > 0; left -= 6) {
    text += cryptAlphabet.charAt(value & 63);
    value >>>= 6;
  }
  return text;
}

/** Compares in constant time; the parser has ensured the same length. */
export function isSameText(computed: string, expected: string): boolean {
  return computed.length === expected.length && timingSafeEqual(Buffer.from(computed), Buffer.from(expected));
}
