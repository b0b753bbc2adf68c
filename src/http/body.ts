import { Refusal } from '../errors.ts';

/** Refuses bytes that are no UTF-8. One leading byte order mark is dropped, as RFC 8259 lets a parser do. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What a body was, once it is complete. */
export interface BodyText {
  readonly value: unknown;
  /** Whether the text held a `\u` escape, the only way for U+0000 or a lone surrogate to get into JSON. */
  readonly escaped: boolean;
}

/**
 * Gathers the chunks of a body into its text. A chunk's memory is the server's again when its callback returns:
 * a body that comes in one chunk is decoded at once, others are copied into one buffer of the announced length,
 * so that a body sent byte by byte costs no more than one sent whole.
 */
export class BodyReader {
  private readonly announcedBytes: number;
  private buffer: Buffer | undefined;
  private filledBytes = 0;
  private text: string | undefined;

  constructor(announcedBytes: number) {
    this.announcedBytes = announcedBytes;
  }

  /** @param chunk valid during the call only; together the chunks are no longer than announced */
  add(chunk: Uint8Array, isLast: boolean): void {
    if (isLast && this.buffer === undefined) {
      this.text = decode(chunk);
      return;
    }
    this.buffer ??= Buffer.allocUnsafe(this.announcedBytes);
    this.buffer.set(chunk, this.filledBytes);
    this.filledBytes += chunk.byteLength;
    if (isLast) this.text = decode(this.buffer.subarray(0, this.filledBytes));
  }

  /** @throws Refusal INVALID_JSON_INPUT when the complete body is no JSON */
  json(): BodyText {
    return textOf(this.text);
  }
}

/** @throws Refusal INVALID_JSON_INPUT when a complete body is no JSON in UTF-8 */
export function jsonOf(bytes: Uint8Array): BodyText {
  return textOf(decode(bytes));
}

function textOf(text: string | undefined): BodyText {
  if (text === undefined) throw new Refusal('INVALID_JSON_INPUT');
  return { value: parse(text), escaped: text.includes('\\u') };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The cause is left out: V8's message quotes the text, which may hold a password.
    throw new Refusal('INVALID_JSON_INPUT');
  }
}
