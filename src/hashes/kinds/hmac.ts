/** HMACs with the password as message. */

import { malformed, type HashKind, type Parser } from '../kind.ts';
import { saltBytesLimit } from '../limits.ts';
import { anotherPassword } from '../parts/causes.ts';
import { damaged, digestBytes, digestMs, digestStateBytes, type DigestName } from '../parts/digested.ts';
import { decodeBase64, decodeHex } from '../parts/encodings.ts';

export interface ParsedHmac {
  readonly kind: 'hmac';
  readonly digest: DigestName;
  readonly key: Buffer;
  /** As long as the digest. */
  readonly expected: Buffer;
}

/** Ory Kratos's `$hmac-sha256$hash$key`: base64 of the hexadecimal text of the HMAC, and of the key. */
function parseHmac(digest: DigestName): Parser<ParsedHmac> {
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

export const hmac: HashKind<ParsedHmac> = {
  label: 'HMAC',
  spellings: [
    ['$hmac-md5$', parseHmac('md5')],
    ['$hmac-sha1$', parseHmac('sha1')],
    ['$hmac-sha256$', parseHmac('sha256')],
    ['$hmac-sha384$', parseHmac('sha384')],
    ['$hmac-sha512$', parseHmac('sha512')],
  ],
  bytes: () => digestStateBytes,
  work: () => 2 * digestMs,
  cost: ({ digest }) => ({ digest }),
  isWeak: () => true,
  // Here the password is the message, not the key.
  isCertain: () => true,
  causes: () => [anotherPassword, 'The key is another one, or was encoded otherwise.'],
};
