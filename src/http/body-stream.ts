import { Refusal } from '../errors.ts';
import { KeptBytes, warmUp } from './kept-bytes.ts';
import { bytesOf, type NativeResponse } from './native.ts';
import type { BodySink, Outcome } from './outcome.ts';

export interface BodyStreamOptions {
  /** How long the body is: 0 when there is none, undefined when it ends where it ends. */
  readonly bodyBytes: number | undefined;
  /** How long a sender that is not paused may send nothing. */
  readonly silenceMs: number;
  /** Aborted when the core stops. */
  readonly shutdown: AbortSignal;
  /** Bytes that may arrive after a pause, else 1 GiB. */
  readonly keptBytesLimit?: number;
}

/** uWebSockets.js counts in steps of 4 s and drops a body after 10 s: see `tick`. */
const tickMs = 4000;

/**
 * The library reads on after a pause while its buffer of 512 KiB comes back full (`read_more` in uSockets' loop.c). That ends
 * when the system's receive buffer is empty, which net.ipv4.tcp_rmem limits (6 MiB, 32 on some systems), unless somebody
 * sends faster than memory is copied.
 */
const mostKeptBytes = 2 ** 30;

/** What is shorter is kept whole at the worst, and no memory is made ready for it. */
const longBytes = 4 * 2 ** 20;

/**
 * A body on its way into a sink.
 *
 *   mode      holds                                  ends by
 *   opening   what came before there was a sink      into → flowing, held or ending; give up → over
 *   flowing   the sink                               no room → held; all given → ending; give up → over
 *   held      the sink, and what came after a pause  room → flowing; give up, its failure → over
 *   ending    the sink, which is told the end        its outcome → over
 *   over      nothing; what still arrives is dropped -
 *
 * Giving up is a hang-up, a shutdown, silence, or too much after a pause; once there is a sink and the whole body has
 * arrived, there is nothing left to give up.
 *
 * Invariants:
 * - In `opening` and `held` the sender is paused, and what arrives all the same is kept, in order, up to a bound.
 *   To keep it costs a copy and nothing else, so that reading outruns the sender and the event loop goes on.
 * - The sink gets bytes in `flowing` only: none between its saying that it has no room and `ready`.
 * - `sink.end` is called once or `sink.abort` is called, never both; the outcome is told after either has settled.
 * - The response is not touched after a hang-up.
 */
export class BodyStream {
  /** Whether the whole body has arrived: what follows on the connection is another request. */
  isComplete: boolean;
  private mode: 'opening' | 'flowing' | 'held' | 'ending' | 'over' = 'opening';
  private readonly response: NativeResponse;
  private readonly options: BodyStreamOptions;
  private readonly outcome = Promise.withResolvers<Outcome>();
  private readonly watch: NodeJS.Timeout;
  private readonly kept = new KeptBytes();
  private sink: BodySink | undefined;
  private stopped: Refusal | undefined;
  private lastByteMs = performance.now();
  private isPaused = false;
  private isGone = false;

  /** Must be made inside the native callback that brings the request: chunks come right after it. */
  constructor(response: NativeResponse, options: BodyStreamOptions) {
    this.response = response;
    this.options = options;
    this.isComplete = options.bodyBytes === 0;
    this.watch = setInterval(this.tick, Math.min(tickMs, options.silenceMs));
    options.shutdown.addEventListener('abort', this.shutDown, { once: true });
    response.onData((chunk, isLast) => {
      this.take(bytesOf(chunk), isLast);
    });
  }

  /**
   * Lets the body flow: opening → flowing, held or ending.
   * @returns what the end of the sink gives
   * @throws what the sink throws, or the refusal for which the body was given up
   */
  into(sink: BodySink): Promise<Outcome> {
    this.sink = sink;
    const { bodyBytes = Infinity } = this.options;
    if (this.stopped !== undefined) this.abort(sink, this.stopped);
    else if (bodyBytes < longBytes) this.flow(sink);
    else void this.flowWhenWarm(sink);
    return this.outcome.promise;
  }

  hangUp(): void {
    this.isGone = true;
    this.giveUp(new Refusal('UPLOAD_INTERRUPTED'));
    this.dispose();
  }

  /** Before the answer is written: nothing of the body is wanted any more. */
  close(): void {
    this.mode = 'over';
    this.dispose();
    if (this.isComplete) this.resume();
  }

  private take(bytes: Uint8Array, isLast: boolean): void {
    this.lastByteMs = performance.now();
    this.isComplete ||= isLast;
    if (this.mode === 'opening' || this.mode === 'held') this.keep(bytes);
    else if (this.mode === 'flowing' && this.sink !== undefined) this.feed(this.sink, bytes);
  }

  private keep(bytes: Uint8Array): void {
    const { keptBytesLimit = mostKeptBytes } = this.options;
    this.kept.push(bytes);
    if (!this.isComplete) this.pause();
    if (this.kept.length > keptBytesLimit) this.giveUp(new Refusal('OVERLOADED'));
  }

  private async flowWhenWarm(sink: BodySink): Promise<void> {
    await warmUp();
    if (this.mode === 'opening') this.flow(sink);
  }

  /** opening or held → flowing, held or ending. What was kept goes first. */
  private flow(sink: BodySink): void {
    this.mode = 'flowing';
    this.lastByteMs = performance.now();
    while (this.kept.shift((bytes) => this.feed(sink, bytes)) && this.kept.length > 0);
  }

  /** flowing → flowing, held, ending or over. @returns whether it flows still */
  private feed(sink: BodySink, bytes: Uint8Array): boolean {
    let hasRoom = true;
    try {
      if (bytes.length > 0) hasRoom = sink.write(bytes);
    } catch (error) {
      this.fail(error);
      return false;
    }
    const hasAll = this.isComplete && this.kept.length === 0;
    if (hasAll) this.finish(sink);
    else if (!hasRoom) this.hold(sink);
    else if (this.kept.length === 0) this.resume();
    return hasRoom && !hasAll;
  }

  /** flowing → held, and back when there is room */
  private hold(sink: BodySink): void {
    this.mode = 'held';
    if (!this.isComplete) this.pause();
    sink.ready().then(
      () => {
        if (this.mode === 'held') this.flow(sink);
      },
      (error: unknown) => {
        if (this.mode === 'held') this.fail(error);
      },
    );
  }

  /** flowing → ending. Reading goes on, so that a hang-up is noticed. */
  private finish(sink: BodySink): void {
    this.mode = 'ending';
    this.resume();
    sink.end().then(this.outcome.resolve, this.outcome.reject);
  }

  /** opening, flowing or held → over */
  private giveUp(reason: Refusal): void {
    const isTaken = this.isComplete && this.mode !== 'opening';
    if (isTaken || this.mode === 'ending' || this.mode === 'over') return;
    this.stopped = reason;
    this.fail(reason);
  }

  /** opening, flowing or held → over; the outcome waits for the sink. */
  private fail(error: unknown): void {
    this.mode = 'over';
    this.kept.clear();
    this.pause();
    if (this.sink !== undefined) this.abort(this.sink, error);
  }

  private abort(sink: BodySink, reason: unknown): void {
    const { reject } = this.outcome;
    sink.abort().then(() => {
      reject(reason);
    }, reject);
  }

  private readonly shutDown = (): void => {
    this.giveUp(new Refusal('SHUTTING_DOWN'));
  };

  /**
   * The library drops who sends less than 16 KB/s for 10 s, unless paused. That is no measure for a sender behind a slow
   * line, so its clock is wound up here (a pause stops it, resuming starts it anew) and silence is judged by our own.
   * Pausing again in `opening` is needed because the library starts its clock behind the callback of the request.
   */
  private readonly tick = (): void => {
    const isReading = this.mode === 'flowing' || this.mode === 'ending';
    if (this.mode === 'flowing' && performance.now() - this.lastByteMs >= this.options.silenceMs)
      this.giveUp(new Refusal('SENDER_TOO_SLOW'));
    else if (isReading || this.isPaused) this.windUp(isReading);
  };

  private windUp(isReading: boolean): void {
    this.response.pause();
    if (isReading) this.response.resume();
  }

  private pause(): void {
    if (this.isPaused || this.isGone) return;
    this.isPaused = true;
    this.response.pause();
  }

  private resume(): void {
    if (!this.isPaused || this.isGone) return;
    this.isPaused = false;
    this.response.resume();
  }

  private dispose(): void {
    clearInterval(this.watch);
    this.options.shutdown.removeEventListener('abort', this.shutDown);
  }
}
