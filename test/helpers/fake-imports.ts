/** Bulk imports without a database: lines are counted and stored, with the offsets, states and refusals of the real ones. */
import type { AbsentUser } from '../../src/imports/absence.ts';
import { mapColumns } from '../../src/domain/columns.ts';
import { jobCounters } from '../../src/domain/jobs/job-fields.ts';
import { v7 } from 'uuid';
import type { Conflict, Job, Reject } from '../../src/imports/model.ts';
import type { BulkImports, JobsPage, Upload, UploadStart } from '../../src/imports/ports.ts';
import { Refusal } from '../../src/domain/errors.ts';
import type { Tenant } from '../../src/domain/model.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type FakeJob = Mutable<Job> & { isUploading: boolean; isStopped: boolean };

const newline = 10;

/** The state that a test can see and control. */
export class FakeImports implements BulkImports {
  readonly jobs = new Map<string, FakeJob>();
  /** Committed lines of all jobs. */
  readonly lines: string[] = [];
  readonly rejected: Reject[] = [];
  readonly conflicting: Conflict[] = [];
  readonly undone: { readonly id: string; readonly force: boolean }[] = [];
  aborted = 0;
  /** Bytes handed in so far. */
  receivedBytes = 0;
  /** The number of times that a sender was asked to pause. */
  pauses = 0;
  /** Set: `write` asks for a pause until it resolves; a rejection stops the import. */
  room: Promise<void> | undefined;
  /** Set: `end` and `abort` wait for it. */
  quiet: Promise<void> | undefined;
  /** The time for which `write` blocks the event loop, ms. */
  writeMs = 0;
  private wake = Promise.withResolvers<undefined>();

  create(tenant: Tenant, job: Parameters<BulkImports['create']>[1]): Promise<Job> {
    const startedAt = Date.now();
    const counts = mapColumns(jobCounters, () => 0);
    const made: FakeJob = {
      ...job,
      ...counts,
      id: v7(),
      appNo: tenant.appNo,
      state: 'receiving',
      bytes: 0,
      physicalLines: 0,
      byKind: {},
      byFactor: {},
      byState: {},
      undone: 0,
      startedAt,
      finishedAt: undefined,
      lastCommitAt: undefined,
      pausedMs: 0,
      purgedAt: undefined,
      cancelReason: undefined,
      isUploading: false,
      isStopped: false,
    };
    this.jobs.set(made.id, made);
    if (job.uploadLength === 0) finish(made, 'done');
    return Promise.resolve({ ...made });
  }

  find(tenant: Tenant, id: string): Promise<Job | undefined> {
    const job = this.jobs.get(id);
    return Promise.resolve(job?.appNo === tenant.appNo ? { ...job } : undefined);
  }

  listSeries(): Promise<Job[]> {
    return Promise.resolve([]);
  }

  list(tenant: Tenant, { limit, before }: JobsPage): Promise<Job[]> {
    const own = [...this.jobs.values()].filter(({ appNo }) => appNo === tenant.appNo).reverse();
    const rest = before === undefined ? own : own.filter(({ id }) => id < before);
    return Promise.resolve(rest.slice(0, limit));
  }

  async *rejects(): AsyncGenerator<readonly Reject[]> {
    for (let at = 0; at < this.rejected.length; at += 100) {
      await Promise.resolve();
      yield this.rejected.slice(at, at + 100);
    }
  }

  async *conflicts(): AsyncGenerator<readonly Conflict[]> {
    await Promise.resolve();
    yield this.conflicting;
  }

  absentUsers(): AsyncGenerator<readonly AbsentUser[]> {
    return (async function* () {
      await Promise.resolve();
      yield [];
    })();
  }

  cancel(_tenant: Tenant, id: string): Promise<Job | undefined> {
    const job = this.jobs.get(id);
    if (job?.state === 'receiving') finish(job, 'cancelled');
    return Promise.resolve(job);
  }

  purge(_tenant: Tenant, id: string): Promise<Job | undefined> {
    const job = this.jobs.get(id);
    if (job?.state === 'receiving') return Promise.reject(new Refusal('JOB_STILL_RECEIVING'));
    if (job) job.purgedAt = Date.now();
    return Promise.resolve(job);
  }

  undo(_tenant: Tenant, id: string, force: boolean): ReturnType<BulkImports['undo']> {
    const job = this.jobs.get(id);
    if (job?.state === 'receiving') return Promise.reject(new Refusal('JOB_STILL_RECEIVING'));
    this.undone.push({ id, force });
    const left = [{ userId: 'u', reason: 'SIGNED_IN' }];
    return Promise.resolve(job && { removed: job.created, restored: 0, left });
  }

  foreseeUndo(_tenant: Tenant, id: string, force: boolean): ReturnType<BulkImports['foreseeUndo']> {
    const job = this.jobs.get(id);
    const left = { SIGNED_IN: force ? 0 : 1, CHANGED_SINCE: 0, IDENTITY_TAKEN: 0 };
    return Promise.resolve(job && { removed: job.created, restored: job.updated, left });
  }

  openUpload(tenant: Tenant, id: string, start: UploadStart): Promise<Upload> {
    const job = this.jobs.get(id);
    if (job?.appNo !== tenant.appNo) return Promise.reject(new Refusal('NOT_FOUND'));
    const refusal = refusalOf(job, start);
    if (refusal !== undefined) return Promise.reject(refusal);
    job.uploadLength ??= start.uploadLength;
    job.isUploading = true;
    return Promise.resolve(new FakeUpload(this, job, start.isWhole ?? false));
  }

  /** Resolves when this number of bytes was received. */
  async received(bytes: number): Promise<void> {
    while (this.receivedBytes < bytes) await this.wake.promise;
  }

  changed(): void {
    this.wake.resolve(undefined);
    this.wake = Promise.withResolvers();
  }
}

function refusalOf(job: FakeJob, { offset }: UploadStart): Refusal | undefined {
  if (job.isUploading) return new Refusal('UPLOAD_LOCKED');
  if (job.state === 'cancelled' || job.state === 'undone') return new Refusal('UPLOAD_GONE');
  return offset === job.bytes
    ? undefined
    : new Refusal('UPLOAD_OFFSET_CONFLICT', `${job.bytes} bytes are committed`);
}

function finish(job: FakeJob, state: Job['state']): void {
  job.state = state;
  job.finishedAt = Date.now();
}

class FakeUpload implements Upload {
  private readonly imports: FakeImports;
  private readonly job: FakeJob;
  private readonly isWhole: boolean;
  private rest: Buffer = Buffer.alloc(0);
  private lines = 0;

  constructor(imports: FakeImports, job: FakeJob, isWhole: boolean) {
    this.imports = imports;
    this.job = job;
    this.isWhole = isWhole;
  }

  write(bytes: Uint8Array): boolean {
    if (this.imports.writeMs > 0)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, this.imports.writeMs);
    this.rest = Buffer.concat([this.rest, bytes]);
    this.imports.receivedBytes += bytes.length;
    const { uploadLength = Infinity, bytes: committed } = this.job;
    if (committed + this.rest.length > uploadLength) throw new Refusal('UPLOAD_TOO_LONG');
    for (let end = this.rest.indexOf(newline); end >= 0; end = this.rest.indexOf(newline))
      this.commit(end + 1);
    this.imports.changed();
    if (this.imports.room !== undefined) this.imports.pauses++;
    return this.imports.room === undefined;
  }

  async ready(): Promise<void> {
    await this.imports.room;
  }

  async end(): Promise<Job> {
    await this.imports.quiet;
    const { job } = this;
    const isEnd = this.isWhole || job.bytes + this.rest.length === job.uploadLength;
    job.isUploading = false;
    if (isEnd && this.rest.length > 0) this.commit(this.rest.length);
    if (!isEnd && this.lines === 0 && this.rest.length > 0) throw new Refusal('UPLOAD_WITHOUT_LINE');
    if (isEnd) finish(job, 'done');
    return { ...job };
  }

  async abort(): Promise<void> {
    await this.imports.quiet;
    this.imports.aborted++;
    this.job.isUploading = false;
    this.imports.changed();
  }

  private commit(length: number): void {
    const line = this.rest.subarray(0, length).toString();
    this.rest = this.rest.subarray(length);
    this.lines++;
    this.job.bytes += length;
    this.job.lastCommitAt = Date.now();
    if (line.trim() === '') return;
    this.imports.lines.push(line.trimEnd());
    if (line.startsWith('{')) this.job.created++;
    else this.job.rejected++;
  }
}
