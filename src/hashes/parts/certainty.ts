/**
 * Whether a match identifies the password. Some kinds accept several passwords for one; a new hash accepts only the one that it
 * was made of. So it must not be made of a password that the old hash could not distinguish from the user's usual one, or the
 * usual one would no longer be right.
 */

/** bcrypt reads this many bytes: a password of this length or more may be the beginning of the real one, or go beyond it. */
export const bcryptBytesUsed = 72;
const asciiEnd = 0x80;

/**
 * In scrypt and PBKDF2 the password is the key of an HMAC, which is filled up with zeros (RFC 2104): `a` and `a\0` are equal. A
 * key beyond the digest's block is replaced by its digest, raw bytes that no user types.
 */
export function isWholeInKey(password: Buffer): boolean {
  return !password.includes(0);
}

/**
 * Whether bcrypt distinguishes `password` from all others. It repeats the bytes with a NUL after them, so `a` and `a\0a` are
 * equal to it; and systems in C end a password at its first NUL.
 */
export function fitsBcrypt(password: Buffer): boolean {
  return password.length < bcryptBytesUsed && !password.includes(0);
}

export function isAscii(password: Buffer): boolean {
  return password.every((byte) => byte < asciiEnd);
}
