import { randomBytes } from 'node:crypto';
import { Refusal } from '../domain/errors.ts';
import { secretBytes } from '../receipts/leaf.ts';
import type { Tenant } from '../domain/model.ts';
import { requireKnown } from './canaries/known.ts';
import type { Examine } from './canaries/passwords.ts';
import type { Engine } from './engine.ts';
import type { Job, JobRef, NewJob, Reject, UndoForeseen, UndoResult } from './model.ts';
import type { BulkImports } from './ports.ts';
import { sealingPostponed } from './chunks/sealed-postponed.ts';
import { hashesOf, withoutPlainTexts } from './queue/passwords.ts';
import { listings } from './listings.ts';
import { importRecords } from './queue/import-records.ts';
import { Uploads } from './chunks/uploads.ts';
import { readUsers, validateRecords } from './queue/validation.ts';
import type { CreatesOnly, PlainPassword, ReadUsers } from './tasks.ts';

export interface ImportsOptions {
  readonly engine: Omit<Engine, 'forgetLater'>;
  /** UUIDv7 of the given ms since the epoch. */
  readonly newJobId: (now: number) => string;
  readonly undo: (job: Job, force: boolean) => Promise<UndoResult>;
  readonly foreseeUndo: (job: Job, force: boolean) => Promise<UndoForeseen>;
  readonly examine: Examine;
}

export interface Imports extends BulkImports {
  /** Imports records that belong to no job: see import-records.ts. */
  importRecords(
    tenant: Tenant,
    texts: readonly string[],
    leaseId?: string,
    createsOnly?: CreatesOnly,
  ): Promise<readonly (Reject | undefined)[]>;
  /** See validation.ts. */
  validateRecords(tenant: Tenant, texts: readonly string[]): Promise<readonly Reject[]>;
  /** See passwords.ts. */
  withoutPlainTexts(texts: readonly string[]): Promise<readonly string[]>;
  /** See passwords.ts. */
  hashesOf(passwords: readonly PlainPassword[]): ReturnType<typeof hashesOf>;
  /** See validation.ts. */
  readUsers(tenant: Tenant, bytes: Uint8Array<ArrayBuffer>, mostUsers: number): Promise<ReadUsers>;
  /** Uploads that run in this core. */
  uploadCount(): number;
  /** Ends uploads that wait for bytes which other cores import; their senders go on at another core. */
  stopWaiting(): void;
  /** Waits for background work. Call it when no upload runs any more. */
  close(): Promise<void>;
}

/** The jobs of a core and the uploads that run into them. */
export function createImports({ newJobId, undo, foreseeUndo, examine, ...options }: ImportsOptions): Imports {
  const stores = sealingPostponed(options.engine);
  const { jobs } = stores;
  const underWay = new Set<Promise<void>>();
  const engine: Engine = { ...options.engine, ...stores, forgetLater };
  const uploads = new Uploads(engine);

  /** If it fails, the sweeper removes the rest. */
  function forgetLater(job: JobRef): void {
    inBackground(jobs.forgetClaims(job));
  }

  function inBackground(work: Promise<void>): void {
    const ended = work.catch(() => undefined).then(() => void underWay.delete(ended));
    underWay.add(ended);
  }

  /** If all lines are there and the core that received them is gone, the next request for the job starts the remaining work. */
  async function findOrEnd(tenant: Tenant, id: string): Promise<Job | undefined> {
    const job = await jobs.find(tenant.appNo, id);
    const isWhole = job?.state === 'receiving' && job.bytes > 0 && job.bytes === job.uploadLength;
    if (isWhole && !uploads.has(id)) inBackground(uploads.end(tenant, job));
    return job;
  }

  async function requireEnded({ appNo }: Tenant, id: string): Promise<Job | undefined> {
    const job = await jobs.find(appNo, id);
    if (job?.state === 'receiving' || uploads.has(id)) throw new Refusal('JOB_STILL_RECEIVING');
    return job;
  }

  return {
    async create(tenant, job: NewJob, known = {}) {
      await requireKnown(examine, tenant.settings, known);
      const now = engine.now();
      const created = await jobs.create(tenant.appNo, newJobId(now), withSecret(job), now);
      return job.uploadLength === 0 ? ((await jobs.finish(created, 'done', now)) ?? created) : created;
    },
    find: findOrEnd,
    list: ({ appNo }, page) => jobs.list(appNo, page),
    listSeries: ({ appNo }, series, page) => jobs.listSeries(appNo, series, page),
    ...listings(jobs),
    async cancel(tenant, id) {
      const job = await jobs.finish({ appNo: tenant.appNo, id }, 'cancelled', engine.now());
      uploads.stop(id);
      if (job !== undefined) forgetLater(job);
      return job;
    },
    async purge(tenant, id) {
      const job = await requireEnded(tenant, id);
      if (job === undefined) return undefined;
      await jobs.forgetClaims(job);
      await jobs.purge(job, engine.now());
      return jobs.find(tenant.appNo, id);
    },
    undo: onEnded(requireEnded, undo),
    foreseeUndo: onEnded(requireEnded, foreseeUndo),
    ...uploadsOf(uploads),
    importRecords: (tenant, texts, leaseId, createsOnly) =>
      importRecords(engine, tenant, texts, { id: newJobId(engine.now()), leaseId, createsOnly }),
    validateRecords: (tenant, texts) => validateRecords(engine, tenant, texts),
    ...usersForQueue(engine),
    close: async () => {
      await Promise.all(underWay);
    },
  };
}

function withSecret(job: NewJob): NewJob & Pick<Job, 'receiptSecret'> {
  return job.receipt === true ? { ...job, receiptSecret: randomBytes(secretBytes).toString('hex') } : job;
}

/** For a job that receives no more; undefined without a job. */
function onEnded<Result>(
  requireEnded: (tenant: Tenant, id: string) => Promise<Job | undefined>,
  run: (job: Job, force: boolean) => Promise<Result>,
): (tenant: Tenant, id: string, force: boolean) => Promise<Result | undefined> {
  return async (tenant, id, force) => {
    const job = await requireEnded(tenant, id);
    return job && run(job, force);
  };
}

function uploadsOf(uploads: Uploads): Pick<Imports, 'openUpload' | 'uploadCount' | 'stopWaiting'> {
  return {
    openUpload: (tenant, id, start) => uploads.open(tenant, id, start),
    uploadCount: () => uploads.count,
    stopWaiting: () => {
      uploads.stopWaiting();
    },
  };
}

function usersForQueue(engine: Engine): Pick<Imports, 'withoutPlainTexts' | 'hashesOf' | 'readUsers'> {
  return {
    withoutPlainTexts: (texts) => withoutPlainTexts(engine, texts),
    hashesOf: (passwords) => hashesOf(engine, passwords),
    readUsers: (tenant, bytes, mostUsers) => readUsers(engine, tenant, { bytes, mostUsers }),
  };
}
