/**
 * Whether a match tells which password it was. Some kinds take several passwords for one; a new hash takes only the one
 * that it was made of. So it must not be made of a password that the old hash could not tell from the user's usual one,
 * or the usual one would no longer be right.
 */

import type { HashKind, ParsedHash } from './parsed.ts';

/** bcrypt reads this many bytes: a password as long or longer may be the beginning of the real one, or go beyond it. */
const bcryptBytesUsed = 72;
/** What PHP's trim() takes off both ends, and so WordPress. */
const phpTrimmed = /^[ \t\n\r\0\v]|[ \t\n\r\0\v]$/;
const asciiEnd = 0x80;

type Check = (password: Buffer, pepper: Uint8Array | undefined) => boolean;

const always = () => true;
const isWholeInKey = (password: Buffer) => !password.includes(0);

const checks: Readonly<Record<HashKind, Check>> = {
  bcrypt: (password) => fitsBcrypt(password),
  // The bug's sign extension overwrites the bytes in front of one from 0x80 on: many passwords become equal.
  bcrypt_2x: (password) => fitsBcrypt(password) && isAscii(password),
  // What reaches bcrypt are 64 hexadecimal digits of the whole password.
  bcrypt_sha256: always,
  // 64 characters of the whole password, but for white space around it.
  bcrypt_wordpress: (password) => !phpTrimmed.test(password.toString('latin1')),
  bcrypt_peppered: (password, pepper) => fitsBcrypt(Buffer.concat([password, pepper ?? Buffer.alloc(0)])),
  // The password is digested with its length, all of it (RFC 9106 section 3.2).
  argon2: always,
  // In scrypt and PBKDF2 the password is the key of an HMAC, which is filled up with zeros (RFC 2104): `a` and `a\0` are
  // one. A key beyond the digest's block is replaced by its digest, raw bytes that nobody types.
  provider_scrypt: isWholeInKey,
  scrypt: isWholeInKey,
  pbkdf2: isWholeInKey,
  pbkdf2_kratos: isWholeInKey,
  aspnet: isWholeInKey,
  // Normalised to NFKC before scrypt: what one keyboard composes another does not. ASCII alone is its own normal form.
  better_auth: (password) => isWholeInKey(password) && isAscii(password),
  // Digests of all bytes, the length included where salt and password mix; longer ones than the format allows are refused.
  phpass: always,
  sha512_crypt: always,
  sha256_crypt: always,
  md5_crypt: always,
  // Digests of the password between bytes that are always the same. UTF-16 holds all that UTF-8 does.
  ldap: always,
  md5: always,
  sha1: always,
  sha256: always,
  sha384: always,
  sha512: always,
  // Here the password is the message, not the key.
  hmac: always,
};

/**
 * Whether no other password that somebody might use matches a hash of this kind as `password` does.
 * @param password UTF-8, as it was verified
 * @param pepper of peppered bcrypt
 */
export function isCertain(
  { kind }: Pick<ParsedHash, 'kind'>,
  password: Buffer,
  pepper: Uint8Array | undefined,
): boolean {
  return checks[kind](password, pepper);
}

/**
 * Whether bcrypt tells `password` from all others. It repeats the bytes with a NUL behind them, so `a` and `a\0a` are one
 * to it; and systems in C end a password at its first NUL.
 */
export function fitsBcrypt(password: Buffer): boolean {
  return password.length < bcryptBytesUsed && !password.includes(0);
}

function isAscii(password: Buffer): boolean {
  return password.every((byte) => byte < asciiEnd);
}
