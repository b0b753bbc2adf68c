import { timingSafeEqual } from 'node:crypto';
import type { ParsedBcryptOver } from '../kinds/bcrypt-over.ts';
import { Blowfish } from './parts/blowfish.ts';

const keyWords = 18;
const saltAt = 7;
const saltCharacters = 22;
const hashAt = saltAt + saltCharacters;
/** 23 of 24 bytes: the original drops the last. */
const hashBytes = 23;
const plaintext = Buffer.from('OrpheanBeholderScryDoubt');
const noSalt = new Uint32Array(4);

const ours = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const standard = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Whether `password` has this `$2x$` hash. Blocks for 2^cost rounds; the comparison takes constant time. No library has this:
 * bcrypt as Provos and Mazières describe it, with the buggy key.
 */
export function verifyBcrypt2x({ inner }: ParsedBcryptOver<'bcrypt_2x'>, password: Buffer): boolean {
  const { canonical, cost } = inner;
  const salt = wordsOf(decoded(canonical.slice(saltAt, hashAt)));
  const computed = eksblowfish(buggyKey(password), salt, cost);
  return timingSafeEqual(computed.subarray(0, hashBytes), decoded(canonical.slice(hashAt)));
}

/**
 * The key words as crypt_blowfish made them before 1.1 (BF_set_key): bytes from 0x80 are sign-extended when they are added to a
 * word and so overwrite the preceding ones with ones. Bytes and a NUL repeat until 18 words are full.
 */
export function buggyKey(password: Buffer): Uint32Array {
  const words = new Uint32Array(keyWords);
  let next = 0;
  for (let index = 0; index < keyWords * 4; index += 1) {
    const byte = password[next] ?? 0;
    words[index >> 2] = ((words[index >> 2] ?? 0) << 8) | ((byte << 24) >> 24);
    next = next < password.length ? next + 1 : 0;
  }
  return words;
}

function eksblowfish(key: Uint32Array, salt: Uint32Array, cost: number): Buffer {
  const cipher = new Blowfish();
  const saltAsKey = Uint32Array.from({ length: keyWords }, (_word, index) => salt[index & 3] ?? 0);
  cipher.expand(key, salt);
  for (let round = 2 ** cost; round > 0; round -= 1) {
    cipher.expand(key, noSalt);
    cipher.expand(saltAsKey, noSalt);
  }
  return Buffer.concat([0, 8, 16].map((offset) => encrypted64Times(cipher, offset)));
}

function encrypted64Times(cipher: Blowfish, offset: number): Buffer {
  cipher.left = plaintext.readInt32BE(offset);
  cipher.right = plaintext.readInt32BE(offset + 4);
  for (let time = 0; time < 64; time += 1) cipher.encrypt();
  const block = Buffer.alloc(8);
  block.writeInt32BE(cipher.left, 0);
  block.writeInt32BE(cipher.right, 4);
  return block;
}

function wordsOf(bytes: Buffer): Uint32Array {
  return Uint32Array.from({ length: bytes.length / 4 }, (_word, index) => bytes.readUInt32BE(index * 4));
}

/** bcrypt's base64 is standard base64 with another alphabet. */
function decoded(text: string): Buffer {
  const usual = Array.from(text, (character) => standard.charAt(ours.indexOf(character))).join('');
  return Buffer.from(usual, 'base64');
}
