/**
 * A keyed permutation of the texts of one form: equal texts stay equal and different ones different, and length, scripts and
 * punctuation stay. A Feistel network in which each position is added modulo the size of its alphabet, as in FF1 of NIST SP 800-38G with
 * another round function. The key is thrown away, and no one chooses texts.
 */

import type { Keyed } from './keyed.ts';
import { letterOf, type Letter } from './alphabets.ts';

/** As many as FF3-1 has. */
const rounds = 8;
/** The keyed function gives 128 bits, 16 for each position. */
const positionsAtOnce = 8;

/** Room for the longest line's text. */
interface Work {
  places: Int32Array;
  sizes: Int32Array;
  words: Uint32Array;
  readonly letters: (Letter | undefined)[];
}

const work: Work = {
  places: new Int32Array(1024),
  sizes: new Int32Array(1024),
  words: new Uint32Array(1024),
  letters: [],
};

export interface Permutation {
  readonly keyed: Keyed;
  /** Distinguishes the permutations of one key. */
  readonly use: number;
  /** Finds the alphabet of a character at its index. */
  readonly letter?: (character: string, index: number) => Letter | undefined;
}

/** `text` with each letter, digit and symbol replaced by one of its alphabet. */
export function permuted(text: string, { keyed, use, letter = letterOf }: Permutation): string {
  // Of code points; a text without surrogates has one at each index.
  const characters = surrogate.test(text) ? Array.from(text) : text;
  const { count, isSmall } = placed(characters, letter);
  if (count === 0) return text;
  const half = count >> 1;
  const left = { from: half, to: count, target: 0, end: half };
  const right = { from: 0, to: half, target: half, end: count };
  for (let round = 0; round < rounds; round++)
    addKeyed({ keyed, use, round, count, isSmall }, round % 2 === 0 ? left : right);
  return written(characters);
}

const surrogate = /[\ud800-\udfff]/;

/** Notes the letters of a text and their places. @returns how many there are, and whether no alphabet has more than 256 */
function placed(
  characters: ArrayLike<string>,
  letter: (character: string, index: number) => Letter | undefined,
): Pick<Round, 'count' | 'isSmall'> {
  makeRoom(characters.length);
  const { places, sizes, letters } = work;
  let count = 0;
  let isSmall = true;
  for (let index = 0; index < characters.length; index++) {
    const found = letter(characters[index] ?? '', index);
    letters[index] = found;
    if (found === undefined) continue;
    places[count] = found.place;
    sizes[count] = found.alphabet.length;
    isSmall &&= found.alphabet.length <= 256;
    count += 1;
  }
  return { count, isSmall };
}

/** The text with the letters at their new places. */
function written(characters: ArrayLike<string>): string {
  const { places, letters } = work;
  let text = '';
  let next = 0;
  for (let index = 0; index < characters.length; index++) {
    const own = characters[index] ?? '';
    text += letters[index]?.alphabet[places[next] ?? 0] ?? own;
    if (letters[index] !== undefined) next += 1;
  }
  return text;
}

function makeRoom(length: number): void {
  if (work.places.length >= length) return;
  work.places = new Int32Array(length * 2);
  work.sizes = new Int32Array(length * 2);
  work.words = new Uint32Array(length * 2 + 16);
}

interface Round {
  readonly keyed: Keyed;
  readonly use: number;
  readonly round: number;
  readonly count: number;
  /** Whether no alphabet has more than 256 characters. */
  readonly isSmall: boolean;
}

interface Halves {
  readonly from: number;
  readonly to: number;
  readonly target: number;
  readonly end: number;
}

/** Adds a function of one half to the other. */
function addKeyed({ keyed, use, round, count, isSmall }: Round, { from, to, target, end }: Halves): void {
  const { places, words } = work;
  const header = 2;
  words[0] = (use << 24) | (round << 16) | count;
  // Four positions to a word, if their alphabets are small.
  const bits = isSmall ? 8 : 16;
  const perWord = 32 / bits;
  const length = header + Math.ceil((to - from) / perWord);
  for (let word = header, at = from; word < length; word++, at += perWord) {
    let packed = 0;
    for (let next = at; next < at + perWord; next++)
      packed = (packed << bits) | (next < to ? (places[next] ?? 0) : 0);
    words[word] = packed;
  }
  for (let at = target; at < end; at += positionsAtOnce) {
    words[1] = at;
    addWords(keyed(words, length), at, Math.min(end, at + positionsAtOnce));
  }
}

function addWords(words: Uint32Array, from: number, to: number): void {
  const { places, sizes } = work;
  for (let at = from; at < to; at++) {
    const index = at - from;
    const bits = ((words[index >> 1] ?? 0) >>> ((index & 1) * 16)) & 0xffff;
    places[at] = ((places[at] ?? 0) + bits) % (sizes[at] ?? 1);
  }
}
