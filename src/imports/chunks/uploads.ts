import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import type { Engine } from '../engine.ts';
import type { Job } from '../model.ts';
import type { Upload, UploadStart } from '../ports.ts';
import { uploadContext } from './context.ts';
import { RareKeysOfApps } from './rare-keys.ts';
import { patientEngine } from './patient-engine.ts';
import { goneOf, JobUpload } from './upload.ts';

/** Each has the buffer of a cutter. More are refused with OVERLOADED. */
const maxUploads = 64;

/**
 * The uploads that run in this core: at most one for each job. Another core may continue the same job at the same time; the first
 * to commit wins, and the other finds that the job has moved.
 */
export class Uploads {
  readonly #engine: Engine;
  readonly #rareKeys: RareKeysOfApps;
  /** undefined: being opened. */
  readonly #running = new Map<string, JobUpload | undefined>();
  /** Jobs whose uploads began ahead of their turn. */
  readonly #ahead = new Set<string>();
  #isClosing = false;

  constructor(engine: Engine) {
    this.#engine = patientEngine(engine);
    this.#rareKeys = new RareKeysOfApps((appNo) => engine.jobs.rareKeys(appNo), engine.now);
  }

  get count(): number {
    return this.#running.size;
  }

  has(id: string): boolean {
    return this.#running.has(id);
  }

  /** Begins no further part of the job. */
  stop(id: string): void {
    this.#running.get(id)?.stop();
  }

  /** The core stops: uploads no longer wait for bytes that other cores import. */
  stopWaiting(): void {
    this.#isClosing = true;
    for (const upload of this.#running.values()) upload?.stopWaiting();
  }

  /** @throws Refusal UPLOAD_LOCKED, OVERLOADED, NOT_FOUND, UPLOAD_GONE, JOB_STOPPED, UPLOAD_OFFSET_CONFLICT, UPLOAD_LENGTH_CONFLICT, UPLOAD_TOO_LONG */
  async open(tenant: Tenant, id: string, start: UploadStart): Promise<Upload> {
    await this.#running.get(id)?.giveWayTo(start.offset);
    if (this.#running.has(id)) throw new Refusal('UPLOAD_LOCKED');
    if (this.#running.size >= maxUploads) throw new Refusal('OVERLOADED');
    this.#running.set(id, undefined);
    const release = (): void => {
      this.#running.delete(id);
      this.#ahead.delete(id);
    };
    try {
      const job = await this.#continued(await this.#findOpen(tenant, id), start);
      const rareKeys = await this.#rareKeys.of(job.appNo);
      const context = await uploadContext(this.#engine, { tenant, job, rareKeys, ...start });
      const upload = new JobUpload(context, start, release);
      this.#running.set(id, upload);
      if (this.#isClosing) upload.stopWaiting();
      return upload;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Does the remaining work of a job whose lines are all there. */
  async end(tenant: Tenant, { id, bytes }: Job): Promise<void> {
    const upload = await this.open(tenant, id, { offset: bytes, bodyBytes: 0 });
    await upload.end();
  }

  async #findOpen({ appNo }: Tenant, id: string): Promise<Job> {
    const job = await this.#engine.jobs.find(appNo, id);
    if (job === undefined) throw new Refusal('NOT_FOUND');
    // A completed job still answers a sender that missed the end.
    if (job.state !== 'receiving' && job.state !== 'done') throw goneOf(job);
    return job;
  }

  /**
   * Checks where the upload continues, and accepts its length when it is first stated. The length is stored at once if this body
   * is known to fit into it, otherwise when the body has ended.
   */
  async #continued(job: Job, { offset, isAhead, uploadLength, bodyBytes }: UploadStart): Promise<Job> {
    if (isAhead === true && offset > job.bytes && job.state === 'receiving') {
      // Their chunks wait for other cores: without a bound they could take the memory that those wait for.
      if (this.#ahead.size >= this.#engine.mostAhead) throw new Refusal('OVERLOADED');
      this.#ahead.add(job.id);
    } else if (offset !== job.bytes) {
      throw new Refusal(
        'UPLOAD_OFFSET_CONFLICT',
        `Upload-Offset is ${offset}, but ${job.bytes} bytes are committed: go on from there`,
      );
    }
    if (uploadLength === undefined || uploadLength === job.uploadLength) return job;
    if (job.uploadLength !== undefined || uploadLength < job.bytes)
      throw new Refusal('UPLOAD_LENGTH_CONFLICT');
    if (bodyBytes === undefined) return { ...job, uploadLength };
    if (offset + bodyBytes > uploadLength) throw new Refusal('UPLOAD_TOO_LONG');
    return (await this.#engine.jobs.setUploadLength(job, uploadLength)) ?? job;
  }
}
