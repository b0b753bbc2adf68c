/** The characters by which a character may be replaced: those of its script, case and kind. */

/** A character's alphabet, and its place there. */
export interface Letter {
  readonly alphabet: readonly string[];
  readonly place: number;
}

/** The letters in use of some scripts, and scripts of more than a row of 128 code points. Others are replaced within their row. */
const blocks: readonly (readonly [from: number, to: number])[] = [
  [0xc0, 0xff],
  [0x100, 0x24f],
  [0x391, 0x3c9],
  [0x410, 0x44f],
  [0x530, 0x58f],
  [0x5d0, 0x5ea],
  [0x620, 0x64a],
  [0x1e00, 0x1eff],
  [0x3041, 0x3096],
  [0x30a1, 0x30fa],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0x1f300, 0x1faff],
];
const rowSize = 128;

/** The place in `blocks`, or the row. */
function blockOf(code: number): number {
  const found = blocks.findIndex(([from, to]) => code >= from && code <= to);
  return found >= 0 ? found : blocks.length + Math.floor(code / rowSize);
}

/** Kinds of characters that are replaced. Marks, blanks and punctuation stay: they show how a text is built. */
const kinds = [/\p{Lu}/u, /\p{Ll}/u, /\p{L}/u, /\p{Nd}/u, /\p{N}/u, /\p{So}/u];

const letters = new Map<string, Letter | undefined>();

/** @param character a code point @returns undefined for one that stays */
export function letterOf(character: string): Letter | undefined {
  if (!letters.has(character)) learn(character);
  return letters.get(character);
}

function learn(character: string): void {
  letters.set(character, undefined);
  const kind = kinds.find((each) => each.test(character));
  if (kind === undefined) return;
  const code = character.codePointAt(0) ?? 0;
  const row = Math.floor(code / rowSize) * rowSize;
  const block = blockOf(code);
  const [from, to] = blocks[block] ?? [row, row + rowSize - 1];
  const codes = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const alphabet = codes
    .filter((each) => blockOf(each) === block)
    .map((each) => String.fromCodePoint(each))
    .filter((each) => kinds.find((other) => other.test(each)) === kind && isStable(each));
  for (const [place, each] of alphabet.entries()) letters.set(each, { alphabet, place });
  // One that normalisation changes has an alphabet of others.
  if (!alphabet.includes(character))
    letters.set(character, { alphabet: [...alphabet, character], place: alphabet.length });
}

/** Normalising and changing its case back and forth leave it as it is, so that different texts stay different. */
function isStable(character: string): boolean {
  const upper = character.toUpperCase();
  const isCaseless = upper === character && character.toLowerCase() === character;
  const returns = isCaseless || upper === character || upper.toLowerCase() === character;
  return returns && character.normalize('NFC') === character;
}

const listed = (text: string): ReadonlyMap<string, Letter> => {
  const alphabet = Array.from(text);
  return new Map(alphabet.map((each, place) => [each, { alphabet, place }]));
};

/** For the digits and letters of a hexadecimal text. */
export const hexadecimal = listed('0123456789abcdef');
export const upperHexadecimal = listed('0123456789ABCDEF');
/** A digit that becomes a letter. */
export const digitAsLetter: ReadonlyMap<string, Letter> = new Map(
  Array.from('0123456789', (digit, place) => [
    digit,
    { alphabet: Array.from('abcdefghijklmnopqrstuvwxyz'), place },
  ]),
);
