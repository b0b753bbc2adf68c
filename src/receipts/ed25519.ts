/** Ed25519 (RFC 8032) with keys as they are in notes and receipts: 32 bytes. */

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

export const publicKeyBytes = 32;

export interface SigningKey {
  readonly publicKey: Uint8Array;
  readonly privateKey: KeyObject;
}

export function newSigningKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { privateKey, publicKey: publicKeyOf(privateKey) };
}

/** PKCS #8, DER. */
export function exported({ privateKey }: SigningKey): Buffer {
  return privateKey.export({ format: 'der', type: 'pkcs8' });
}

export function imported(pkcs8: Buffer): SigningKey {
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  return { privateKey, publicKey: publicKeyOf(privateKey) };
}

function publicKeyOf(privateKey: KeyObject): Buffer {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url');
}

export function signed(text: Uint8Array, { privateKey }: SigningKey): Buffer {
  return sign(null, text, privateKey);
}

/** @param publicKey one that is no point of the curve verifies nothing */
export function isSigned(text: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  if (publicKey.length !== publicKeyBytes) return false;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
  return verify(null, text, createPublicKey({ key: jwk, format: 'jwk' }), signature);
}
