/** Hashes of the scrypt variant, made as the provider makes them and cheap. */
import { createCipheriv, createHash, scryptSync } from 'node:crypto';

const separator = Buffer.from([7]);

export interface SignedPassword {
  readonly passwordHash: string;
  readonly hash: string;
  readonly salt: string;
}

/** N = 2^4, r = 8. @param salted makes another salt */
export function signPassword(password: string, signerKey: Buffer, salted = password): SignedPassword {
  const salt = createHash('sha256').update(salted).digest().subarray(0, 12);
  const derived = scryptSync(password, Buffer.concat([salt, separator]), 32, { N: 16, r: 8, p: 1 });
  const hash = createCipheriv('aes-256-ctr', derived, Buffer.alloc(16)).update(signerKey);
  const texts = { hash: hash.toString('base64'), salt: salt.toString('base64') };
  return { ...texts, passwordHash: `$f_scrypt$${texts.hash}$${texts.salt}$m=4$r=8$s=Bw==` };
}
