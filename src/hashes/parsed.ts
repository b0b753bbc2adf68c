/** Hashes in full: every field a verifier needs, by kind. A kind is a construction; its spellings share one. */

import type { Pbkdf2Digest } from './pbkdf2.ts';
import type { DigestName, Piece } from './template.ts';

export interface ParsedBcrypt {
  readonly kind: 'bcrypt';
  /** log2 of the rounds */
  readonly cost: number;
  /** The 60 characters as a `$2b$` implementation writes them: unused bits zero. */
  readonly canonical: string;
}

/** bcrypt with something of its own before or inside it. */
export interface ParsedBcryptOver<
  Kind extends 'bcrypt_2x' | 'bcrypt_sha256' | 'bcrypt_wordpress' | 'bcrypt_peppered',
> {
  readonly kind: Kind;
  readonly inner: ParsedBcrypt;
}

export interface ParsedArgon2 {
  readonly kind: 'argon2';
  readonly variant: 'd' | 'i' | 'id';
  readonly version: 16 | 19;
  /** KiB */
  readonly memoryKb: number;
  readonly iterations: number;
  readonly parallelism: number;
  /** Unpadded standard base64, already checked. Kept as text: an import never needs the bytes. */
  readonly salt: string;
  /** As `salt`. */
  readonly tag: string;
}

export interface ParsedScryptVariant {
  readonly kind: 'provider_scrypt';
  /** Base64 in either alphabet, padded or not, already checked; so are `salt` and `separator`. */
  readonly hash: string;
  readonly hashBytes: number;
  readonly salt: string;
  /** May be empty. */
  readonly separator: string;
  /** log2 of scrypt's N */
  readonly memoryCost: number;
  /** scrypt's r */
  readonly rounds: number;
  /** The key that some spellings carry along, base64 as the others. It is compared and never stored. */
  readonly signerKey?: string;
}

export interface ParsedScrypt<Kind extends 'scrypt' | 'better_auth'> {
  readonly kind: Kind;
  /** scrypt's N, a power of two */
  readonly iterations: number;
  /** scrypt's r */
  readonly blockSize: number;
  /** scrypt's p */
  readonly parallelism: number;
  readonly salt: Buffer;
  /** Never empty. */
  readonly key: Buffer;
}

export interface ParsedPbkdf2<Kind extends 'pbkdf2' | 'pbkdf2_kratos' | 'aspnet'> {
  readonly kind: Kind;
  readonly digest: Pbkdf2Digest;
  readonly iterations: number;
  readonly salt: Buffer;
  /** Never empty. */
  readonly key: Buffer;
}

export interface ParsedPhpass {
  readonly kind: 'phpass';
  readonly logRounds: number;
  readonly salt: string;
  /** 22 characters in crypt(3)'s alphabet. */
  readonly encoded: string;
}

export interface ParsedCrypt<Kind extends 'sha512_crypt' | 'sha256_crypt' | 'md5_crypt'> {
  readonly kind: Kind;
  readonly rounds: number;
  readonly salt: string;
  /** In crypt(3)'s alphabet, as long as the digest needs. */
  readonly encoded: string;
}

export interface ParsedDigest<Kind extends DigestName | 'ldap'> {
  readonly kind: Kind;
  readonly digest: DigestName;
  /** What is digested, in order. */
  readonly pieces: readonly Piece[];
  /** The digest of the digest, this many times in all. */
  readonly iterations: number;
  readonly passwordEncoding: 'utf8' | 'utf16le';
  /** As long as the digest. */
  readonly expected: Buffer;
}

export interface ParsedHmac {
  readonly kind: 'hmac';
  readonly digest: DigestName;
  readonly key: Buffer;
  /** As long as the digest. */
  readonly expected: Buffer;
}

export interface ParsedByKind {
  readonly bcrypt: ParsedBcrypt;
  readonly bcrypt_2x: ParsedBcryptOver<'bcrypt_2x'>;
  readonly bcrypt_sha256: ParsedBcryptOver<'bcrypt_sha256'>;
  readonly bcrypt_wordpress: ParsedBcryptOver<'bcrypt_wordpress'>;
  readonly bcrypt_peppered: ParsedBcryptOver<'bcrypt_peppered'>;
  readonly argon2: ParsedArgon2;
  readonly provider_scrypt: ParsedScryptVariant;
  readonly scrypt: ParsedScrypt<'scrypt'>;
  readonly better_auth: ParsedScrypt<'better_auth'>;
  readonly pbkdf2: ParsedPbkdf2<'pbkdf2'>;
  readonly pbkdf2_kratos: ParsedPbkdf2<'pbkdf2_kratos'>;
  readonly aspnet: ParsedPbkdf2<'aspnet'>;
  readonly phpass: ParsedPhpass;
  readonly sha512_crypt: ParsedCrypt<'sha512_crypt'>;
  readonly sha256_crypt: ParsedCrypt<'sha256_crypt'>;
  readonly md5_crypt: ParsedCrypt<'md5_crypt'>;
  readonly ldap: ParsedDigest<'ldap'>;
  readonly md5: ParsedDigest<'md5'>;
  readonly sha1: ParsedDigest<'sha1'>;
  readonly sha256: ParsedDigest<'sha256'>;
  readonly sha384: ParsedDigest<'sha384'>;
  readonly sha512: ParsedDigest<'sha512'>;
  readonly hmac: ParsedHmac;
}

export type HashKind = keyof ParsedByKind;
export type ParsedHash = ParsedByKind[HashKind];
