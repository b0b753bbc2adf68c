import { Refusal } from '../../domain/errors.ts';
import { KeptBytes } from './kept-bytes.ts';
import { bytesOf, type NativeResponse } from '../front-ends/native.ts';
import type { BodySink, Outcome } from '../response/outcome.ts';
import type { StreamMemory } from './memory.ts';

export interface BodyStreamOptions {
  /** 0 without a body, undefined when its length is unknown. */
  readonly bodyBytes: number | undefined;
  /** For bytes that arrive after a pause. */
  readonly memory: StreamMemory;
  readonly pace: SenderPace;
  readonly shutdown: AbortSignal;
}

export interface SenderPace {
  readonly silenceMs: number;
  /** Minimum bytes */
  readonly leastBytes: number;
  /** in each window of this length. */
  readonly windowMs: number;
}

const tickMs = 1000;

/** Shorter bodies are buffered whole at worst; no memory is prepared for them. */
const longBytes = 4 * 2 ** 20;

/** With more buffered bytes, a paused sender is not read from to see whether it is alive. */
const enoughBytes = 8 * 2 ** 20;

/** Approximate size of the library's reads: the first piece of a body lacks the head, and each the sizes of its chunks. */
const receiveBufferBytes = 500 * 2 ** 10;

/**
 * A body on its way into a sink.
 *
 *   mode      holds                                  ends by
 *   opening   bytes before there is a sink           into → flowing, held or ending; give up → over
 *   flowing   the sink                               no room → held; all given → ending; give up → over
 *   held      the sink, and bytes after a pause      room → flowing; give up, its failure → over
 *   ending    the sink, which knows the end          its outcome → over
 *   over      nothing; later bytes are dropped       -
 *
 * Reasons to give up: a hang-up, a shutdown, a slow sender, or no memory for bytes after a pause. None of them matters once the
 * sink has the whole body.
 *
 * After a pause the library reads on while its buffer of 512 KiB is full (`read_more` in uSockets' loop.c), until the system's
 * receive buffer is empty (net.ipv4.tcp_rmem: 6 MiB, 32 on some systems). So senders that fill its buffer are read from one at a
 * time (`mayReadOn` in memory.ts).
 *
 * Invariants:
 * - In `opening` and `held` the sender is paused; bytes that still arrive are buffered in order while there is memory. That costs
 *   only a copy, so reading outruns the sender and the event loop continues.
 * - A body that is given up loses its buffer: nothing of it reaches the sink after a hang-up.
 * - The sink gets bytes in `flowing` only: none between its "no room" and `ready`.
 * - Either `sink.end` or `sink.abort` is called, once; the outcome follows when it has settled.
 * - The response is not touched after a hang-up.
 */
export class BodyStream {
  /** Whether the whole body has arrived: later bytes are another request. */
  isComplete: boolean;
  #mode: 'opening' | 'flowing' | 'held' | 'ending' | 'over' = 'opening';
  readonly #response: NativeResponse;
  readonly #options: BodyStreamOptions;
  readonly #outcome = Promise.withResolvers<Outcome>();
  readonly #watch: NodeJS.Timeout;
  readonly #kept: KeptBytes;
  #sink: BodySink | undefined;
  #stopped: Refusal | undefined;
  #lastByteMs = performance.now();
  #window = { ms: 0, bytes: 0 };
  #isPaused = false;
  #isGone = false;

  /** Must run inside the native callback of the request: chunks follow it at once. */
  constructor(response: NativeResponse, options: BodyStreamOptions) {
    this.#response = response;
    this.#options = options;
    this.isComplete = options.bodyBytes === 0;
    this.#kept = new KeptBytes(options.memory);
    this.#watch = setInterval(this.#tick, this.#lookMs);
    options.shutdown.addEventListener('abort', this.#shutDown, { once: true });
    response.onData((chunk, isLast) => {
      this.#take(bytesOf(chunk), isLast);
    });
  }

  /**
   * Lets the body flow: opening → flowing, held or ending.
   * @returns the result of the sink's end
   * @throws an error of the sink, or the refusal for which the body was given up
   */
  into(sink: BodySink): Promise<Outcome> {
    this.#sink = sink;
    const { bodyBytes = Infinity } = this.#options;
    if (this.#stopped !== undefined) this.#abort(sink, this.#stopped);
    else if (bodyBytes < longBytes) this.#flow(sink);
    else void this.#flowWhenWarm(sink);
    return this.#outcome.promise;
  }

  hangUp(): void {
    this.#isGone = true;
    this.#giveUp(new Refusal('UPLOAD_INTERRUPTED'));
    this.#dispose();
  }

  /** Called before an answer that needs no more of the body. */
  close(): void {
    this.#mode = 'over';
    this.#kept.clear();
    this.#dispose();
    if (this.isComplete) this.#resume();
  }

  #take(bytes: Uint8Array, isLast: boolean): void {
    this.#lastByteMs = performance.now();
    this.#window.bytes += bytes.length;
    this.isComplete ||= isLast;
    if (this.#mode === 'opening' || this.#mode === 'held') this.#keep(bytes);
    else if (this.#mode === 'flowing' && this.#sink !== undefined) this.#feed(this.#sink, bytes);
  }

  #keep(bytes: Uint8Array): void {
    const isKept = this.#kept.push(bytes);
    if (!this.isComplete) this.#pause();
    if (!isKept) this.#drop(new Refusal('OVERLOADED', tooFast));
  }

  async #flowWhenWarm(sink: BodySink): Promise<void> {
    await this.#options.memory.warmUp();
    if (this.#mode === 'opening') this.#flow(sink);
  }

  /** opening or held → flowing, held or ending. Buffered bytes go first. */
  #flow(sink: BodySink): void {
    this.#mode = 'flowing';
    this.#lastByteMs = performance.now();
    while (this.#kept.shift((bytes) => this.#feed(sink, bytes)) && this.#kept.length > 0);
  }

  /** flowing → flowing, held, ending or over. @returns whether it still flows */
  #feed(sink: BodySink, bytes: Uint8Array): boolean {
    let hasRoom = true;
    try {
      if (bytes.length > 0) hasRoom = sink.write(bytes);
    } catch (error) {
      this.#fail(error);
      return false;
    }
    const hasAll = this.isComplete && this.#kept.length === 0;
    if (hasAll) this.#finish(sink);
    else if (!hasRoom) this.#hold(sink);
    else if (this.#kept.length === 0) this.#flowOn(bytes);
    return hasRoom && !hasAll;
  }

  /** The sink has room. A sender that fills the receive buffer is read from in turns. */
  #flowOn(bytes: Uint8Array): void {
    const isFast = bytes.length >= receiveBufferBytes;
    if (isFast && !this.#isPaused && !this.#options.memory.mayReadOn(this.#resume)) this.#pause();
    this.#readOn();
  }

  /** flowing → held, and back when there is room */
  #hold(sink: BodySink): void {
    this.#mode = 'held';
    if (!this.isComplete) this.#pause();
    sink.ready().then(
      () => {
        if (this.#mode === 'held') this.#flow(sink);
      },
      (error: unknown) => {
        if (this.#mode === 'held') this.#fail(error);
      },
    );
  }

  /** flowing → ending. Reading continues, so that a hang-up is noticed. */
  #finish(sink: BodySink): void {
    this.#mode = 'ending';
    this.#resume();
    sink.end().then(this.#outcome.resolve, this.#outcome.reject);
  }

  /** opening, flowing or held → over */
  #giveUp(reason: Refusal): void {
    const isTaken = this.isComplete && this.#mode !== 'opening';
    if (!isTaken && this.#mode !== 'ending' && this.#mode !== 'over') this.#drop(reason);
  }

  /** opening, flowing or held → over */
  #drop(reason: Refusal): void {
    this.#stopped = reason;
    this.#fail(reason);
  }

  /** opening, flowing or held → over; the outcome waits for the sink. */
  #fail(error: unknown): void {
    this.#mode = 'over';
    this.#kept.clear();
    this.#options.memory.forget(this.#resume);
    this.#pause();
    if (this.#sink !== undefined) this.#abort(this.#sink, error);
  }

  #abort(sink: BodySink, reason: unknown): void {
    const { reject } = this.#outcome;
    sink.abort().then(() => {
      reject(reason);
    }, reject);
  }

  readonly #shutDown = (): void => {
    this.#giveUp(new Refusal('SHUTTING_DOWN'));
  };

  /**
   * The library drops a sender of less than 16 KB/s for 10 s, unless paused, which is too strict for slow lines. So this restarts
   * its clock (by a pause) and applies our own pace. Pausing again in `opening` is needed because the library starts its clock
   * after the request's callback. Resuming starts it too, also after the last byte: the sender only waits then.
   */
  readonly #tick = (): void => {
    if (this.#mode === 'flowing' && !this.#isPaused && this.#isTooSlow())
      this.#giveUp(new Refusal('SENDER_TOO_SLOW'));
    else if (this.#isPaused) this.#lookAfterSender();
    else if (this.#mode !== 'over') this.#windUp();
  };

  get #lookMs(): number {
    const { silenceMs, windowMs } = this.#options.pace;
    return Math.min(tickMs, silenceMs, windowMs);
  }

  #isTooSlow(): boolean {
    const { silenceMs, leastBytes, windowMs } = this.#options.pace;
    if (performance.now() - this.#lastByteMs >= silenceMs) return true;
    this.#window.ms += this.#lookMs;
    if (this.#window.ms < windowMs) return false;
    const { bytes } = this.#window;
    this.#window = { ms: 0, bytes: 0 };
    return bytes < leastBytes;
  }

  /**
   * A hang-up is only noticed after the bytes before it, so a paused sender is read from while little is buffered. Pausing again
   * makes the library check the connection for a reset.
   */
  #lookAfterSender(): void {
    this.#response.pause();
    if (this.#mode !== 'over' && this.#kept.length < enoughBytes) this.#readOn();
  }

  #windUp(): void {
    this.#response.pause();
    this.#response.resume();
  }

  #readOn(): void {
    if (this.#isPaused) this.#options.memory.whenRoom(this.#resume);
  }

  #pause(): void {
    if (this.#isPaused || this.#isGone) return;
    this.#isPaused = true;
    this.#response.pause();
  }

  readonly #resume = (): void => {
    if (!this.#isPaused || this.#isGone) return;
    this.#isPaused = false;
    this.#lastByteMs = performance.now();
    this.#response.resume();
  };

  #dispose(): void {
    this.#options.memory.forget(this.#resume);
    clearInterval(this.#watch);
    this.#options.shutdown.removeEventListener('abort', this.#shutDown);
  }
}

const tooFast =
  'More arrived than there is room for: what was committed stays. import_memory_budget_mb makes room';
