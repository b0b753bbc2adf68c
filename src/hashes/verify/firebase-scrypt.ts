import { createCipheriv, timingSafeEqual } from 'node:crypto';
import type { HashSecrets } from '../kind.ts';
import { scryptCosts, type ParsedScryptVariant } from '../kinds/firebase-scrypt.ts';
import { derive } from './scrypt.ts';

/** The construction's constants, from the provider's reference code (github.com/firebase/scrypt). */
const derivedBytes = 64;
const cipherKeyBytes = 32;
const zeroIv = Buffer.alloc(16);

/**
 * Whether `password` has this hash under the signer key. Allocates 128 · N · r bytes and blocks. A key derived by scrypt encrypts
 * the signer key, and the result is compared with the stored hash in constant time. False without computing anything when the
 * lengths cannot match: an empty hash would equal an empty cipher text.
 */
export function verifyScryptVariant(
  parsed: ParsedScryptVariant,
  password: Buffer,
  { signerKey }: HashSecrets,
): boolean {
  const stored = Buffer.from(parsed.hash, 'base64');
  if (stored.length === 0 || stored.length !== signerKey?.length) return false;
  return timingSafeEqual(encrypted(parsed, password, signerKey), stored);
}

/** The decrypted hash: with the right password the signer key, with a wrong one noise. Counter mode encrypts and decrypts alike. */
export function decryptSignerKey(parsed: ParsedScryptVariant, password: Buffer): Buffer {
  return encrypted(parsed, password, Buffer.from(parsed.hash, 'base64'));
}

/** `bytes` as the password's key encrypts them: the signer key as the hash, and the hash as the signer key. */
export function encrypted(parsed: ParsedScryptVariant, password: Buffer, bytes: Uint8Array): Buffer {
  const salt = Buffer.concat([Buffer.from(parsed.salt, 'base64'), Buffer.from(parsed.separator, 'base64')]);
  const key = derive(password, { ...scryptCosts(parsed), salt }, derivedBytes);
  return createCipheriv('aes-256-ctr', key.subarray(0, cipherKeyBytes), zeroIv).update(bytes);
}
