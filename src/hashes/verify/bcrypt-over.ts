/** The inputs that other systems give bcrypt instead of the password. */

import { createHash, createHmac } from 'node:crypto';
import type { HashSecrets } from '../kind.ts';
import type { ParsedBcryptOver } from '../kinds/bcrypt-over.ts';
import { verifyBcrypt } from './bcrypt.ts';

/** The bytes that PHP's trim() removes from both ends. */
const trimmed = new Set(Buffer.from(' \t\n\r\0\v'));

/** Django's BCryptSHA256PasswordHasher: bcrypt of the lower-case hexadecimal SHA-256, so 72 bytes are never reached. */
export function verifyBcryptSha256({ inner }: ParsedBcryptOver<'bcrypt_sha256'>, password: Buffer): boolean {
  return verifyBcrypt(inner, bcryptInput.bcrypt_sha256(password));
}

/** WordPress 6.8 (wp-includes/pluggable.php, wp_hash_password): bcrypt of a base64 HMAC-SHA384, white space trimmed. */
export function verifyBcryptWordpress(
  { inner }: ParsedBcryptOver<'bcrypt_wordpress'>,
  password: Buffer,
): boolean {
  return verifyBcrypt(inner, bcryptInput.bcrypt_wordpress(password));
}

/** Devise and others: bcrypt of password ‖ pepper. False without a pepper. */
export function verifyBcryptPeppered(
  { inner }: ParsedBcryptOver<'bcrypt_peppered'>,
  password: Buffer,
  { pepper }: HashSecrets,
): boolean {
  return pepper !== undefined && verifyBcrypt(inner, bcryptInput.bcrypt_peppered(password, pepper));
}

/** The input of bcrypt for a password, by kind. */
export const bcryptInput = {
  bcrypt_sha256: (password: Buffer): Buffer =>
    Buffer.from(createHash('sha256').update(password).digest('hex')),
  bcrypt_wordpress: (password: Buffer): Buffer =>
    Buffer.from(createHmac('sha384', 'wp-sha384').update(phpTrimmed(password)).digest('base64')),
  bcrypt_peppered: (password: Buffer, pepper: Uint8Array): Buffer => Buffer.concat([password, pepper]),
};

function phpTrimmed(password: Buffer): Buffer {
  let start = 0;
  let end = password.length;
  while (start < end && trimmed.has(password[start] ?? -1)) start += 1;
  while (end > start && trimmed.has(password[end - 1] ?? -1)) end -= 1;
  return password.subarray(start, end);
}
