/** For importers, as fields.ts: digests and HMACs whose salt, key or order come as fields. */

import { decodeHex } from './binary.ts';
import { digestBytes } from './template.ts';
import type { DigestName } from './template.ts';

/** The fields of a salted digest. */
export interface DigestFields {
  readonly digest: DigestName;
  readonly hash: Uint8Array;
  readonly salt?: Uint8Array;
  /** Where the salt stands: Auth0's and Okta's `prefix` and `suffix` (or POSTFIX). */
  readonly position?: 'prefix' | 'suffix';
  /** FusionAuth's factor and the like: the digest of the digest, so many times in all. */
  readonly iterations?: number;
  readonly passwordEncoding?: 'utf8' | 'utf16le';
}

/** `$<digest>$pf=…[,i=…][,pe=…]$salt$hash`, or `$<digest>$hash` of the password alone. */
export function digestString(fields: DigestFields): string {
  const {
    digest,
    hash,
    salt = Buffer.alloc(0),
    position,
    iterations = 1,
    passwordEncoding = 'utf8',
  } = fields;
  const template = position === 'prefix' ? '{SALT}{PASSWORD}' : '{PASSWORD}{SALT}';
  const parameters = [
    `pf=${padded(Buffer.from(template))}`,
    ...(iterations === 1 ? [] : [`i=${iterations}`]),
    ...(passwordEncoding === 'utf8' ? [] : [`pe=${passwordEncoding}`]),
  ];
  const isBare = salt.length === 0 && parameters.length === 1;
  return isBare
    ? `$${digest}$${padded(hash)}`
    : `$${digest}$${parameters.join(',')}$${padded(salt)}$${padded(hash)}`;
}

/**
 * Spring's `{MD5}`, `{SHA-1}` and `{SHA-256}` (MessageDigestPasswordEncoder), with that prefix taken off:
 * `{salt}` and the hexadecimal digest of the password and the salt, the salt's braces included.
 */
export function springDigestString(digest: DigestName, text: string): string | undefined {
  const end = text.indexOf('}') + 1;
  const hash = decodeHex(text.slice(end));
  if (hash?.length !== digestBytes[digest] || (end > 0 && !text.startsWith('{'))) return undefined;
  return digestString({ digest, hash, salt: Buffer.from(text.slice(0, end)), position: 'suffix' });
}

/** Of Spring's StandardPasswordEncoder, org.springframework.security.crypto.password. */
const springSha256 = { saltBytes: 8, iterations: 1024 } as const;

/**
 * Spring's `{sha256}` (StandardPasswordEncoder), with that prefix taken off: hexadecimal salt ‖ digest of salt ‖ password
 * after 1,024 rounds. Not for an encoder with a secret, which would come to lie in the string.
 */
export function springSha256String(text: string): string | undefined {
  const bytes = decodeHex(text);
  if (bytes?.length !== springSha256.saltBytes + digestBytes.sha256) return undefined;
  const [salt, hash] = [bytes.subarray(0, springSha256.saltBytes), bytes.subarray(springSha256.saltBytes)];
  return digestString({
    digest: 'sha256',
    hash,
    salt,
    position: 'prefix',
    iterations: springSha256.iterations,
  });
}

/** The fields of an HMAC, as Auth0 and Firebase have them. */
export interface HmacFields {
  readonly digest: DigestName;
  readonly hash: Uint8Array;
  readonly key: Uint8Array;
}

/** Ory Kratos's `$hmac-<digest>$hash$key`, where the hash is base64 of hexadecimal text. */
export function hmacString({ digest, hash, key }: HmacFields): string {
  return `$hmac-${digest}$${padded(Buffer.from(Buffer.from(hash).toString('hex')))}$${padded(key)}`;
}

function padded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
