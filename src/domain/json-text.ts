import { Refusal } from './errors.ts';

/** What a body was, once it is complete. */
export interface BodyText {
  readonly value: unknown;
  /** Whether the text held a `\u` escape, the only way for U+0000 or a lone surrogate to get into JSON. */
  readonly escaped: boolean;
}

/** Brackets in brackets: what walks a value by recursion overflows its stack at some thousands. */
export const depthLimit = 512;

/**
 * @param mostValues bound on what parsing will allocate
 * @throws Refusal INVALID_JSON_INPUT when the text is no JSON, nests deeper than `depthLimit` or holds more values
 */
export function parseJson(text: string, mostValues = Infinity): BodyText {
  if (text.length > 2 * depthLimit) requireBounds(text, mostValues);
  return { value: parse(text), escaped: text.includes('\\u') };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The cause is left out: V8's message quotes the text, which may hold a password.
    throw new Refusal('INVALID_JSON_INPUT');
  }
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;

function requireBounds(text: string, mostValues: number): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === comma) values++;
    // `[` or `{`, and then their counterparts: two codes further, and alike but for one bit.
    else if ((code & ~0x20) === 0x5b) {
      values++;
      if (++depth > depthLimit) throw refused(`brackets are nested deeper than ${depthLimit}`);
    } else if ((code & ~0x20) === 0x5d) depth--;
    if (values > mostValues) throw refused(`more than ${mostValues} values in one body`);
  }
}

/** @returns the place of the closing quote, or the text's end */
function endOfString(text: string, start: number): number {
  for (let at = start; ;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
}

function refused(why: string): Refusal {
  return new Refusal('INVALID_JSON_INPUT', `Invalid Json Input: ${why}`);
}
