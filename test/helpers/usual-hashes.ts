/** A hash of each kind as real systems write it, at the cost they use. Their salts and keys are made up. */
import type { HashKindName } from '../../src/hashes/registry.ts';

const bcryptRest = 'abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2';
const salt = 'c29tZXNhbHRzb21lc2FsdA';
const key32 = Buffer.alloc(32, 0xa5);
const key64 = Buffer.alloc(64, 0xa5);
const crypted = (characters: number): string => `${'a'.repeat(characters - 1)}1`;
const padded = (bytes: Buffer): string => bytes.toString('base64');
const bare = (bytes: Buffer): string => padded(bytes).replaceAll('=', '');

/** Version 3: marker, PRF (2: HMAC-SHA512), iterations and length of the salt, salt, key. */
function aspnet(iterations: number): string {
  const head = Buffer.alloc(13);
  [2, iterations, 16].forEach((value, index) => head.writeUInt32BE(value, 1 + 4 * index));
  head[0] = 1;
  return padded(Buffer.concat([head, Buffer.alloc(16, 7), key32]));
}

/** The signer key with the length of `provider_scrypt`'s hash. */
export const usualSignerKey = Buffer.alloc(64, 0x5a);
export const usualPepper = Buffer.from('pepper');

export const usualHashes: Readonly<Record<HashKindName, string>> = {
  bcrypt: `$2b$10$${bcryptRest}`,
  bcrypt_2x: `$2x$10$${bcryptRest}`,
  bcrypt_sha256: `bcrypt_sha256$$2b$12$${bcryptRest}`,
  bcrypt_wordpress: `$wp$2y$10$${bcryptRest}`,
  bcrypt_peppered: `$2a$11$${bcryptRest}`,
  argon2: `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${bare(key32)}`,
  provider_scrypt: `$f_scrypt$${padded(key64)}$42xEC+ixf3L2lw==$m=14$r=8$s=Bw==`,
  scrypt: `$scrypt$ln=14,r=8,p=1$${salt}$${bare(key32)}`,
  better_auth: `${'0123456789abcdef'.repeat(2)}:${key64.toString('hex')}`,
  pbkdf2: `$pbkdf2-sha256$i=600000,l=32$${salt}$${bare(key32)}`,
  pbkdf2_kratos: `$pbkdf2-sha384$i=100000,l=32$${salt}$${bare(key32)}`,
  aspnet: aspnet(100_000),
  phpass: `$P$Babcdefgh${crypted(22)}`,
  sha512_crypt: `$6$saltsaltsaltsalt$${crypted(86)}`,
  sha256_crypt: `$5$saltsaltsaltsalt$${crypted(43)}`,
  md5_crypt: `$1$saltsalt$${crypted(22)}`,
  ldap: `{SSHA}${padded(Buffer.alloc(28, 0xa5))}`,
  md5: `$md5$${padded(key32.subarray(16))}`,
  sha1: `$sha1$pf=${padded(Buffer.from('{SALT}{PASSWORD}'))}$c2FsdA==$${padded(Buffer.alloc(20, 0xa5))}`,
  sha256: `$sha256$pf=${padded(Buffer.from('{PASSWORD}{SALT}'))},i=5000$c2FsdA==$${padded(key32)}`,
  sha384: `$sha384$${padded(Buffer.alloc(48, 0xa5))}`,
  sha512: `$sha512$pf=${padded(Buffer.from('{PASSWORD}{SALT}'))},i=5000$c2FsdA==$${padded(key64)}`,
  hmac: `$hmac-sha256$${padded(Buffer.from(key32.toString('hex')))}$${padded(Buffer.from('key'))}`,
  construction: `$construction$md5(md5(password).salt)$c2FsdA==$${padded(key32.subarray(16))}`,
};
