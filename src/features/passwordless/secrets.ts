import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';

/**
 * The secrets that users get, and their stored forms:
 * - a device's id is 32 random bytes; its SHA-256, as base64url, is the `preAuthSessionId`;
 * - a link code is the HMAC-SHA-256 of the typed code, keyed by the device's id and its salt; its SHA-256 is stored.
 *
 * Six digits are soon guessed, but the database does not have the device's id.
 */

const secretBytes = 32;

/** A device's id, or a salt. */
export function newSecret(): Buffer {
  return randomBytes(secretBytes);
}

/** The code that people type: six digits. */
export function newInputCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

/** SHA-256, hexadecimal. */
export function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function linkCodeOf(deviceId: Buffer, salt: Buffer, userInputCode: string): Buffer {
  return createHmac('sha256', Buffer.concat([deviceId, salt]))
    .update(userInputCode)
    .digest();
}

export function preAuthSessionIdOf(deviceHash: string): string {
  return Buffer.from(deviceHash, 'hex').toString('base64url');
}

/** @returns undefined for a text that is not the id of a device */
export function deviceHashOf(preAuthSessionId: string): string | undefined {
  return decodeUrl(preAuthSessionId)?.toString('hex');
}

const groups = (alphabet: string): RegExp =>
  new RegExp(`^(?:[${alphabet}]{4})*(?:[${alphabet}]{2}(?:==)?|[${alphabet}]{3}=?)?$`);
const base64 = groups('A-Za-z0-9+/');
const base64Url = groups('\\w-');

/** Base64, with optional padding. */
export function decode(text: string): Buffer | undefined {
  return base64.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** The same in the alphabet of URLs. */
export function decodeUrl(text: string): Buffer | undefined {
  return base64Url.test(text) ? Buffer.from(text, 'base64url') : undefined;
}
