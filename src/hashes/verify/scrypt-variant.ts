import { createCipheriv, scryptSync, timingSafeEqual } from 'node:crypto';
import { costOf } from '../formats.ts';
import type { ParsedScryptVariant } from '../formats.ts';

/** The construction's constants, from the provider's reference code (github.com/firebase/scrypt). */
const derivedBytes = 64;
const cipherKeyBytes = 32;
const zeroIv = Buffer.alloc(16);
/** Node refuses what exceeds `maxmem`, counting a little differently from the RFC: leave room. */
const memorySlackBytes = 1024 * 1024;

/**
 * Whether `password` has this hash under `signerKey` (raw bytes). Allocates 128 · N · r bytes and blocks.
 * A key derived by scrypt encrypts the signer key; equal to the stored hash, in constant time, means yes.
 * False without computing anything when the lengths cannot match: an empty hash would equal an empty cipher text.
 */
export function verifyScryptVariant(
  parsed: ParsedScryptVariant,
  password: Buffer,
  signerKey: Uint8Array,
): boolean {
  const stored = Buffer.from(parsed.hash, 'base64');
  if (stored.length === 0 || stored.length !== signerKey.length) return false;
  const key = derive(parsed, password).subarray(0, cipherKeyBytes);
  const encrypted = createCipheriv('aes-256-ctr', key, zeroIv).update(signerKey);
  return timingSafeEqual(encrypted, stored);
}

/**
 * What the stored hash decrypts to: with the right password the signer key, with a wrong one noise. Counter mode encrypts
 * and decrypts alike.
 */
export function decryptSignerKey(parsed: ParsedScryptVariant, password: Buffer): Buffer {
  const key = derive(parsed, password).subarray(0, cipherKeyBytes);
  return createCipheriv('aes-256-ctr', key, zeroIv).update(Buffer.from(parsed.hash, 'base64'));
}

function derive(parsed: ParsedScryptVariant, password: Buffer): Buffer {
  const salt = Buffer.concat([Buffer.from(parsed.salt, 'base64'), Buffer.from(parsed.separator, 'base64')]);
  return scryptSync(password, salt, derivedBytes, {
    N: 2 ** parsed.memoryCost,
    r: parsed.rounds,
    p: 1,
    maxmem: costOf(parsed).memoryBytes + memorySlackBytes,
  });
}
