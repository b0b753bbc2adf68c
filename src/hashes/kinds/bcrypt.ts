/** bcrypt, as OpenBSD, PHP, and most others write it. */

import type { HashLimits } from '../../domain/model.ts';
import { fault, malformed, type Fault, type HashKind, type Outcome } from '../kind.ts';
import { overCeiling } from '../limits.ts';
import { anotherPassword } from '../parts/causes.ts';
import { fitsBcrypt } from '../parts/certainty.ts';

export interface ParsedBcrypt {
  readonly kind: 'bcrypt';
  /** log2 of the rounds */
  readonly cost: number;
  /** The 60 characters as a `$2b$` implementation writes them: unused bits zero. */
  readonly canonical: string;
}

/** `$2b$`, two digits of cost, `$`, 22 characters of salt, 31 of hash: Provos and Mazières 1999, as OpenBSD writes it. */
const hashCharacters = 60;
const costAt = 4;
const saltAt = 7;
const lastSaltAt = 28;
const lastAt = hashCharacters - 1;
/** bcrypt's own floor: the reference implementation refuses less. */
const costFloor = 4;

/** bcrypt's own base64 alphabet, in the order of its values. */
const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const inAlphabet = new Uint8Array(128);
for (const character of alphabet) inAlphabet[character.charCodeAt(0)] = 1;

/** 22 characters carry 132 bits for 128 of salt, 31 carry 186 for 184 of hash: the low bits of the last are unused. */
const saltBitsMask = 0b110000;
const hashBitsMask = 0b111100;

/**
 * Parses a bcrypt hash in full.
 *
 * `$2a$`, `$2b$` and `$2y$` are one function for every password that can be sent here, so all become `$2b$`. Unused bits are
 * cleared instead of refused: old PHP code made salts by hand and crypt(3) retained their spare bits, while today's libraries
 * re-encode the salt, compare texts, and would lock those users out. Faults: `malformed`, `unsupported` (`$2$`), `out-of-range`.
 */
export function parseBcrypt(hash: string, limits: HashLimits): Outcome<ParsedBcrypt> {
  const shapeFault = faultOfVersion(hash) ?? faultOfShape(hash);
  if (shapeFault !== undefined) return shapeFault;
  const cost = Number(hash.slice(costAt, costAt + 2));
  if (cost < costFloor) return malformed(`its cost is below ${costFloor}, the least that bcrypt has`);
  if (cost > limits.bcryptMaxCost) return overCeiling('bcryptMaxCost', limits);
  return { ok: true, parsed: { kind: 'bcrypt', cost, canonical: canonicalForm(hash) } };
}

function faultOfVersion(hash: string): Fault | undefined {
  if (hash[3] === '$' && (hash[2] === 'a' || hash[2] === 'b' || hash[2] === 'y')) return undefined;
  if (hash.startsWith('$2$')) {
    return fault('unsupported', '$2$ is the first revision of bcrypt, which is not supported');
  }
  return malformed('its version is not one of $2a$, $2b$ and $2y$');
}

function faultOfShape(hash: string): Fault | undefined {
  if (!isDigit(hash, costAt) || !isDigit(hash, costAt + 1) || hash[costAt + 2] !== '$') {
    return malformed('its cost must be two digits between $ signs');
  }
  if (hash.length !== hashCharacters) {
    const cause = hash.length < hashCharacters ? 'it was cut off' : 'something was added to it';
    return malformed(`it has ${hash.length} characters where bcrypt has ${hashCharacters}: ${cause}`);
  }
  for (let index = saltAt; index < hashCharacters; index += 1) {
    if (inAlphabet[hash.charCodeAt(index)] !== 1) {
      return malformed('its salt or hash has a character outside ./A-Za-z0-9');
    }
  }
  return undefined;
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0x30 && code <= 0x39;
}

function canonicalForm(hash: string): string {
  const lastOfSalt = withBits(hash, lastSaltAt, saltBitsMask);
  const lastOfHash = withBits(hash, lastAt, hashBitsMask);
  return `$2b${hash.slice(3, lastSaltAt)}${lastOfSalt}${hash.slice(lastSaltAt + 1, lastAt)}${lastOfHash}`;
}

function withBits(hash: string, index: number, mask: number): string {
  return alphabet.charAt(alphabet.indexOf(hash.charAt(index)) & mask);
}

/** Blowfish's state: 18 subkeys and four S-boxes of 256 words, 32 bits each. */
export const bcryptBytes = (18 + 4 * 256) * 4;

/** OWASP, "bcrypt": work factor of 10 or more. */
const owaspLogRounds = 10;

/** Milliseconds of bcrypt: 57 at cost 10. */
export function bcryptMs(cost: number): number {
  return 57 * 2 ** (cost - 10);
}

export function isWeakBcrypt({ cost }: Pick<ParsedBcrypt, 'cost'>): boolean {
  return cost < owaspLogRounds;
}

export const bcrypt: HashKind<ParsedBcrypt> = {
  label: 'BCrypt',
  spellings: [
    ['$2a$', parseBcrypt],
    ['$2b$', parseBcrypt],
    ['$2y$', parseBcrypt],
  ],
  beginning: '$2',
  bytes: () => bcryptBytes,
  work: ({ cost }) => bcryptMs(cost),
  cost: ({ cost }) => ({ logRounds: cost }),
  isWeak: isWeakBcrypt,
  isCertain: fitsBcrypt,
  wholes: [
    {
      head: /^(?:\$wp|bcrypt_sha256\$|bcrypt\$|\{bcrypt\})?\$2[abxy]\$\d\d\$/,
      characters: 53,
      part: 'salt and hash',
    },
  ],
  causes: () => [
    anotherPassword,
    'The old system added a pepper (a secret) to passwords: a hash does not show it. If so, configure it and name the kind bcrypt_peppered.',
    'A prefix such as $wp or bcrypt_sha256$ was cut off, or something else than the password was hashed.',
  ],
};
