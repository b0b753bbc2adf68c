import { createGunzip, type Gunzip } from 'node:zlib';
import { Refusal } from '../../domain/errors.ts';
import type { BodySink, Outcome } from '../response/outcome.ts';

/** Exports compress to a fifth or a tenth, extreme ones to a hundredth; deflate can reach 1032. A higher ratio is an attack, */
const maxRatio = 200;
/** except for small bodies, which cost little. */
const unjudgedBytes = 10 * 1024 * 1024;
const chunkSize = 256 * 1024;

/**
 * Unpacks a gzip body (RFC 1952, several members too) into a sink, at the sink's pace. `write`, `ready` and `end` fail with
 * GZIP_INVALID or GZIP_RATIO, or as the sink does; bytes that the sink has taken stay there.
 */
export class GunzipSink implements BodySink {
  readonly #sink: BodySink;
  readonly #gunzip: Gunzip = createGunzip({ chunkSize });
  readonly #pumped: Promise<void>;
  #isEnded = false;
  #receivedBytes = 0;
  #unpackedBytes = 0;

  constructor(sink: BodySink) {
    this.#sink = sink;
    this.#pumped = this.#pump();
    // Callers that await room or the end get the error; there may be none yet.
    this.#pumped.catch(() => undefined);
  }

  write(bytes: Uint8Array): boolean {
    this.#receivedBytes += bytes.length;
    // A copy, because another thread unpacks later and the bytes are only valid now.
    return this.#gunzip.write(bytes.slice());
  }

  async ready(): Promise<void> {
    const drained = Promise.withResolvers<undefined>();
    this.#gunzip.once('drain', drained.resolve);
    if (!this.#gunzip.writableNeedDrain && !this.#gunzip.destroyed) drained.resolve(undefined);
    await Promise.race([drained.promise, this.#pumped]);
  }

  async end(): Promise<Outcome> {
    this.#isEnded = true;
    this.#gunzip.end();
    try {
      await this.#pumped;
      this.#requireAllRead();
    } catch (error) {
      await this.#sink.abort();
      throw error;
    }
    return this.#sink.end();
  }

  async abort(): Promise<void> {
    this.#gunzip.destroy();
    await this.#pumped.catch(() => undefined);
    await this.#sink.abort();
  }

  async #pump(): Promise<void> {
    const chunks: AsyncIterable<Uint8Array> = this.#gunzip;
    try {
      for await (const chunk of chunks) {
        this.#judge(chunk.length);
        if (!this.#sink.write(chunk)) await this.#sink.ready();
      }
      if (!this.#isEnded) throw new Refusal('GZIP_INVALID');
    } catch (error) {
      throw isOfZlib(error) ? new Refusal('GZIP_INVALID', undefined, { cause: error }) : error;
    }
  }

  /** The decoder stops silently at bytes that are no further member. */
  #requireAllRead(): void {
    if (this.#gunzip.bytesWritten !== this.#receivedBytes) throw new Refusal('GZIP_INVALID');
  }

  #judge(bytes: number): void {
    this.#unpackedBytes += bytes;
    if (this.#unpackedBytes > unjudgedBytes && this.#unpackedBytes > maxRatio * this.#gunzip.bytesWritten)
      throw new Refusal('GZIP_RATIO');
  }
}

/** `Z_DATA_ERROR` and similar; a stream destroyed while it is read fails differently. */
function isOfZlib(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(Z_|ERR_STREAM)/.test(String(error.code));
}
