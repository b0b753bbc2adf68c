import { hash, randomBytes } from 'node:crypto';

/** 96 random bytes are exactly 128 characters of base64url. */
const tokenBytes = 96;

/** @returns a fresh single-use token, URL-safe, 128 characters; only its hash is ever stored */
export function newToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

/** SHA-256, hexadecimal. No salt is needed: the token itself has 768 random bits. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
