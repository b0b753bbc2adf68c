/** Files that are not UTF-8: by their byte order mark, or by --encoding. */

import { ExportFault } from '../../providers/provider.ts';

/** The values of `--encoding`. Latin-1 includes Windows' characters: bytes that only Windows uses are read as such. */
export const encodings = ['utf-8', 'latin1', 'windows-1252', 'utf-16', 'utf-16le', 'utf-16be'] as const;

export type Encoding = (typeof encodings)[number];

/** The encoding of this name in any case; undefined for an unknown name. */
export function encodingNamed(name: string): Encoding | undefined {
  const wanted = name
    .trim()
    .toLowerCase()
    .replace('iso-8859-1', 'latin1')
    .replace(/^utf(8|16)/, 'utf-$1');
  return encodings.find((each) => each === wanted);
}

const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf]);
const marks = [
  { mark: utf8Mark, encoding: 'utf-8' },
  { mark: Buffer.from([0xff, 0xfe]), encoding: 'utf-16le' },
  { mark: Buffer.from([0xfe, 0xff]), encoding: 'utf-16be' },
] as const;

/** The encoding that the first bytes of a text show. */
export function encodingByMark(start: Uint8Array): Encoding | undefined {
  return marks.find(({ mark }) => mark.equals(start.subarray(0, mark.length)))?.encoding;
}

/**
 * The chunks as UTF-8, without a byte order mark. Without `named` a mark decides. A named encoding takes precedence: some
 * programs write the mark of UTF-8 before Latin-1. UTF-8 is passed on unchecked: the parser reports the invalid record.
 */
export async function* asUtf8(source: AsyncIterable<Buffer>, named?: Encoding): AsyncGenerator<Buffer> {
  // The mark may arrive in several reads: nothing is passed on before there is enough to decide.
  let start = Buffer.alloc(0);
  let text: Text | undefined;
  for await (const chunk of source) {
    if (text === undefined) {
      start = Buffer.concat([start, chunk]);
      if (start.length < utf8Mark.length) continue;
      text = textOf(start, named);
    }
    const bytes = text.more(start.length > 0 ? start : chunk);
    start = Buffer.alloc(0);
    if (bytes.length > 0) yield bytes;
  }
  text ??= textOf(start, named);
  const rest = Buffer.concat([text.more(start), text.end()]);
  if (rest.length > 0) yield rest;
}

interface Text {
  readonly more: (bytes: Buffer) => Buffer;
  readonly end: () => Buffer;
}

const nothing = Buffer.alloc(0);

function textOf(start: Uint8Array, named: Encoding | undefined): Text {
  const marked = marks.find(({ mark }) => mark.equals(start.subarray(0, mark.length)));
  const encoding = resolved(named, marked?.encoding);
  const text = encoding === 'utf-8' ? plain() : decoded(encoding);
  return marked !== undefined && isMarkOf(marked.encoding, encoding)
    ? without(marked.mark.length, text)
    : text;
}

/** `utf-16` names both orders of bytes, one of which a mark names. */
function resolved(named: Encoding | undefined, marked: Encoding | undefined): Encoding {
  if (named === undefined) return marked ?? 'utf-8';
  return named === 'utf-16' && marked?.startsWith('utf-16') === true ? marked : named;
}

/** Whether it is a mark there, and not two characters: that of UTF-8 is not a text in any single-byte encoding. */
function isMarkOf(marked: Encoding, encoding: Encoding): boolean {
  return marked === encoding || (marked === 'utf-8' && !encoding.startsWith('utf-16'));
}

function without(markBytes: number, { more, end }: Text): Text {
  let skip = markBytes;
  return {
    more: (bytes) => {
      const rest = bytes.subarray(skip);
      skip = 0;
      return more(rest);
    },
    end,
  };
}

function plain(): Text {
  return { more: (bytes) => bytes, end: () => nothing };
}

/** Strict in every encoding: the lenient decoder of Node 20 reads Windows' characters as control characters. */
function decoded(encoding: Exclude<Encoding, 'utf-8'>): Text {
  const decoder = new TextDecoder(encoding === 'utf-16' ? 'utf-16le' : encoding, { fatal: true });
  const decode = (bytes: Buffer, stream: boolean): Buffer => {
    try {
      return Buffer.from(decoder.decode(bytes, { stream }));
    } catch (error) {
      if (error instanceof TypeError)
        throw new ExportFault(`the file is not ${encoding.toUpperCase()}: give another --encoding`);
      throw error;
    }
  };
  return { more: (bytes) => decode(bytes, true), end: () => decode(nothing, false) };
}
