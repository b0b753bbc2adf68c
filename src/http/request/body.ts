import { Refusal } from '../../domain/errors.ts';
import { type BodyText, parseJson } from '../../domain/json-text.ts';
import type { BodySink, Outcome } from '../response/outcome.ts';

/** Longer bodies are parsed in a thread; this length takes the event loop less than a millisecond. */
export const smallBodyBytes = 64 * 1024;

/** Refuses invalid UTF-8. Drops one leading byte order mark, as RFC 8259 allows. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Gathers the chunks of a body, whose memory is only valid during the callback. A small body in one chunk is decoded at once;
 * others are copied into one buffer of the announced length, so that a body sent byte by byte costs no more.
 */
export class BodyReader {
  readonly #announcedBytes: number;
  #buffer: Uint8Array<ArrayBuffer> | undefined;
  #filledBytes = 0;
  #text: string | undefined;

  constructor(announcedBytes: number) {
    this.#announcedBytes = announcedBytes;
  }

  get isSmall(): boolean {
    return this.#announcedBytes <= smallBodyBytes;
  }

  /** @param chunk valid during the call only; all chunks fit into the announced length */
  add(chunk: Uint8Array, isLast: boolean): void {
    if (isLast && this.isSmall && this.#buffer === undefined) {
      this.#text = decode(chunk);
      return;
    }
    this.#buffer ??= new Uint8Array(this.#announcedBytes);
    this.#buffer.set(chunk, this.#filledBytes);
    this.#filledBytes += chunk.byteLength;
    if (isLast && this.isSmall) this.#text = decode(this.bytes());
  }

  /** The complete body; its memory may be transferred. */
  bytes(): Uint8Array<ArrayBuffer> {
    return (this.#buffer ?? new Uint8Array()).subarray(0, this.#filledBytes);
  }

  /** For small bodies. @throws Refusal INVALID_JSON_INPUT */
  json(): BodyText {
    return textOf(this.#text);
  }
}

export class JsonSink implements BodySink {
  readonly #limitBytes: number;
  readonly #handle: (body: BodyText) => Promise<Outcome>;
  #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(limitBytes: number, handle: (body: BodyText) => Promise<Outcome>) {
    this.#limitBytes = limitBytes;
    this.#handle = handle;
  }

  /** @throws Refusal BODY_TOO_LARGE */
  write(bytes: Uint8Array): boolean {
    this.#bytes += bytes.length;
    if (this.#bytes > this.#limitBytes)
      throw new Refusal('BODY_TOO_LARGE', `The request body is larger than ${this.#limitBytes} bytes`);
    this.#parts.push(bytes.slice());
    return true;
  }

  async ready(): Promise<void> {
    // Never needs a pause.
  }

  /** @throws Refusal INVALID_JSON_INPUT, or an error of the handler */
  async end(): Promise<Outcome> {
    const parts = this.#parts.splice(0);
    return this.#handle(jsonOf(Buffer.concat(parts)));
  }

  abort(): Promise<void> {
    this.#parts = [];
    return Promise.resolve();
  }
}

/** @throws Refusal INVALID_JSON_INPUT for invalid JSON or UTF-8 */
export function jsonOf(bytes: Uint8Array): BodyText {
  return textOf(decode(bytes));
}

function textOf(text: string | undefined): BodyText {
  if (text === undefined) throw new Refusal('INVALID_JSON_INPUT');
  return parseJson(text);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
