/** The values of SQL strings: escapes undone, bytes as text or as hexadecimal digits. */

import { isUtf8 } from 'node:buffer';

/** MySQL: `\%` and `\_` keep their backslash, any other letter means itself. */
const mysqlEscapes: Readonly<Record<string, string>> = {
  '0': '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\x1a',
  '%': '\\%',
  _: '\\_',
};
/** PostgreSQL, in COPY and in `E'…'`; any other letter means itself. */
const postgresEscapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The bytes of a string of MySQL, as Latin-1. */
export function unescapedMysql(text: string): string {
  return text.replaceAll(/\\([^])/g, (_, letter: string) => mysqlEscapes[letter] ?? letter);
}

/** As unescapedMysql, for `E'…'`: bytes in octal or hexadecimal digits, characters by their numbers. */
export function unescapedString(text: string): string {
  return text.replaceAll(
    /\\([0-7]{1,3}|x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[^])/g,
    (_, escape: string) => meant(escape),
  );
}

/** As unescapedMysql, for COPY: it has no escapes by a character's number. */
export function unescapedCopy(text: string): string {
  return text.replaceAll(/\\([0-7]{1,3}|x[0-9A-Fa-f]{1,2}|[^])/g, (_, escape: string) => meant(escape));
}

/** The meaning of the text after the backslash. */
function meant(escape: string): string {
  if (/^[0-7]/.test(escape)) return String.fromCharCode(Number.parseInt(escape, 8) & 0xff);
  if (escape.length === 1) return postgresEscapes[escape] ?? escape;
  const number = Number.parseInt(escape.slice(1), 16);
  return escape.startsWith('x') ? String.fromCharCode(number) : characterOf(number);
}

/** Its bytes, as Latin-1. */
function characterOf(point: number): string {
  return Buffer.from(point > 0x10_ffff ? '\ufffd' : String.fromCodePoint(point)).toString('latin1');
}

/** Control characters that texts of a table never contain. */
// eslint-disable-next-line no-control-regex
const control = /[\0-\x08\x0e-\x1f]/;

/** Bytes of a column that may contain anything: their text, or `0x` and digits as in phpMyAdmin's CSV. */
export function textOfBytes(bytes: Buffer): string {
  const text = isUtf8(bytes) ? bytes.toString() : undefined;
  return text !== undefined && !control.test(text) ? text : `0x${bytes.toString('hex')}`;
}

/**
 * The text of a string without a mark for bytes, which dumps of MariaDB lack: one with bytes that no text contains is written in
 * digits. undefined for text that is not UTF-8.
 */
export function textOfString(bytes: Buffer): string | undefined {
  if (isUtf8(bytes)) return bytes.toString();
  return control.test(bytes.toString('latin1')) ? `0x${bytes.toString('hex')}` : undefined;
}

/** The text of digits in X'…' and 0x…; undefined if they are invalid. */
export function textOfHex(digits: string): string | undefined {
  const isSound = digits.length % 2 === 0 && /^[0-9A-Fa-f]*$/.test(digits);
  return isSound ? textOfBytes(Buffer.from(digits, 'hex')) : undefined;
}
