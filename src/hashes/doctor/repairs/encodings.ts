/** Repairs of the encoding of salt and hash inside the string. */

import { decodeBase64, decodeHex, encodeBare } from '../../parts/encodings.ts';
import { parameters } from '../examination.ts';
import type { Repair } from '../repair.ts';

/** Cost and template parameters: `m=14`, `i=1000,l=32`. They are neither salt nor hash. */
const named = /^[a-z]{1,6}=[^=]/;
const hexadecimal = /^(?:[0-9A-Fa-f]{2})+$/;
const urlSafe = /[-_]/;

export const encodingRepairs: readonly Repair[] = [
  {
    name: 'url-safe-base64',
    parameter: parameters.hash,
    advice: 'Write salt and hash in standard base64: + and / where there are - and _.',
    variants: reencoded((part) =>
      urlSafe.test(part) ? spellings(part.replaceAll('-', '+').replaceAll('_', '/')) : [],
    ),
  },
  {
    name: 'base64-padding',
    parameter: parameters.hash,
    advice:
      'Give the base64 of salt and hash the padding (=) that this spelling has, or take off what it has not.',
    variants: reencoded((part) => spellings(part)),
  },
  {
    name: 'passlib-base64',
    parameter: parameters.hash,
    advice: "Write . where there is + in base64 (passlib's alphabet), or the other way round.",
    variants: reencoded((part) => [part.replaceAll('+', '.'), part.replaceAll('.', '+')]),
  },
  {
    name: 'hex-for-base64',
    parameter: parameters.hash,
    advice: 'Salt or hash are in hexadecimal where this spelling has base64: encode them again.',
    variants: reencoded((part) => {
      const bytes = hexadecimal.test(part) ? decodeHex(part) : undefined;
      return bytes === undefined ? [] : spellings(bytes.toString('base64'));
    }),
  },
  {
    name: 'base64-for-hex',
    parameter: parameters.hash,
    advice: 'Salt or hash are in base64 where this spelling has hexadecimal: encode them again.',
    variants: reencoded((part) => {
      const bytes = decodeBase64(part, 'any');
      return bytes === undefined ? [] : [bytes.toString('hex')];
    }),
  },
  {
    name: 'hex-case',
    parameter: parameters.hash,
    advice: 'Write the hexadecimal digits in the other case: where a salt is taken as text, case counts.',
    variants: reencoded((part) => (hexadecimal.test(part) ? [part.toLowerCase(), part.toUpperCase()] : [])),
  },
];

/** Both spellings of the same base64. */
function spellings(base64: string): string[] {
  const bare = base64.replace(/={1,2}$/, '');
  const bytes = Buffer.from(bare, 'base64');
  return encodeBare(bytes) === bare ? [bare, bytes.toString('base64')] : [];
}

/** Applies `encode` to each part after the mark, to one at a time and to all together. */
function reencoded(encode: (part: string) => readonly string[]): Repair['variants'] {
  return ({ hash, given }) => {
    const parts = partsOf(hash);
    const changes = parts.map(({ text, isFixed }) => (isFixed ? [] : encode(text)));
    const most = Math.max(0, ...changes.map(({ length }) => length));
    const found = new Set<string>();
    for (let choice = 0; choice < most; choice += 1) {
      found.add(parts.map(({ text, before }, at) => before + (changes[at]?.[choice] ?? text)).join(''));
      for (const [only] of parts.entries())
        found.add(
          parts
            .map(({ text, before }, at) => before + (at === only ? (changes[at]?.[choice] ?? text) : text))
            .join(''),
        );
    }
    found.delete(hash);
    return [...found].map((each) => ({ hash: each, given }));
  };
}

interface Part {
  /** The delimiter before it. */
  readonly before: string;
  readonly text: string;
  readonly isFixed: boolean;
}

/** Real hashes have fewer. */
const partsLimit = 16;

/** The hash split at `$` and, if it has none, at `:`; a mark at the beginning and named parameters do not change. */
function partsOf(hash: string): Part[] {
  const scheme = /^\{[^{}]{1,40}\}/.exec(hash)?.[0] ?? '';
  const rest = hash.slice(scheme.length);
  const delimiter = rest.includes('$') ? '$' : ':';
  const texts = rest.split(delimiter);
  if (texts.length > partsLimit) return [];
  const marks = texts.length === 1 || delimiter === ':' ? 0 : rest.startsWith('$') ? 2 : 1;
  return texts.map((text, at) => ({
    before: at === 0 ? scheme : delimiter,
    text,
    isFixed: at < marks || text === '' || named.test(text),
  }));
}
