/** The strings of crypt(3) whose salt is not in base64: sha512-crypt, sha256-crypt and md5-crypt. */

import type { HashLimits } from '../../domain/model.ts';
import { malformed, type Fault, type HashKind, type Parser } from '../kind.ts';
import { overCeiling } from '../limits.ts';
import { faultOfEncoded } from '../parts/crypt-alphabet.ts';
import { digestStateBytes } from '../parts/digested.ts';
import { readDecimal } from '../parts/parameters.ts';

type CryptKind = 'sha512_crypt' | 'sha256_crypt' | 'md5_crypt';

export interface ParsedCrypt<Kind extends CryptKind> {
  readonly kind: Kind;
  readonly rounds: number;
  readonly salt: string;
  /** In crypt(3)'s alphabet, with the length of the digest. */
  readonly encoded: string;
}

/** Drepper, "Unix crypt using SHA-256 and SHA-512": without `rounds=` 5,000, at least 1,000, 16 characters of salt. */
const roundsMark = 'rounds=';
const roundsDefault = 5000;
const roundsFloor = 1000;
const saltCharactersLimit = 16;
/** md5-crypt, by Kamp for FreeBSD: the salt characters that it reads, and its rounds. */
const md5SaltCharactersLimit = 8;
const md5Rounds = 1000;

/** Bytes of the digest in the last field. */
const digestBytes = { sha512_crypt: 64, sha256_crypt: 32, md5_crypt: 16 } as const;

/** `$6$[rounds=N$]salt$hash` and `$5$…`, also with Ory Kratos's words for the number. */
function parseShaCrypt<Kind extends 'sha512_crypt' | 'sha256_crypt'>(kind: Kind): Parser<ParsedCrypt<Kind>> {
  return (hash, limits) => {
    const parts = hash.split('$').slice(2);
    const stated =
      parts[0]?.startsWith(roundsMark) === true ? parts.shift()?.slice(roundsMark.length) : undefined;
    const [salt = '', encoded = ''] = parts;
    const rounds = stated === undefined ? roundsDefault : readDecimal(stated);
    const found =
      faultOfRounds(rounds, limits) ?? faultOfParts(parts, saltCharactersLimit, digestBytes[kind]);
    return found ?? { ok: true, parsed: { kind, rounds: rounds ?? roundsDefault, salt, encoded } };
  };
}

function faultOfRounds(rounds: number | undefined, limits: HashLimits): Fault | undefined {
  if (rounds === undefined || rounds < roundsFloor) {
    return malformed(`its rounds are not a number from ${roundsFloor}`);
  }
  return rounds > limits.cryptMaxRounds ? overCeiling('cryptMaxRounds', limits) : undefined;
}

/** The fault of the salt and the digest of `bytes` bytes. */
function faultOfParts(parts: readonly string[], saltLimit: number, bytes: number): Fault | undefined {
  const [salt = '', encoded = ''] = parts;
  if (parts.length !== 2)
    return malformed('after its mark it must be salt$hash and has too few or too many parts');
  if (salt.length > saltLimit) return malformed(`its salt is longer than ${saltLimit} characters`);
  return faultOfEncoded(encoded, bytes);
}

/** `$1$salt$hash`, also with Ory Kratos's word for the number. */
const parseMd5Crypt: Parser<ParsedCrypt<'md5_crypt'>> = (hash) => {
  const parts = hash.split('$').slice(2);
  const [salt = '', encoded = ''] = parts;
  const found = faultOfParts(parts, md5SaltCharactersLimit, digestBytes.md5_crypt);
  return found ?? { ok: true, parsed: { kind: 'md5_crypt', rounds: md5Rounds, salt, encoded } };
};

/** Milliseconds of one round, which digests two to four times as many bytes as a short message, from several places. */
const roundMs = { sha512_crypt: 0.9e-3, sha256_crypt: 0.57e-3, md5_crypt: 0.75e-3 } as const;

/** Bytes of sha512-crypt at its peak: a password of 511 bytes is written as often as it is long. */
const cryptBytes = 512 * 512 + digestStateBytes;

/** The common part of all three. */
function cryptRow<Kind extends CryptKind>(kind: Kind) {
  return {
    bytes: () => cryptBytes,
    work: ({ rounds }: ParsedCrypt<Kind>) => rounds * roundMs[kind],
    cost: ({ rounds }: ParsedCrypt<Kind>) => ({ rounds }),
    // All bytes matter, and so does the length where salt and password mix; passwords longer than the format allows are refused.
    isCertain: () => true,
  };
}

// The second spelling of each is Ory Kratos's.

export const sha512_crypt: HashKind<ParsedCrypt<'sha512_crypt'>> = {
  ...cryptRow('sha512_crypt'),
  label: 'sha512-crypt',
  spellings: [
    ['$6$', parseShaCrypt('sha512_crypt')],
    ['$sha512-crypt$', parseShaCrypt('sha512_crypt')],
  ],
  isWeak: isWeakShaCrypt,
  wholes: [{ head: /^\$(?:6|sha512-crypt)\$(?:rounds=\d+\$)?[^$]*\$/, characters: 86, part: 'hash' }],
};

export const sha256_crypt: HashKind<ParsedCrypt<'sha256_crypt'>> = {
  ...cryptRow('sha256_crypt'),
  label: 'sha256-crypt',
  spellings: [
    ['$5$', parseShaCrypt('sha256_crypt')],
    ['$sha256-crypt$', parseShaCrypt('sha256_crypt')],
  ],
  isWeak: isWeakShaCrypt,
  wholes: [{ head: /^\$(?:5|sha256-crypt)\$(?:rounds=\d+\$)?[^$]*\$/, characters: 43, part: 'hash' }],
};

export const md5_crypt: HashKind<ParsedCrypt<'md5_crypt'>> = {
  ...cryptRow('md5_crypt'),
  label: 'md5-crypt',
  spellings: [
    ['$1$', parseMd5Crypt],
    ['$md5-crypt$', parseMd5Crypt],
  ],
  isWeak: () => true,
  wholes: [{ head: /^\$(?:1|md5-crypt)\$[^$]*\$/, characters: 22, part: 'hash' }],
};

/** Below the default of Drepper's format, which OWASP does not list. */
function isWeakShaCrypt({ rounds }: { readonly rounds: number }): boolean {
  return rounds < roundsDefault;
}
