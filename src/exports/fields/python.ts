/**
 * Literals of Python, which pandas and scripts write into a cell instead of JSON: `[{'provider': 'oauth_google', 'label':
 * None}]`. No expression is evaluated.
 */

/** Records are at most 4 MiB, and nothing in them is nested this deep. */
const deepest = 32;

const space = /\s*/y;
const number = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/iy;
const word = /None|True|False/y;
const quoted = /u?(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")/y;
const escape = /\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|(.))/gi;

const words: Readonly<Record<string, unknown>> = { None: null, True: true, False: false };
const escaped: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

interface Cursor {
  readonly text: string;
  at: number;
}

const fault = Symbol('no literal');
type Literal = unknown;

/** The value of a list or a dictionary of literals; undefined for anything else. */
export function parsePython(text: string): unknown {
  const cursor = { text, at: 0 };
  const value = valueAt(cursor, 0);
  skip(cursor);
  return value === fault || cursor.at < text.length || typeof value !== 'object' ? undefined : value;
}

function skip(cursor: Cursor): void {
  space.lastIndex = cursor.at;
  cursor.at += space.exec(cursor.text)?.[0].length ?? 0;
}

function valueAt(cursor: Cursor, depth: number): Literal {
  skip(cursor);
  const first = cursor.text[cursor.at];
  if (depth > deepest) return fault;
  if (first === '[' || first === '(') return listAt(cursor, first === '[' ? ']' : ')', depth);
  if (first === '{') return dictionaryAt(cursor, depth);
  const found = taken(cursor, quoted);
  if (found !== undefined) return unescaped(found[1] ?? found[2] ?? '');
  const named = taken(cursor, word);
  if (named !== undefined) return words[named[0]];
  const digits = taken(cursor, number);
  return digits === undefined ? fault : numberOf(digits[0]);
}

/** A number beyond 2^53 is returned as its text, as for JSON. */
function numberOf(text: string): number | string {
  const value = Number(text);
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? text : value;
}

function taken(cursor: Cursor, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text) ?? undefined;
  if (found !== undefined) cursor.at += found[0].length;
  return found;
}

function isNext(cursor: Cursor, character: string): boolean {
  skip(cursor);
  if (cursor.text[cursor.at] !== character) return false;
  cursor.at += 1;
  return true;
}

function listAt(cursor: Cursor, end: string, depth: number): Literal {
  cursor.at += 1;
  const items: unknown[] = [];
  while (!isNext(cursor, end)) {
    const item = valueAt(cursor, depth + 1);
    if (item === fault) return fault;
    items.push(item);
    if (isNext(cursor, ',')) continue;
    return isNext(cursor, end) ? items : fault;
  }
  return items;
}

function dictionaryAt(cursor: Cursor, depth: number): Literal {
  cursor.at += 1;
  const entries: (readonly [string, unknown])[] = [];
  while (!isNext(cursor, '}')) {
    const key = valueAt(cursor, depth + 1);
    if (typeof key !== 'string' || !isNext(cursor, ':')) return fault;
    const value = valueAt(cursor, depth + 1);
    if (value === fault) return fault;
    entries.push([key, value]);
    if (isNext(cursor, ',')) continue;
    return isNext(cursor, '}') ? Object.fromEntries(entries) : fault;
  }
  return Object.fromEntries(entries);
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(escape, (whole, ...groups: readonly (string | undefined)[]) => {
    const [byte, short, long, character = ''] = groups;
    const code = byte ?? short ?? long;
    if (code === undefined) return escaped[character] ?? whole;
    const point = Number.parseInt(code, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
