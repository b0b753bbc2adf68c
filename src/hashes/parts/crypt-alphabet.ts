import { malformed, type Fault } from '../kind.ts';

/** crypt(3)'s base64 alphabet, in the order of its values. A group's lowest six bits come first. */
export const cryptAlphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const onlyAlphabet = /^[./0-9A-Za-z]*$/;

/**
 * The fault of `text` as the encoding of a whole digest of `bytes` bytes, undefined when it has none. A kind that stores the
 * beginning of an encoding, as Drupal 7 does (43 characters of 86), needs another check: its last character may be any.
 */
export function faultOfEncoded(text: string, bytes: number): Fault | undefined {
  const characters = Math.ceil((bytes * 8) / 6);
  if (text.length !== characters) {
    return malformed(
      `its hash has ${text.length} characters where it must have ${characters}: cut off or added to`,
    );
  }
  if (!onlyAlphabet.test(text)) return malformed('its hash has a character outside ./0-9A-Za-z');
  // The last character holds the remaining bits; crypt(3) writes zeros beyond them.
  const bitsLeft = bytes * 8 - (characters - 1) * 6;
  return cryptAlphabet.indexOf(text.slice(-1)) < 2 ** bitsLeft
    ? undefined
    : malformed('its hash ends in a character that no digest of its length ends in');
}
