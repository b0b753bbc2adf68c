/** phpass, in the spellings of WordPress before 6.8 and phpBB. */

import { malformed, type HashKind, type Parser } from '../kind.ts';
import { overCeiling } from '../limits.ts';
import { cryptAlphabet, faultOfEncoded } from '../parts/crypt-alphabet.ts';
import { digestMs, digestStateBytes } from '../parts/digested.ts';

export interface ParsedPhpass {
  readonly kind: 'phpass';
  readonly logRounds: number;
  readonly salt: string;
  /** 22 characters in crypt(3)'s alphabet. */
  readonly encoded: string;
}

const characters = 34;
const saltAt = 4;
const hashAt = 12;
const logRoundsFloor = 7;
const logRoundsMax = 30;

/** `$P$` or phpBB's `$H$`, a character for log2 of the rounds, 8 of salt, 22 of hash (Solar Designer, phpass 0.5). */
const parsePhpass: Parser<ParsedPhpass> = (hash, limits) => {
  if (hash.length !== characters) {
    return malformed(`it has ${hash.length} characters where phpass has ${characters}`);
  }
  const logRounds = cryptAlphabet.indexOf(hash.charAt(saltAt - 1));
  if (logRounds < logRoundsFloor) return malformed('its cost is below 7, the least that phpass has');
  if (logRounds > limits.phpassMaxLogRounds) return overCeiling('phpassMaxLogRounds', limits);
  if (logRounds > logRoundsMax) return malformed('its cost is over 30, the most that phpass has');
  const salt = hash.slice(saltAt, hashAt);
  const encoded = hash.slice(hashAt);
  const found = faultOfEncoded(encoded, 16);
  return found ?? { ok: true, parsed: { kind: 'phpass', logRounds, salt, encoded } };
};

export const phpass: HashKind<ParsedPhpass> = {
  label: 'phpass',
  spellings: [
    ['$P$', parsePhpass],
    ['$H$', parsePhpass],
  ],
  bytes: () => digestStateBytes,
  work: ({ logRounds }) => 2 ** logRounds * digestMs,
  cost: ({ logRounds }) => ({ logRounds }),
  // Some thousand rounds of MD5: a graphics card computes billions a second.
  isWeak: () => true,
  // All bytes matter; passwords longer than the format allows are refused.
  isCertain: () => true,
  wholes: [{ head: /^\$[PH]\$/, characters: 31, part: 'cost, salt and hash' }],
};
