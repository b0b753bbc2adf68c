import { cancelReasons } from '../../domain/jobs/cancel-reasons.ts';
import { Refusal } from '../../domain/errors.ts';
import { mostChunks } from '../engine.ts';
import { ChunkImport } from './pipeline.ts';
import type { Job } from '../model.ts';
import { type Chunk, LineCutter } from './line-cutter.ts';
import type { Upload, UploadStart } from '../ports.ts';
import type { UploadContext } from './context.ts';
import { settlePostponed } from './settle.ts';
import { JobMoved } from './stopped.ts';

/** A small upload, as of a follower, is cut into this number of chunks for each lane: otherwise most lanes would have none of it. */
const chunksOfLane = 4;
/** Smaller ones cost more than they save. */
const leastChunkBytes = 262_144;

function chunkBytesOf({ engine, job: { uploadLength = Infinity } }: UploadContext): number {
  const share = Math.ceil(uploadLength / (chunksOfLane * engine.laneCount));
  return Math.min(engine.chunkBytes, Math.max(leastChunkBytes, share));
}

/**
 * One request's bytes on their way into a job: cut into chunks of lines, parsed concurrently, written on several lanes, committed
 * in order.
 *
 *   mode       takes bytes   ends by
 *   taking     yes           end → finishing; abort → stopped; a chunk that fails → failed
 *   finishing  no            all chunks committed → ended; one fails → failed
 *   stopped    no            -     chunks in a lane finish, no other begins
 *   failed     no            -     as stopped; the first error is what `ready` and `end` reject with
 *   ended      no            -
 *
 * Invariants:
 * - At most `mostChunks` chunks, and the memory of all imports together, are under way; then `write` asks for a pause.
 * - Bytes of an incomplete line are held by the cutter alone, and are discarded with the request.
 * - `release` is called once, when no part of this upload runs any more: the job accepts no other upload before.
 */
export class JobUpload implements Upload {
  #mode: 'taking' | 'finishing' | 'stopped' | 'failed' | 'ended' = 'taking';
  readonly #context: UploadContext;
  readonly #isWhole: boolean;
  readonly #isLengthStored: boolean;
  readonly #release: () => void;
  readonly #cutter: LineCutter;
  readonly #offset: number;
  readonly #underWay = new Set<Promise<void>>();
  #received: number;
  #chunks = 0;
  #failure: unknown;
  #isReleased = false;
  #room = Promise.withResolvers<undefined>();

  constructor(context: UploadContext, start: UploadStart, release: () => void) {
    this.#context = context;
    this.#isWhole = start.isWhole ?? false;
    const mayBeNew = start.uploadLength !== undefined && start.bodyBytes === undefined;
    this.#isLengthStored = context.job.uploadLength !== undefined && !mayBeNew;
    this.#release = release;
    this.#offset = start.offset;
    this.#received = start.offset;
    this.#cutter = new LineCutter({ chunkBytes: chunkBytesOf(context), offset: start.offset });
  }

  write(bytes: Uint8Array): boolean {
    // The sender has to stop and read the reason.
    if (this.#mode !== 'taking') return false;
    this.#received += bytes.byteLength;
    const { uploadLength } = this.#context.job;
    if (uploadLength !== undefined && this.#received > uploadLength) {
      this.#fail(new Refusal('UPLOAD_TOO_LONG'));
      return false;
    }
    for (const chunk of this.#cutter.write(bytes)) this.#start(chunk);
    return this.#hasRoom();
  }

  async ready(): Promise<void> {
    while (this.#mode === 'taking' && !this.#hasRoom()) await this.#room.promise;
    if (this.#mode === 'failed') throw await this.#explained();
  }

  async end(): Promise<Job> {
    if (this.#mode === 'taking') this.#finish();
    await this.#settled();
    if (this.#mode === 'failed') throw await this.#explained();
    this.#mode = 'ended';
    try {
      await this.#keepLength();
      return this.#isComplete() ? await this.#finishJob() : await this.#currentJob();
    } finally {
      this.#releaseOnce();
    }
  }

  async abort(): Promise<void> {
    if (this.#mode === 'taking') this.#stopAs('stopped');
    await this.#settled();
  }

  /** The job was cancelled: no further part of it begins. */
  stop(): void {
    this.#stopBecause(new JobMoved());
  }

  /** The core stops. Without effect on an upload whose turn has come: it ends soon, without other cores. */
  stopWaiting(): void {
    if (this.#context.isAhead) this.#stopBecause(new Refusal('SHUTTING_DOWN'));
  }

  /**
   * Ends an upload that waits for bytes which another request is about to bring: their sender may have no other core left.
   * Without effect on an upload that is not behind that offset, or whose turn has come.
   */
  async giveWayTo(offset: number): Promise<void> {
    if (!this.#context.isAhead || offset > this.#offset) return;
    this.stop();
    await this.#settled();
  }

  #finish(): void {
    this.#mode = 'finishing';
    for (const chunk of this.#cutter.finish(this.#isComplete())) this.#start(chunk);
    if (this.#chunks === 0 && this.#cutter.rest > 0) this.#fail(new Refusal('UPLOAD_WITHOUT_LINE'));
  }

  #isComplete(): boolean {
    return this.#isWhole || this.#received === this.#context.job.uploadLength;
  }

  #hasRoom(): boolean {
    const { engine } = this.#context;
    const count = this.#underWay.size;
    return count === 0 || (count < mostChunks(engine) && engine.memory.waiting === 0);
  }

  #start(chunk: Chunk): void {
    if (this.#mode === 'failed') return;
    this.#chunks++;
    const step = this.#context.sequence.begin();
    const running = new ChunkImport(this.#context, chunk, step)
      .run()
      .catch((error: unknown) => {
        this.#fail(error);
      })
      .finally(() => {
        this.#underWay.delete(running);
        this.#wake();
      });
    this.#underWay.add(running);
  }

  #stopBecause(error: Error): void {
    if (this.#mode === 'taking' || this.#mode === 'finishing') this.#fail(error);
  }

  #fail(error: unknown): void {
    if (this.#mode === 'failed' || this.#mode === 'stopped') return;
    this.#stopAs('failed');
    this.#failure = error;
    this.#wake();
  }

  #stopAs(mode: 'stopped' | 'failed'): void {
    this.#mode = mode;
    this.#context.isStopped = true;
  }

  #wake(): void {
    this.#room.resolve(undefined);
    this.#room = Promise.withResolvers();
  }

  async #settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    const isGoingOn = this.#mode === 'finishing' && this.#isComplete() && this.#hasEnding();
    if (!isGoingOn) this.#releaseOnce();
  }

  #hasEnding(): boolean {
    return this.#context.postponed > 0 || this.#context.job.absent !== undefined;
  }

  #releaseOnce(): void {
    if (!this.#isReleased) this.#release();
    this.#isReleased = true;
  }

  async #explained(): Promise<unknown> {
    if (!(this.#failure instanceof JobMoved)) return this.#failure;
    const job = await this.#currentJob();
    if (job.state !== 'receiving') this.#context.engine.forgetLater(job);
    return job.state === 'receiving'
      ? new Refusal(
          'UPLOAD_OFFSET_CONFLICT',
          `The upload goes on at byte ${job.bytes}: ask HEAD for the offset`,
        )
      : goneOf(job);
  }

  async #currentJob(): Promise<Job> {
    const { engine, job } = this.#context;
    const current = await engine.jobs.find(job.appNo, job.id);
    if (current === undefined) throw new Refusal('UPLOAD_GONE');
    return current;
  }

  /** The length is known by now, and the end of the body did not contradict it. Stored once. */
  async #keepLength(): Promise<void> {
    const { engine, job } = this.#context;
    const length = job.uploadLength ?? (this.#isWhole ? this.#received : undefined);
    if (length !== undefined && !this.#isLengthStored) await engine.jobs.setUploadLength(job, length);
  }

  async #finishJob(): Promise<Job> {
    const { engine, job } = this.#context;
    if (this.#context.postponed > 0) await settlePostponed(this.#context).catch(passOver);
    if (job.absent !== undefined) await engine.jobs.settleAbsent(await this.#currentJob());
    const finished = await engine.jobs.finish(job, 'done', engine.now());
    if (finished?.state !== 'done') throw goneOf(finished);
    engine.forgetLater(job);
    return finished;
  }
}

/** The job shows what another core does at the same time. */
function passOver(error: unknown): void {
  if (!(error instanceof JobMoved)) throw error;
}

/** Why a job accepts no upload any more. */
export function goneOf(job: Job | undefined): Refusal {
  const { cancelReason } = job ?? {};
  return cancelReason === undefined
    ? new Refusal('UPLOAD_GONE')
    : new Refusal('JOB_STOPPED', cancelReasons[cancelReason]);
}
