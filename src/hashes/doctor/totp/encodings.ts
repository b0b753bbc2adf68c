/** The possible bytes of a TOTP secret, by its text in an export. */

import { decodeBase64, decodeHex } from '../../parts/encodings.ts';
import { bytesOfBase32 } from '../../parts/one-time-code.ts';

/** As a record names it in `secretEncoding`. */
export const secretEncodings = ['base32', 'text', 'hex', 'base64', 'latin1'] as const;
export type SecretEncoding = (typeof secretEncodings)[number];

/** In words, for messages. */
export const encodingWords: Readonly<Record<SecretEncoding, string>> = {
  base32: 'Base32',
  text: "the text's own bytes (UTF-8)",
  hex: 'hexadecimal',
  base64: 'base64',
  latin1: 'one character a byte (Latin-1)',
};

/** @returns undefined when the text is not of this encoding */
export function secretBytes(text: string, encoding: SecretEncoding): Buffer | undefined {
  if (text === '') return undefined;
  if (encoding === 'base32') return bytesOfBase32(text);
  if (encoding === 'text') return Buffer.from(text);
  if (encoding === 'hex') return decodeHex(text);
  if (encoding === 'base64') return decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'), 'any');
  const bytes = Buffer.from(text, 'latin1');
  return bytes.toString('latin1') === text ? bytes : undefined;
}

/** Bytes that the text may mean. */
export interface Meaning {
  readonly encoding: SecretEncoding;
  /** The text was encoded in Base32 once more: it decodes to a text of `encoding`. */
  readonly isWrapped: boolean;
  readonly bytes: Buffer;
}

/** Each meaning once: of two with the same bytes the likelier. @param documented the source's documented encoding */
export function meaningsOf(text: string, documented: SecretEncoding = 'base32'): Meaning[] {
  const order = [documented, ...secretEncodings.filter((each) => each !== documented)];
  const own = order.flatMap((encoding) => meaning(text, encoding, false));
  const inner = bytesOfBase32(text)?.toString('latin1') ?? '';
  const isText = /^[\x20-\x7e]+$/.test(inner);
  const wrapped = isText ? secretEncodings.flatMap((encoding) => meaning(inner, encoding, true)) : [];
  const byBytes = new Map<string, Meaning>();
  for (const each of [...own, ...wrapped]) {
    const key = each.bytes.toString('hex');
    if (!byBytes.has(key)) byBytes.set(key, each);
  }
  return [...byBytes.values()];
}

function meaning(text: string, encoding: SecretEncoding, isWrapped: boolean): Meaning[] {
  const bytes = secretBytes(text, encoding);
  return bytes === undefined || bytes.length === 0 ? [] : [{ encoding, isWrapped, bytes }];
}
