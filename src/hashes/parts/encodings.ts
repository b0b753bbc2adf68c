/**
 * Encodings inside hash strings: decodes exactly what is encoded, and nothing that only resembles it (decoded, encoded again and
 * compared), or only checks it.
 */

/** `bare`: without padding; `padded`; `any`: either of the two; `dotted`: bare with `.` for `+`, as passlib writes it. */
export type Base64Form = 'bare' | 'padded' | 'any' | 'dotted';

/** Longest text that is decoded: keys and salts have 128 bytes at most, templates are shorter still. */
const charactersLimit = 1024;

/** The bytes of standard base64 in the given form, undefined for anything else, spare bits included. */
export function decodeBase64(text: string, form: Base64Form): Buffer | undefined {
  if (text.length > charactersLimit) return undefined;
  const standard = form === 'dotted' ? text.replaceAll('.', '+') : text;
  if (form === 'dotted' && text.includes('+')) return undefined;
  const bytes = Buffer.from(standard, 'base64');
  const padded = bytes.toString('base64');
  const isPadded = standard === padded;
  if (form === 'padded') return isPadded ? bytes : undefined;
  const isBare = standard === withoutPadding(padded, bytes.length);
  return isBare || (form === 'any' && isPadded) ? bytes : undefined;
}

/** The bytes of hexadecimal digits in either case, undefined for anything else. */
export function decodeHex(text: string): Buffer | undefined {
  if (text.length > charactersLimit) return undefined;
  const bytes = Buffer.from(text, 'hex');
  return bytes.toString('hex') === text.toLowerCase() ? bytes : undefined;
}

/** Standard base64 without padding, as PHC strings have it. */
export function encodeBare(bytes: Uint8Array): string {
  return withoutPadding(Buffer.from(bytes).toString('base64'), bytes.length);
}

/** @param bytes that `padded` is the base64 of */
function withoutPadding(padded: string, bytes: number): string {
  const padding = (3 - (bytes % 3)) % 3;
  return padding === 0 ? padded : padded.slice(0, -padding);
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const asciiSize = 128;

/** Sextet by character code, -1 for characters outside the alphabets. */
function sextetTable(...alphabets: readonly string[]): Int8Array {
  const table = new Int8Array(asciiSize).fill(-1);
  for (const alphabet of alphabets) {
    for (let value = 0; value < alphabet.length; value += 1) table[alphabet.charCodeAt(value)] = value;
  }
  return table;
}

const standard = sextetTable(`${letters}+/`);
const standardOrUrlSafe = sextetTable(`${letters}+/`, `${letters}-_`);

/** Bits of the last sextet that belong to no byte, by length modulo 4; a length of 1 modulo 4 does not exist. */
const spareBitsMask = [0, -1, 0b1111, 0b11] as const;

function decodedBytes(text: string, end: number, table: Int8Array): number | undefined {
  if (end % 4 === 1) return undefined;
  let sextet = 0;
  for (let index = 0; index < end; index += 1) {
    sextet = table[text.charCodeAt(index)] ?? -1;
    if (sextet < 0) return undefined;
  }
  return (sextet & (spareBitsMask[end % 4] ?? 0)) === 0 ? Math.floor((end * 3) / 4) : undefined;
}

/**
 * Decoded length in bytes of standard base64 without padding, undefined when it is anything else or its trailing bits are not
 * zero (RFC 4648 section 3.5: such a text has a twin that decodes alike). Nothing is decoded: `Buffer.from(text, 'base64')` never
 * throws and skips unknown characters, so a damaged hash would decode to something that can never match; here it is found at
 * import.
 */
export function strictBase64Bytes(text: string): number | undefined {
  return decodedBytes(text, text.length, standard);
}

/** As strictBase64Bytes for either alphabet, padded in full or not at all: exports of one provider hold both. */
export function lenientBase64Bytes(text: string): number | undefined {
  let end = text.length;
  while (end > 0 && text.length - end < 2 && text[end - 1] === '=') end -= 1;
  if (end < text.length && text.length % 4 !== 0) return undefined;
  return decodedBytes(text, end, standardOrUrlSafe);
}
