/** Transforms that old systems applied to a password before hashing: one row a step. */

import { hash } from 'node:crypto';
import { digestBytes, type DigestName } from '../parts/digested.ts';

/** The input of a step: text in UTF-8, or bytes of no known encoding. */
type Material = 'text' | 'bytes';

/** One step. Passwords come as UTF-8. */
export interface StepKind {
  readonly about: string;
  /** Left out: it accepts any bytes. */
  readonly takes?: 'text';
  /** Left out: the same as its input. */
  readonly gives?: Material;
  /** Several passwords become one. */
  readonly isLossy?: true;
  /** It needs a text: `prefix=TEXT`. */
  readonly takesText?: true;
  readonly apply: (password: Buffer, own: Buffer) => Buffer;
}

/** PHP's addslashes(), which is WordPress' wp_slash(). Only ASCII is examined, so other bytes of UTF-8 do not change. */
function slashed(password: Buffer): Buffer {
  return ofAscii(password, (text) =>
    text.replaceAll(/['"\\\0]/g, (found) => (found === '\0' ? '\\0' : `\\${found}`)),
  );
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
};

/** PHP's htmlspecialchars(). @param characters those that it replaces */
function escaped(characters: RegExp): StepKind['apply'] {
  return (password) =>
    ofAscii(password, (text) => text.replaceAll(characters, (found) => entities[found] ?? found));
}

/** The bytes that PHP's trim() removes from both ends. */
const trimmedBytes: ReadonlySet<number | undefined> = new Set(Buffer.from(' \t\n\r\0\v'));

function trimmed(password: Buffer): Buffer {
  let start = 0;
  let end = password.length;
  while (start < end && trimmedBytes.has(password[start])) start += 1;
  while (end > start && trimmedBytes.has(password[end - 1])) end -= 1;
  return password.subarray(start, end);
}

/** PHP's utf8_decode(): a character that is not in Latin-1 becomes a question mark. */
function latin1(password: Buffer): Buffer {
  return Buffer.from(password.toString('utf8').replaceAll(/[^\0-\u00ff]/gu, '?'), 'latin1');
}

/** A change of bytes below 128, each a character. */
function ofAscii(password: Buffer, change: (text: string) => string): Buffer {
  return Buffer.from(change(password.toString('latin1')), 'latin1');
}

function ofText(about: string, change: (text: string) => string): StepKind {
  return {
    about,
    takes: 'text',
    isLossy: true,
    apply: (password) => Buffer.from(change(password.toString('utf8'))),
  };
}

const fixed = {
  slashed: {
    about: "a backslash before ', \" and \\, as PHP's addslashes and WordPress' wp_slash",
    takes: 'text',
    apply: slashed,
  },
  html: {
    about: '&, <, > and " as HTML entities: htmlspecialchars of PHP before 8.1, or with ENT_COMPAT (phpBB)',
    takes: 'text',
    apply: escaped(/[&<>"]/g),
  },
  'html-quotes': {
    about: "as html, and ' as the entity #039: htmlspecialchars of PHP 8.1 and later, or with ENT_QUOTES",
    takes: 'text',
    apply: escaped(/[&<>"']/g),
  },
  trimmed: {
    about: "without blanks, tabs, line ends and NULs at both ends, as PHP's trim",
    takes: 'text',
    isLossy: true,
    apply: trimmed,
  },
  nfc: ofText('Unicode form NFC', (text) => text.normalize('NFC')),
  nfd: ofText('Unicode form NFD', (text) => text.normalize('NFD')),
  nfkc: ofText('Unicode form NFKC', (text) => text.normalize('NFKC')),
  nfkd: ofText('Unicode form NFKD', (text) => text.normalize('NFKD')),
  'lower-case': ofText('in lower case, letters of all scripts', (text) => text.toLowerCase()),
  'lower-case-ascii': ofText("A to Z in lower case, as PHP's strtolower", (text) =>
    text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
  ),
  'upper-case': ofText('in upper case, letters of all scripts', (text) => text.toUpperCase()),
  latin1: {
    about: 'in Latin-1 (ISO 8859-1); other characters become ?',
    takes: 'text',
    gives: 'bytes',
    isLossy: true,
    apply: latin1,
  },
  utf16le: {
    about: 'in UTF-16, the low byte first',
    takes: 'text',
    gives: 'bytes',
    apply: (password: Buffer) => Buffer.from(password.toString('utf8'), 'utf16le'),
  },
  prefix: {
    about: 'TEXT before it, the same for all users',
    takesText: true,
    apply: (password: Buffer, own: Buffer) => Buffer.concat([own, password]),
  },
  suffix: {
    about: 'TEXT after it, the same for all users',
    takesText: true,
    apply: (password: Buffer, own: Buffer) => Buffer.concat([password, own]),
  },
} satisfies Readonly<Record<string, StepKind>>;

const digestForms = ['hex', 'base64', 'raw'] as const;
type DigestForm = (typeof digestForms)[number];
type DigestStep = `${DigestName}-${DigestForm}`;

const formTexts: Readonly<Record<DigestForm, string>> = {
  hex: 'hexadecimal digits in lower case',
  base64: 'base64 with padding',
  raw: 'bytes',
};

function digestStep(digest: DigestName, form: DigestForm): StepKind {
  return {
    about: `its ${digest.toUpperCase()} in ${formTexts[form]}`,
    gives: form === 'raw' ? 'bytes' : 'text',
    apply: (password) =>
      form === 'raw' ? hash(digest, password, 'buffer') : Buffer.from(hash(digest, password, form)),
  };
}

const digestSteps = Object.fromEntries(
  // The keys of a literal.
  (Object.keys(digestBytes) as DigestName[]).flatMap((digest) =>
    digestForms.map((form) => [`${digest}-${form}`, digestStep(digest, form)]),
  ),
) as Readonly<Record<DigestStep, StepKind>>;

const rows = { ...fixed, ...digestSteps };

export type StepName = keyof typeof rows;

/** All steps by name. */
export const stepKinds: Readonly<Record<StepName, StepKind>> = rows;

export function isStepName(name: string): name is StepName {
  return Object.hasOwn(stepKinds, name);
}

export const stepNames: readonly StepName[] = Object.keys(stepKinds).filter(isStepName);
