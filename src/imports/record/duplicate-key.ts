/** Finds a key that occurs twice in one object, which JSON.parse accepts without an error: the later value wins. */

const quote = 34;
const backslash = 92;
const colon = 58;
const comma = 44;

/**
 * @param text valid JSON: only strings, brackets, commas and colons have to be distinguished
 * @param names the number of names in its parsed objects together: fewer than in the text, if one occurs twice
 * @returns the path of the first key that occurs twice, undefined when no key does
 */
export function duplicateKey(text: string, names: number): readonly (string | number)[] | undefined {
  return colonsOutside(text) === names ? undefined : pathOfDuplicate(text);
}

function colonsOutside(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) i = endOfString(text, i);
    else if (code === colon) count++;
  }
  return count;
}

/** @returns the position of the closing quote of the string that begins at `start` */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** An object or a list that is open at a position in the text. */
interface Open {
  /** The names so far of an object; undefined for a list. */
  readonly names: Set<string> | undefined;
  /** The position within it. */
  at: string | number;
}

function pathOfDuplicate(text: string): readonly (string | number)[] | undefined {
  const open: Open[] = [];
  let last = '';
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const inside = open.at(-1);
    if (code === quote) {
      const end = endOfString(text, i);
      last = text.slice(i, end + 1);
      i = end;
    } else if (code === colon && inside?.names !== undefined) {
      const name = JSON.parse(last) as string;
      inside.at = name;
      if (inside.names.has(name)) return open.map(({ at }) => at);
      inside.names.add(name);
    } else if (code === comma && typeof inside?.at === 'number') inside.at++;
    else follow(open, text[i]);
  }
  return undefined;
}

function follow(open: Open[], character: string | undefined): void {
  if (character === '{') open.push({ names: new Set(), at: '' });
  else if (character === '[') open.push({ names: undefined, at: 0 });
  else if (character === '}' || character === ']') open.pop();
}
