import { decodeBase64, decodeHex } from './binary.ts';
import { saltBytesLimit } from './ceilings.ts';
import { damaged } from './digested.ts';
import { malformed } from './outcome.ts';
import type { Parser } from './outcome.ts';
import type { ParsedHmac } from './parsed.ts';
import { digestBytes } from './template.ts';
import type { DigestName } from './template.ts';

/** Ory Kratos's `$hmac-sha256$hash$key`: base64 of the hexadecimal text of the HMAC, and of the key. */
export function parseHmac(digest: DigestName): Parser<ParsedHmac> {
  return (hash) => {
    const parts = hash.split('$');
    const [, , text = '', keyText = ''] = parts;
    const key = decodeBase64(keyText, 'padded');
    const expected = decodeHex(decodeBase64(text, 'padded')?.toString('latin1') ?? '');
    if (parts.length !== 4 || key === undefined || key.length === 0 || key.length > saltBytesLimit) {
      return malformed(
        `it must be $hmac-<digest>$hash$key with a key of 1 to ${saltBytesLimit} bytes in base64`,
      );
    }
    if (expected?.length !== digestBytes[digest]) return damaged;
    return { ok: true, parsed: { kind: 'hmac', digest, key, expected } };
  };
}
