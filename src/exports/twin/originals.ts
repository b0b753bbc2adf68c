/**
 * The values of an original of six or more characters, as digests: what a twin must not contain. Compared are whole values, the two sides
 * of emails, and each run of letters and digits, all in lower case.
 */

import { allPublicWords } from './vocabulary.ts';

/** Shorter ones are too frequent to identify anyone. */
export const originalCharacters = 6;

/** Calls `found` for everything of a value that is compared. */
export function eachPart(value: string, found: (part: string) => void): void {
  const text = value.trim().toLowerCase();
  if (text.length < originalCharacters) return;
  addPart(text, found);
  const at = text.lastIndexOf('@');
  if (at > 0) {
    addPart(text.slice(0, at), found);
    addPart(text.slice(at + 1), found);
  }
  let start = 0;
  for (let end = 0; end <= text.length; end++) {
    if (end < text.length && isWordCode(text.charCodeAt(end))) continue;
    if (end - start < text.length) addPart(text.slice(start, end), found);
    start = end + 1;
  }
}

function addPart(part: string, found: (part: string) => void): void {
  if (part.length >= originalCharacters && !allPublicWords.has(part)) found(part);
}

/** Letters, digits, and everything beyond ASCII. */
function isWordCode(code: number): boolean {
  return code > 127 || (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

/** As eachPart for a hash or the transforms of a password: salt, digest and texts, without marks and parameters. */
export function eachPartOfHash(hash: string, found: (part: string) => void): void {
  for (const piece of hash.split(/[$:,|{}"; =]/)) {
    if (isParameter(piece)) continue;
    addPart(piece.toLowerCase(), found);
  }
}

/** `m=65536`, `600000`, `rounds=5000`. */
export function isParameter(piece: string): boolean {
  return /^(?:[a-z]{1,8}=)?\d{1,10}$/.test(piece);
}

/** 1 to 2^53 - 1: two hashes of FNV-1a's form (Fowler, Noll, Vo), begun at different values. */
export function digestOfPart(part: string): number {
  let low = 0x811c9dc5;
  let high = 0x9e3779b1;
  for (let at = 0; at < part.length; at++) {
    const code = part.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0) || 1;
}

/** An open hash table of digests in memory that threads share; a free slot is 0. Grown by one thread, then read by all. */
export type OriginalTable = Float64Array;

/** @param slots a power of two */
export function makeTable(slots: number): OriginalTable {
  return new Float64Array(new SharedArrayBuffer(slots * Float64Array.BYTES_PER_ELEMENT));
}

export function hasOriginal(table: OriginalTable, part: string): boolean {
  const digest = digestOfPart(part);
  return table[slotOf(table, digest)] === digest;
}

/** Collects digests; doubles when it is half full. Memory: 16 to 32 bytes for each different value. */
export class Originals {
  #table: OriginalTable;
  #size = 0;

  constructor(slots = 65_536) {
    this.#table = makeTable(slots);
  }

  get table(): OriginalTable {
    return this.#table;
  }

  /** Different values so far. */
  get size(): number {
    return this.#size;
  }

  add(digests: Float64Array): void {
    for (const digest of digests) {
      const slot = slotOf(this.#table, digest);
      if (this.#table[slot] === digest) continue;
      this.#table[slot] = digest;
      this.#size += 1;
      if (this.#size * 2 >= this.#table.length) this.#grow();
    }
  }

  #grow(): void {
    const grown = makeTable(this.#table.length * 2);
    for (const digest of this.#table) if (digest !== 0) grown[slotOf(grown, digest)] = digest;
    this.#table = grown;
  }
}

/** The digest's own slot or the first free one after it. There is always one: the table is never full. */
function slotOf(table: OriginalTable, digest: number): number {
  const mask = table.length - 1;
  // The low bits of FNV depend on the low bits of the text alone: the high half is mixed in.
  let slot = ((digest >>> 0) ^ Math.floor(digest / 2 ** 32)) & mask;
  while (table[slot] !== 0 && table[slot] !== digest) slot = (slot + 1) & mask;
  return slot;
}
