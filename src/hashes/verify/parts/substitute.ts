/** Replaces the salt and the digest in a hash string, in whichever encoding it has them. */

import { randomBytes, randomInt } from 'node:crypto';
import { encodeBare } from '../../parts/encodings.ts';

/** A part of a hash: its bytes, or the text that is in the string as it is. */
export type HashPart = Buffer | string;

interface Encoding {
  readonly encode: (bytes: Buffer) => string;
  /** Random bytes that the encoding can write, as long as `salt`. */
  readonly random: (salt: Buffer) => Buffer;
}

const hexadecimal = '0123456789abcdef';
const textAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Letters and digits, which every kind accepts in a salt that is a text; hexadecimal digits if `like` has no others. */
function randomText(like: string): string {
  const alphabet = /^[0-9a-f]+$/.test(like) ? hexadecimal : textAlphabet;
  return Array.from(like, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

const randomLike = (salt: Buffer): Buffer => randomBytes(salt.length);
const ofBytes = (encode: Encoding['encode']): Encoding => ({ encode, random: randomLike });
const urlSafe = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_');

/** Text is last: it is the encoding that a short salt may have by chance. */
const encodings: readonly Encoding[] = [
  ofBytes((bytes) => bytes.toString('base64')),
  ofBytes(encodeBare),
  ofBytes((bytes) => urlSafe(bytes.toString('base64'))),
  ofBytes((bytes) => bytes.toString('base64url')),
  ofBytes((bytes) => encodeBare(bytes).replaceAll('+', '.')),
  ofBytes((bytes) => bytes.toString('hex')),
  ofBytes((bytes) => bytes.toString('hex').toUpperCase()),
  {
    encode: (bytes) => bytes.toString('utf8'),
    random: (salt) => Buffer.from(randomText(salt.toString('latin1'))),
  },
];

/** @returns `hash` with a random salt instead of `salt`; undefined if it is not found in it */
export function withRandomSalt(hash: string, salt: HashPart): string | undefined {
  if (salt.length === 0) return hash;
  if (typeof salt === 'string') return placedText(hash, salt, randomText(salt));
  for (const { encode, random } of encodings) {
    const found = placed(hash, encode(salt), encode(random(salt)));
    if (found !== undefined) return found;
  }
  return inBlobs(hash, salt, randomBytes(salt.length));
}

/** @returns `hash` with `to` instead of `from`, which has the same length; undefined if it is not found in it */
export function withDigest(hash: string, from: HashPart, to: HashPart): string | undefined {
  if (typeof from === 'string' || typeof to === 'string') return placedText(hash, String(from), String(to));
  for (const { encode } of encodings.slice(0, -1)) {
    const found = placed(hash, encode(from), encode(to));
    if (found !== undefined) return found;
  }
  return inBlobs(hash, from, to);
}

/** phpass has no delimiters. */
function placedText(hash: string, from: string, to: string): string | undefined {
  const at = hash.lastIndexOf(from);
  const joined = at < 0 ? undefined : hash.slice(0, at) + to + hash.slice(at + from.length);
  return placed(hash, from, to) ?? joined;
}

const wordCharacter = /[A-Za-z0-9+/]/;

/** Replaces a whole part, the last one of several: a short salt may be contained in a longer part by chance. */
function placed(hash: string, from: string, to: string): string | undefined {
  for (let at = hash.lastIndexOf(from); at >= 0; at = at === 0 ? -1 : hash.lastIndexOf(from, at - 1)) {
    const after = at + from.length;
    const isWhole = !wordCharacter.test(hash.charAt(at - 1)) && !wordCharacter.test(hash.charAt(after));
    if (isWhole) return hash.slice(0, at) + to + hash.slice(after);
  }
  return undefined;
}

/** Within base64 of more than this part: ASP.NET Identity, LDAP, templates, and the hexadecimal text of an HMAC. */
function inBlobs(hash: string, from: Buffer, to: Buffer): string | undefined {
  const inHex = { from: Buffer.from(from.toString('hex')), to: Buffer.from(to.toString('hex')) };
  for (const { 0: text, index } of hash.matchAll(/[A-Za-z0-9+/]{8,}={0,2}/g)) {
    const bytes = Buffer.from(text, 'base64');
    for (const part of [{ from, to }, inHex]) {
      const at = bytes.lastIndexOf(part.from);
      if (at < 0) continue;
      part.to.copy(bytes, at);
      const written = text.endsWith('=') ? bytes.toString('base64') : encodeBare(bytes);
      if (written.length === text.length)
        return hash.slice(0, index) + written + hash.slice(index + text.length);
    }
  }
  return undefined;
}
