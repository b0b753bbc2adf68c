/** One-time codes of RFC 6238, and Base32, the encoding of secrets in authenticator apps. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const bitsPerLetter = 5;

/** In the form that authenticator apps accept: Base32 of RFC 4648, without padding. */
export function base32Of(bytes: Uint8Array): string {
  let text = '';
  let [bits, count] = [0, 0];
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    for (count += 8; count >= bitsPerLetter; count -= bitsPerLetter)
      text += alphabet.charAt((bits >>> (count - bitsPerLetter)) & 31);
    bits &= (1 << count) - 1;
  }
  return count > 0 ? text + alphabet.charAt((bits << (bitsPerLetter - count)) & 31) : text;
}

/**
 * @param text as people and exports write it: in any case, with blanks, hyphens or padding
 * @returns undefined when it is not Base32
 */
export function bytesOfBase32(text: string): Buffer | undefined {
  const bytes: number[] = [];
  let [bits, count] = [0, 0];
  for (const letter of text.toUpperCase().replaceAll(/[\s-]|=+$/g, '')) {
    const value = alphabet.indexOf(letter);
    if (value < 0) return undefined;
    bits = (bits << bitsPerLetter) | value;
    count += bitsPerLetter;
    if (count >= 8) bytes.push((bits >>> (count -= 8)) & 255);
    bits &= (1 << count) - 1;
  }
  return bytes.length > 0 ? Buffer.from(bytes) : undefined;
}

export const codeAlgorithms = ['SHA1', 'SHA256', 'SHA512'] as const;
export type CodeAlgorithm = (typeof codeAlgorithms)[number];

/** How a device computes a code from its secret and a number. Default: the values of nearly every app. */
export interface CodeShape {
  readonly algorithm?: CodeAlgorithm | undefined;
  readonly digits?: number | undefined;
}

export const defaultShape = { algorithm: 'SHA1', digits: 6 } as const satisfies CodeShape;

/** RFC 6238. @param step the number of the period since 1970 */
export function codeAt(secret: Uint8Array, step: number, shape: CodeShape = {}): string {
  const { algorithm = defaultShape.algorithm, digits = defaultShape.digits } = shape;
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac(algorithm, secret).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7f_ff_ff_ff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

export interface Clock extends CodeShape {
  /** Seconds. */
  readonly period: number;
  readonly skew: number;
  /** ms since the epoch */
  readonly now: number;
}

/** Whether the code is the current one, or that of up to `skew` periods before or after. */
export function isCode(secret: Uint8Array, code: string, clock: Clock): boolean {
  const { period, skew, now, digits = defaultShape.digits } = clock;
  const given = Buffer.from(code);
  if (given.length !== digits) return false;
  const current = Math.floor(now / 1000 / period);
  for (let step = Math.max(0, current - skew); step <= current + skew; step++)
    if (timingSafeEqual(Buffer.from(codeAt(secret, step, clock)), given)) return true;
  return false;
}
