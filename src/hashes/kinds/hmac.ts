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

/**
 * `sha1$salt$hex` of Werkzeug before version 3, whose key is the salt as text. Django writes salted digests in the same form, and
 * without a name the mark is read as such a digest.
 */
const parseWerkzeug: Parser<ParsedHmac> = (hash) => {
  const parts = hash.split('$');
  const [name = '', salt = '', text = ''] = parts;
  const expected = decodeHex(text);
  if (parts.length !== 3 || !Object.hasOwn(digestBytes, name) || salt === '' || salt.length > saltBytesLimit)
    return malformed('it must be <digest>$salt$hash with the hash in hexadecimal digits');
  const digest = name as DigestName;
  if (expected?.length !== digestBytes[digest]) return damaged;
  return { ok: true, parsed: { kind: 'hmac', digest, key: Buffer.from(salt), expected } };
};

export const hmac: HashKind<ParsedHmac> = {
  label: 'HMAC',
  spellings: [
    ['$hmac-md5$', parseHmac('md5')],
    ['$hmac-sha1$', parseHmac('sha1')],
    ['$hmac-sha256$', parseHmac('sha256')],
    ['$hmac-sha384$', parseHmac('sha384')],
    ['$hmac-sha512$', parseHmac('sha512')],
  ],
  parseUnmarked: parseWerkzeug,
  bytes: () => digestStateBytes,
  work: () => 2 * digestMs,
  cost: ({ digest }) => ({ digest }),
  isWeak: () => true,
  // Here the password is the message, not the key.
  isCertain: () => true,
  causes: () => [anotherPassword, 'The key is another one, or was encoded otherwise.'],
};
