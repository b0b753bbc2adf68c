import { Refusal } from '../../domain/errors.ts';
import { type AnswerForm, endBodiless, writeContentType } from './answer.ts';
import type { NativeResponse } from '../front-ends/native.ts';
import { statusLineOf, type StreamReply } from './replies.ts';

/**
 * Sends a reply whose body is produced while it is sent, in chunked encoding.
 *
 *   mode      holds                                   ends by
 *   sending   the response; an iterator under way     its end → over; hang-up → gone; shutdown or error → over, cut
 *   gone      an iterator, until it has returned      its return → over
 *   over      nothing                                 -
 *
 * Invariants:
 * - At most one unread chunk is in memory: the next is requested when it is written.
 * - The response is not touched after a hang-up, and an answer that was cut never looks complete.
 */
export class AnswerStream {
  hasBegun = false;
  #mode: 'sending' | 'gone' | 'over' = 'sending';
  readonly #response: NativeResponse;
  readonly #reply: StreamReply;
  readonly #form: Omit<AnswerForm, 'isBadlyFramed' | 'isChunked'>;
  readonly #stop = new AbortController();
  #written = Promise.withResolvers<undefined>();

  constructor(
    response: NativeResponse,
    reply: StreamReply,
    form: Omit<AnswerForm, 'isBadlyFramed' | 'isChunked'>,
  ) {
    this.#response = response;
    this.#reply = reply;
    this.#form = form;
  }

  /**
   * The head is written with the first chunk, so that an earlier failure can still be answered.
   * @param shutdown aborted when the core stops
   * @returns when the iterator is done and everything is handed to the connection, or the answer was cut
   * @throws an error of the iterator, or SHUTTING_DOWN: when `hasBegun` the answer was cut, else nothing was sent
   */
  async run(shutdown: AbortSignal): Promise<void> {
    const halt = (): void => {
      this.#stop.abort();
    };
    shutdown.addEventListener('abort', halt, { once: true });
    if (shutdown.aborted) halt();
    try {
      await this.#send();
    } finally {
      shutdown.removeEventListener('abort', halt);
      this.#cut();
    }
  }

  hangUp(): void {
    if (this.#mode === 'sending') this.#mode = 'gone';
    this.#stop.abort();
    this.#written.resolve(undefined);
  }

  get isGone(): boolean {
    return this.#mode === 'gone';
  }

  async #send(): Promise<void> {
    if (this.#form.isHead) {
      this.#begin();
      return;
    }
    for await (const chunk of this.#reply.chunks(this.#stop.signal)) {
      if (this.#stop.signal.aborted) {
        if (!this.hasBegun) throw new Refusal('SHUTTING_DOWN');
        return;
      }
      if (!this.#write(chunk)) await this.#written.promise;
    }
    if (!this.isGone) this.#end();
  }

  #begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    this.#response.onWritable(() => {
      this.#written.resolve(undefined);
      return true;
    });
    this.#response.cork(() => {
      this.#response.writeStatus(statusLineOf(200));
      writeContentType(this.#response, this.#reply.contentType);
      for (const [name, value] of this.#form.headers) this.#response.writeHeader(name, value);
      for (const [name, value] of this.#reply.headers) this.#response.writeHeader(name, value);
      if (this.#form.isHead) this.#endHead();
      else if (this.#form.closes) this.#response.writeHeader('Connection', 'close');
    });
  }

  /** @returns whether the next chunk may follow at once. Empty chunks are skipped: they would end the answer. */
  #write(chunk: string | Uint8Array): boolean {
    if (chunk.length === 0) return true;
    this.#begin();
    this.#written = Promise.withResolvers();
    let hasRoom = true;
    this.#response.cork(() => {
      hasRoom = this.#response.write(chunk);
    });
    return hasRoom;
  }

  /** Requesting a close would make the library write a header into the body; a stopping server closes anyway. */
  #end(): void {
    this.#begin();
    this.#mode = 'over';
    this.#response.cork(() => {
      this.#response.end();
    });
  }

  #endHead(): void {
    this.#mode = 'over';
    endBodiless(this.#response, this.#form.closes);
  }

  /** Closes without the last chunk, so that the answer is not taken for complete. */
  #cut(): void {
    if (this.#mode !== 'sending' || !this.hasBegun) return;
    this.#mode = 'over';
    this.#response.close();
  }
}
