/** Decodes what a hash string holds, and nothing that only resembles it: decoded, encoded again and compared. */

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
