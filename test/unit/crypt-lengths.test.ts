import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verifyParsed } from '../../src/hashes/verify/verifiers.ts';
import { requireHash } from '../helpers/require-hash.ts';
import { defaultLimits } from '../helpers/hash-limits.ts';

/** The passwords are the first bytes of this text, cut at a whole character. */
const text = 'correct horse battery staple, pässwörd '.repeat(20);

interface KnownAnswer {
  readonly bytes: number;
  readonly hash: string;
}

/** Made by crypt(3) of libxcrypt 4.4.33: around each length at which a digest's block or the repetition of bytes ends. */
const known = JSON.parse(
  readFileSync(new URL('../vectors/crypt-lengths.json', import.meta.url), 'utf8'),
) as readonly KnownAnswer[];

describe('md5-crypt, sha256-crypt and sha512-crypt', () => {
  it.each(known)('know a password of $bytes bytes: $hash', ({ bytes, hash }) => {
    const parsed = requireHash(hash, undefined, defaultLimits);
    const verify = (password: Buffer) => verifyParsed(parsed, password, { signerKey: undefined });
    const password = Buffer.from(text).subarray(0, bytes);
    expect(verify(password)).toBe(true);
    expect(verify(Buffer.concat([password, Buffer.from('x')]))).toBe(false);
    expect(verify(password.subarray(1))).toBe(bytes === 0);
  });
});
