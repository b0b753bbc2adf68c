/** better-auth's scrypt, at one cost. */

import type { HashLimits } from '../../domain/model.ts';
import { malformed, type HashKind, type Outcome } from '../kind.ts';
import { isAscii, isWholeInKey } from '../parts/certainty.ts';
import { decodeHex } from '../parts/encodings.ts';
import { boundedScrypt, ofDefaultLength, scryptRow, type ParsedScrypt } from './scrypt.ts';

/** better-auth 1.x, packages/better-auth/src/crypto/password.ts. */
const costs = { iterations: 2 ** 14, blockSize: 16, parallelism: 1 } as const;
const saltCharacters = 32;

/** `salt:key` in hexadecimal; the salt is the text, not its bytes. */
function parseBetterAuth(hash: string, limits: HashLimits): Outcome<ParsedScrypt<'better_auth'>> {
  const parts = hash.split(':', 3);
  const [salt = '', text = ''] = parts;
  const key = ofDefaultLength(decodeHex(text));
  if (parts.length !== 2 || salt.length !== saltCharacters || decodeHex(salt) === undefined) {
    return malformed(`it must be <${saltCharacters} hexadecimal digits>:<hash in hexadecimal digits>`);
  }
  return boundedScrypt('better_auth', { ...costs, salt: Buffer.from(salt), key }, limits);
}

export const better_auth: HashKind<ParsedScrypt<'better_auth'>> = {
  ...scryptRow,
  label: 'better-auth',
  spellings: [],
  parseUnmarked: parseBetterAuth,
  shapes: [{ pattern: /^[0-9a-f]{32}:[0-9a-f]{128}$/, name: "better-auth's scrypt" }],
  // Normalised to NFKC before scrypt: keyboards compose characters differently. Only ASCII is always its own normal form.
  isCertain: (password) => isWholeInKey(password) && isAscii(password),
  wholes: [{ head: /^[0-9a-f]{32}:/, characters: 128, part: 'hash' }],
};
