import { Refusal } from '../../domain/errors.ts';
import type { BodyText } from '../../domain/json-text.ts';
import { jsonOf } from '../request/body.ts';
import type { BodySink, Outcome } from './outcome.ts';

/** Gathers a small JSON body of a route that streams. */
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
    // It takes everything at once.
  }

  /** @throws Refusal INVALID_JSON_INPUT, or as the handler */
  async end(): Promise<Outcome> {
    const parts = this.#parts.splice(0);
    return this.#handle(jsonOf(Buffer.concat(parts)));
  }

  abort(): Promise<void> {
    this.#parts = [];
    return Promise.resolve();
  }
}
