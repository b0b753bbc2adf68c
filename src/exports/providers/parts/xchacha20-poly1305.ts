/** XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03) by the ChaCha20 and ChaCha20-Poly1305 of OpenSSL. */

import { createCipheriv, createDecipheriv } from 'node:crypto';

const nonceBytes = 24;
const tagBytes = 16;
/** "expand 32-byte k" */
const constants = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];

/** @param sealed nonce, ciphertext and tag in one @returns undefined when the key is wrong, or anything was altered */
export function openXChaCha(sealed: Buffer, key: Buffer): Buffer | undefined {
  if (sealed.length < nonceBytes + tagBytes) return undefined;
  const [nonce, text] = [sealed.subarray(0, nonceBytes), sealed.subarray(nonceBytes, -tagBytes)];
  const iv = Buffer.concat([Buffer.alloc(4), nonce.subarray(16)]);
  const options = { authTagLength: tagBytes };
  const decipher = createDecipheriv('chacha20-poly1305', hChaCha(key, nonce.subarray(0, 16)), iv, options);
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(text), decipher.final()]);
  } catch {
    return undefined;
  }
}

/**
 * The rounds of ChaCha20 without the addition at their end (section 2.2): a block of its stream is the rounds' state plus the
 * first one, so the first one is subtracted again where it is public: constants and nonce.
 */
function hChaCha(key: Buffer, nonce: Buffer): Buffer {
  const block = createCipheriv('chacha20', key, nonce).update(Buffer.alloc(64));
  const words = [
    ...constants.map((constant, n) => block.readUInt32LE(4 * n) - constant),
    ...[0, 1, 2, 3].map((n) => block.readUInt32LE(48 + 4 * n) - nonce.readUInt32LE(4 * n)),
  ];
  const derived = Buffer.alloc(32);
  for (const [n, word] of words.entries()) derived.writeUInt32LE(word >>> 0, 4 * n);
  return derived;
}
