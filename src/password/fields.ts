/**
 * For importers: hashes that come as several fields, put into the one string that is parsed, bounded and stored.
 * Undefined when a field is not what its source writes; whether the result is sound its parser says.
 */

import { decodeHex, encodeBare } from './binary.ts';

/** The fields of a PBKDF2 hash. */
export interface Pbkdf2Fields {
  readonly digest: 'sha1' | 'sha256' | 'sha512';
  readonly iterations: number;
  readonly salt: Uint8Array;
  readonly key: Uint8Array;
}

/** `$pbkdf2-<digest>$i=…,l=…$salt$hash`: also the form of Keycloak's and FusionAuth's fields once they are decoded. */
export function pbkdf2String({ digest, iterations, salt, key }: Pbkdf2Fields): string {
  return `$pbkdf2-${digest}$i=${iterations},l=${key.length}$${encodeBare(salt)}$${encodeBare(key)}`;
}

/** What Spring's `Pbkdf2PasswordEncoder` was built with: it is not in the string. */
export interface SpringPbkdf2 {
  readonly digest: Pbkdf2Fields['digest'];
  readonly iterations: number;
  /** Bytes of salt before the key. */
  readonly saltLength: number;
}

/** Spring's hexadecimal salt ‖ key. Not for an encoder with a secret, which would come to lie in the string. */
export function springPbkdf2String(
  hex: string,
  { digest, iterations, saltLength }: SpringPbkdf2,
): string | undefined {
  const bytes = decodeHex(hex);
  if (bytes === undefined || bytes.length <= saltLength) return undefined;
  const [salt, key] = [bytes.subarray(0, saltLength), bytes.subarray(saltLength)];
  return pbkdf2String({ digest, iterations, salt, key });
}
