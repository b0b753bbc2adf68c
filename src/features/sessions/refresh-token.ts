import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { handleText, parseHandle, type SessionHandle } from './handle.ts';

/**
 * Refresh tokens: base64url of version ‖ IV ‖ AES-256-GCM(body) ‖ tag. The app's number is authenticated with it, so that a
 * token of one app is invalid in another. The session's handle is inside: no index of tokens is needed.
 */
export interface RefreshToken {
  readonly handle: SessionHandle;
  /** `hash1` of the token that this one was given for; absent in a session's first one. */
  readonly parentHash1: string | undefined;
  readonly antiCsrfToken: string | undefined;
}

const version = 1;
const ivBytes = 12;
const tagBytes = 16;
const nonceBytes = 32;
/** The limit of a cookie, which is more than any of these tokens has. */
const mostCharacters = 4096;

/** Makes a token differ from every other one. */
export interface Randomness {
  readonly iv: Uint8Array;
  readonly nonce: Uint8Array;
}

/** @param seed a secret that is used for one token only: the same token can be made from it again */
export function randomnessOf(seed: Uint8Array): Randomness {
  const bytes = Buffer.from(hkdfSync('sha256', seed, '', 'refresh token', ivBytes + nonceBytes));
  return { iv: bytes.subarray(0, ivBytes), nonce: bytes.subarray(ivBytes) };
}

function newRandomness(): Randomness {
  return { iv: randomBytes(ivBytes), nonce: randomBytes(nonceBytes) };
}

/** @param key of the app, 32 bytes */
export function sealRefreshToken(
  key: Uint8Array,
  appNo: number,
  token: RefreshToken,
  { iv, nonce } = newRandomness(),
): string {
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(contextOf(appNo));
  const body = JSON.stringify([
    handleText(token.handle),
    token.parentHash1 ?? null,
    token.antiCsrfToken ?? null,
    Buffer.from(nonce).toString('base64url'),
  ]);
  const sealed = [Buffer.of(version), iv, cipher.update(body, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(sealed).toString('base64url');
}

/** @returns undefined for text that is not a token of this app */
export function openRefreshToken(key: Uint8Array, appNo: number, text: string): RefreshToken | undefined {
  if (text.length > mostCharacters || !/^[\w-]+$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  const bodyAt = 1 + ivBytes;
  if (bytes[0] !== version || bytes.length < bodyAt + tagBytes) return undefined;
  // base64url has several texts for the same bytes, and the session stores the hash of one.
  if (bytes.toString('base64url') !== text) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, bodyAt), {
    authTagLength: tagBytes,
  })
    .setAAD(contextOf(appNo))
    .setAuthTag(bytes.subarray(-tagBytes));
  try {
    const body = Buffer.concat([decipher.update(bytes.subarray(bodyAt, -tagBytes)), decipher.final()]);
    return tokenOf(JSON.parse(body.toString('utf8')) as [string, string | null, string | null]);
  } catch {
    return undefined;
  }
}

function tokenOf([text, parentHash1, antiCsrfToken]: readonly [string, string | null, string | null]) {
  const handle = parseHandle(text);
  return (
    handle && { handle, parentHash1: parentHash1 ?? undefined, antiCsrfToken: antiCsrfToken ?? undefined }
  );
}

function contextOf(appNo: number): Buffer {
  return Buffer.from(`refresh token ${appNo}`);
}

/** The hash of a refresh token that access tokens carry: SHA-256, hexadecimal. */
export function hash1(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The hash that the session stores: SHA-256 of the text of `hash1`, hexadecimal. */
export function hash2(ofHash1: string): string {
  return createHash('sha256').update(ofHash1).digest('hex');
}
