import { Refusal } from './errors.ts';

export interface BodyText {
  readonly value: unknown;
  /** Whether the text held a `\u` escape, the only way to write U+0000 or a lone surrogate in JSON. */
  readonly escaped: boolean;
  /** Whether `value` holds another number than the text: an integer beyond 2^53, or one beyond 1.8e308. */
  readonly altered: boolean;
}

/** Nesting depth: recursion over a value overflows the stack at some thousands. */
export const depthLimit = 512;

/**
 * @param mostValues limit of values, and so of memory
 * @throws Refusal INVALID_JSON_INPUT when the text is not JSON, is nested deeper than `depthLimit` or holds more values
 */
export function parseJson(text: string, mostValues = Infinity): BodyText {
  const altered = scan(text, mostValues);
  return { value: parse(text), escaped: text.includes('\\u'), altered };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No cause: V8's message quotes the text, which may hold a password.
    throw new Refusal('INVALID_JSON_INPUT');
  }
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const zero = 0x30;
const nine = 0x39;
/** Integers with no more digits are below 2^53. */
const fewDigits = 15;

/** @returns whether a number is altered @throws Refusal for a text that is too deep or has too many values */
function scan(text: string, mostValues: number): boolean {
  let depth = 0;
  let values = 1;
  let altered = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code >= zero && code <= nine) {
      const end = endOfNumber(text, at);
      if (end - at > fewDigits || hasExponent(text, at, end)) altered ||= isAltered(text.slice(at, end));
      at = end - 1;
    } else if (code === comma) values++;
    // `[` or `{`; the closing codes are two higher.
    else if ((code & ~0x20) === 0x5b) {
      values++;
      if (++depth > depthLimit) throw refused(`brackets are nested deeper than ${depthLimit}`);
    } else if ((code & ~0x20) === 0x5d) depth--;
    if (values > mostValues) throw refused(`more than ${mostValues} values in one body`);
  }
  return altered;
}

/** @returns the index of the closing quote, or the text's end */
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

/** For a number without its sign: digits, a point, an exponent. */
function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && /[\d.eE+-]/.test(text.charAt(at))) at++;
  return at;
}

function hasExponent(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((text.charCodeAt(at) | 0x20) === 0x65) return true;
  return false;
}

/** Fractions may be rounded; integers must stay the same. */
function isAltered(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return true;
  const written = integerOf(token);
  return written !== undefined && written !== integerOf(String(value));
}

/** An integer as its digits and trailing zeros; undefined for a fraction. */
function integerOf(token: string): string | undefined {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const trimmed = digits.replace(/0+$/, '');
  const zeros = Number(exponent) - fraction.length + digits.length - trimmed.length;
  return trimmed === '' ? '0' : zeros < 0 ? undefined : `${trimmed}e${zeros}`;
}

/** The end of the sentence "Field name '…' is invalid …: ". */
export const alteredWhy =
  'must be a number that comes back as it is, such as an integer up to 9007199254740991: write a larger one as a text';

interface Reached {
  readonly value: unknown;
  readonly name: string | number;
  readonly from: Reached | undefined;
}

/**
 * Finds a number that may be altered. Uses a list instead of recursion: values may be nested deeper than the stack.
 * @returns the names and indexes that lead to it
 */
export function placeOfAltered(root: unknown): readonly (string | number)[] | undefined {
  const pending: Reached[] = [{ value: root, name: '', from: undefined }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value } = next;
    if (typeof value === 'number' && mayBeAltered(value)) return pathTo(next);
    if (typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    for (const [name, each] of Object.entries(value))
      pending.push({ value: each, name: isList ? Number(name) : name, from: next });
  }
  return undefined;
}

function mayBeAltered(value: number): boolean {
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}

function pathTo(reached: Reached): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = reached; at.from !== undefined; at = at.from) path.push(at.name);
  return path.reverse();
}

/** The path of a field; stops before a name from the sender that is unsafe to repeat. */
export function fieldPath(names: readonly (string | number)[]): string {
  const isHarmless = (name: string | number): boolean => /^[\w-]{1,64}$/.test(String(name));
  const end = names.findIndex((name) => !isHarmless(name));
  return names.slice(0, Math.min(end < 0 ? names.length : end, 8)).join('.');
}

export function altersNumbers(text: string): boolean {
  return scan(text, Infinity);
}
