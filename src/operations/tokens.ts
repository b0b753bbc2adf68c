import { hash, randomBytes } from 'node:crypto';

/**
 * A token begins with the number of its app, so that whoever redeems one knows where it is kept without asking anywhere:
 * `app-` and eight hexadecimal digits. Tokens of earlier versions are 128 random characters and name none; that one of
 * them begins like this happens once in 10^12.
 */
const named = /^app-([0-9a-f]{8})/;

/** 87 random bytes are 116 characters of base64url: with the 12 of the name exactly 128. */
const randomPartBytes = 87;

/** @returns a fresh single-use token of this app, URL-safe, 128 characters; only its hash is ever stored */
export function newToken(appNo: number): string {
  const number = appNo.toString(16).padStart(8, '0');
  return `app-${number}${randomBytes(randomPartBytes).toString('base64url')}`;
}

/** Whether the token may be one of this app: it names the app, or none at all. */
export function mayBeOf(token: string, appNo: number): boolean {
  const digits = named.exec(token)?.[1];
  return digits === undefined || Number.parseInt(digits, 16) === appNo;
}

/** SHA-256, hexadecimal. No salt is needed: the token itself has 696 random bits. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
