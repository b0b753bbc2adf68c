/** The strings of crypt(3) that have no salt in base64: sha512-crypt, sha256-crypt, md5-crypt, and phpass. */

import type { HashLimits } from '../domain/model.ts';
import { cryptAlphabet, faultOfEncoded } from './crypt-alphabet.ts';
import { readDecimal } from './decimal.ts';
import { overCeiling } from './limits.ts';
import { malformed } from './outcome.ts';
import type { Fault, Parser } from './outcome.ts';
import type { ParsedCrypt, ParsedPhpass } from './parsed.ts';

/** Drepper, "Unix crypt using SHA-256 and SHA-512": without `rounds=` 5,000, at least 1,000, 16 characters of salt. */
const roundsMark = 'rounds=';
const roundsDefault = 5000;
const roundsFloor = 1000;
const saltCharactersLimit = 16;
/** Of md5-crypt, by Kamp for FreeBSD: what it reads of a salt, and its rounds. */
const md5SaltCharactersLimit = 8;
const md5Rounds = 1000;

/** Bytes of the digest that each has in its last field. */
const digestBytes = { sha512_crypt: 64, sha256_crypt: 32, md5_crypt: 16 } as const;

const phpassCharacters = 34;
const phpassSaltAt = 4;
const phpassHashAt = 12;
const phpassLogRoundsFloor = 7;
const phpassLogRoundsMax = 30;

/** `$6$[rounds=N$]salt$hash` and `$5$…`, also with Ory Kratos's words for the number. */
export function parseShaCrypt<Kind extends 'sha512_crypt' | 'sha256_crypt'>(
  kind: Kind,
): Parser<ParsedCrypt<Kind>> {
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

/** The fault of what must be a salt and a digest of `bytes` bytes. */
function faultOfParts(parts: readonly string[], saltLimit: number, bytes: number): Fault | undefined {
  const [salt = '', encoded = ''] = parts;
  if (parts.length !== 2)
    return malformed('after its mark it must be salt$hash and has too few or too many parts');
  if (salt.length > saltLimit) return malformed(`its salt is longer than ${saltLimit} characters`);
  return faultOfEncoded(encoded, bytes);
}

/** `$1$salt$hash`, also with Ory Kratos's word for the number. */
export const parseMd5Crypt: Parser<ParsedCrypt<'md5_crypt'>> = (hash) => {
  const parts = hash.split('$').slice(2);
  const [salt = '', encoded = ''] = parts;
  const found = faultOfParts(parts, md5SaltCharactersLimit, digestBytes.md5_crypt);
  return found ?? { ok: true, parsed: { kind: 'md5_crypt', rounds: md5Rounds, salt, encoded } };
};

/** `$P$` or phpBB's `$H$`, a character for log2 of the rounds, 8 of salt, 22 of hash (Solar Designer, phpass 0.5). */
export const parsePhpass: Parser<ParsedPhpass> = (hash, limits) => {
  if (hash.length !== phpassCharacters) {
    return malformed(`it has ${hash.length} characters where phpass has ${phpassCharacters}`);
  }
  const logRounds = cryptAlphabet.indexOf(hash.charAt(phpassSaltAt - 1));
  if (logRounds < phpassLogRoundsFloor) return malformed('its cost is below 7, the least that phpass has');
  if (logRounds > limits.phpassMaxLogRounds) return overCeiling('phpassMaxLogRounds', limits);
  if (logRounds > phpassLogRoundsMax) return malformed('its cost is over 30, the most that phpass has');
  const salt = hash.slice(phpassSaltAt, phpassHashAt);
  const encoded = hash.slice(phpassHashAt);
  const found = faultOfEncoded(encoded, 16);
  return found ?? { ok: true, parsed: { kind: 'phpass', logRounds, salt, encoded } };
};
