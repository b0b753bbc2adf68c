import os from 'node:os';
import { Admission } from '../imports/chunks/admission.ts';
import { copiesOfChunk, mostChunks } from '../imports/engine.ts';
import { findImportedUser } from '../imports/queue/imported-user.ts';
import { createImports, type Imports } from '../imports/imports.ts';
import { openLanes } from '../imports/chunks/lanes.ts';
import type { WaitingStore } from '../imports/queue/ports.ts';
import { QueueRunner } from '../imports/queue/runner.ts';
import { type BulkQueue, bulkQueue } from '../imports/queue/queue.ts';
import { recordSeals } from '../imports/queue/sealed-records.ts';
import { sealedQueue } from '../imports/queue/sealed-queue.ts';
import { Sealer } from '../process/sealer.ts';
import type { Config } from '../config/load.ts';
import { Refusal } from '../domain/errors.ts';
import type { LargeBodies } from '../http/ports.ts';
import { TimeIds } from '../domain/ids.ts';
import type { Logger } from '../process/log.ts';
import type { BulkMetrics } from '../process/metrics/imports.ts';
import type { PasswordPool } from '../threads/password-pool.ts';
import type { FactorSeals } from '../operations/ports/ports.ts';
import type { Readiness } from './readiness.ts';
import { createRowsPool, type RowsPool } from '../threads/import-pool.ts';
import { chunkStore } from '../store/imports/chunk.ts';
import { jobStore } from '../store/imports/jobs/jobs.ts';
import { queueStore } from '../store/imports/queue/queue.ts';
import { byApp, ofApp } from '../store/places/places.ts';
import { tenantNumbers } from '../store/imports/tenant-numbers.ts';
import { foreseeUndo, undoJob } from '../store/imports/undo/undo.ts';
import type { Database } from '../database/database.ts';
import type { Job } from '../imports/model.ts';
import type { Store } from '../store/store.ts';

interface PlaceOfImports {
  readonly live: Database;
  /** Separate connections for chunks, whose statements are planned once. */
  readonly lanes: Database;
}

interface PlacesOfImports {
  readonly all: readonly [PlaceOfImports, ...PlaceOfImports[]];
  /** @returns index in `all` */
  readonly placeOf: (appNo: number) => number;
}

export interface BulkOptions {
  readonly config: Config;
  readonly places: PlacesOfImports;
  readonly hasher: Pick<PasswordPool, 'hash' | 'verify' | 'examine'>;
  readonly someoneSignsIn: () => boolean;
  readonly readiness: Pick<Readiness, 'placeSecret'>;
  readonly store: Pick<Store, 'users' | 'tenants'>;
  readonly encryptionKeys: readonly Uint8Array[];
  readonly factorSeals: FactorSeals;
  readonly metrics: BulkMetrics;
  readonly log: Logger;
  readonly now: () => number;
}

export interface Bulk {
  readonly imports: Imports;
  readonly queue: BulkQueue;
  readonly threads: Pick<RowsPool, 'run'>;
  /**
   * Parses a large body in a thread.
   * @param bytes their memory is transferred
   * @throws Refusal as the form's parse, and OVERLOADED
   */
  readonly parseBody: LargeBodies;
  /** Call once the database has this version's tables. */
  start(): void;
  /** Awaits running work, then ends the threads. Uploads must have ended. */
  close(): Promise<void>;
}

/** MiB. A body of 16 MiB takes 32 as text, and limits bound the values made of it; lists of users are read one user at a time. */
const bodyHeapLimitMb = 512;

/** The uploads that wait for them bound the chunks. */
const unbounded = Number.MAX_SAFE_INTEGER;

/** Bytes from the budget of imports: half is for chunks, half for streamed bytes without room yet. */
export function streamMemoryOf({ importMemoryBudgetBytes }: Config): number {
  return importMemoryBudgetBytes / 2;
}

/**
 * What one upload may send at once after a pause: a receive buffer of the system, and bytes sent while that is read. 28 MiB were
 * observed with a maximum buffer of 32 MiB, at a load of 13 on two cores; Linux has 6 MiB by default.
 */
const streamGulpMb = 64;
/** Linux's default, and twice that in addition. */
const leastGulpMb = 16;

/** At most a sixteenth of the memory. */
export function streamGulpOf({ memory }: Config): number {
  const share = memory.budget.limitMb / 16;
  return Math.min(Math.max(share, leastGulpMb), streamGulpMb) * 2 ** 20;
}

function importThreads({ importLanes }: Config, log: Logger): RowsPool {
  return createRowsPool({
    threads: Math.min(importLanes, os.availableParallelism()),
    onThreadError: (error) => {
      log.error({ err: error }, 'a worker thread of imports died');
    },
  });
}

/** Uploads ahead of their turn, each with all of its chunks, that have room in half of the budget. */
function mostAheadIn({ importLanes: laneCount, importChunkBytes }: Config, budgetBytes: number): number {
  return Math.floor(budgetBytes / 2 / (mostChunks({ laneCount }) * importChunkBytes * copiesOfChunk));
}

/** Creates no job that would get the core killed for lack of memory. */
function unlessRefused(imports: Imports, { memory: { importsRefused } }: Config): Imports {
  if (importsRefused === undefined) return imports;
  return { ...imports, create: () => Promise.reject(new Refusal('NOT_ENOUGH_MEMORY', importsRefused)) };
}

export function startBulk(options: BulkOptions): Bulk {
  const { config, places, hasher, someoneSignsIn, readiness, metrics, log, now } = options;
  const threads = importThreads(config, log);
  const bodyThreads = createRowsPool({
    threads: 1,
    heapLimitMb: bodyHeapLimitMb,
    onThreadError: (error) => {
      log.error({ err: error }, 'the thread of large bodies died');
    },
  });
  const ids = new TimeIds();
  const budgetBytes = config.importMemoryBudgetBytes - streamMemoryOf(config);
  const undos = byApp(
    places,
    places.all.map(({ live }) => undosIn(live, options.factorSeals)),
  );
  const made = createImports({
    engine: {
      ...storesOfImports(places),
      threads,
      bodyThreads,
      hasher,
      lanes: openLanes(config.importLanes, someoneSignsIn),
      memory: new Admission({ slots: unbounded, budgetBytes, queueLimit: unbounded }),
      mostAhead: mostAheadIn(config, budgetBytes),
      laneCount: config.importLanes,
      chunkBytes: config.importChunkBytes,
      allowPlainText: config.allowPlainTextImport,
      encryptionKeys: options.encryptionKeys,
      placeSecret: () => readiness.placeSecret,
      onCommitted: metrics.importRecords,
      now,
    },
    newJobId: (startedAt) => ids.next(startedAt),
    ...undos,
    examine: (input) => hasher.examine(input),
  });
  const imports = unlessRefused(made, config);
  metrics.watchImports(() => ({ uploads: imports.uploadCount(), tasks: threads.taskCount }));
  const { queue, runners } = openQueue(options, imports, (ms) => ids.next(ms));
  return {
    imports,
    queue,
    threads,
    parseBody: (form, bytes) => parseBodyIn(bodyThreads, form, bytes),
    start: () => {
      for (const runner of runners) runner.start();
    },
    close: async () => {
      await Promise.all(runners.map((runner) => runner.stop()));
      await imports.close();
      await bodyThreads.close();
      await threads.close();
    },
  };
}

function storesOfImports(places: PlacesOfImports) {
  const { all } = places;
  return {
    jobs: byApp(
      places,
      all.map(({ live }) => jobStore(live)),
    ),
    chunksOf: ofApp(
      places,
      all.map(({ lanes }) => chunkStore(lanes)),
    ),
    ...byApp(
      places,
      all.map(({ live }) => ({ tenantNumbers: (appNo: number) => tenantNumbers(live, appNo) })),
    ),
  };
}

function undosIn(database: Database, seals: FactorSeals) {
  return {
    undo: (job: Job, force: boolean) => undoJob(database, job, { force, seals }),
    foreseeUndo: (job: Job, force: boolean) => foreseeUndo(database, job, { force }),
  };
}

function openQueue(
  { places, encryptionKeys, store: { users, tenants }, log, now }: BulkOptions,
  imports: Imports,
  newId: (ms: number) => string,
) {
  const seals = recordSeals(new Sealer(encryptionKeys));
  const stores = places.all.map(({ live }) => sealedQueue(queueStore(live), seals));
  const findTenant = (appId: string, tenantId: string) => tenants.find(appId, tenantId);
  const runners = stores.map(
    (store) => new QueueRunner({ store, engine: imports, findTenant, now, newId, log }),
  );
  const queue = bulkQueue({
    store: byApp<WaitingStore>(places, stores),
    engine: imports,
    findImported: (tenant, record) => findImportedUser({ users, tenants }, tenant, record),
    now,
    newId,
    nudge: ({ appNo }) => runners[places.placeOf(appNo)]?.nudge(),
  });
  return { queue, runners };
}

async function parseBodyIn(
  threads: Pick<RowsPool, 'run'>,
  { name, schema }: Parameters<LargeBodies>[0],
  bytes: Uint8Array<ArrayBuffer>,
): Promise<unknown> {
  const read = await threads.run({ type: 'body', name, schema, bytes });
  if ('refusal' in read) throw new Refusal(read.refusal.code, read.refusal.message);
  return read.input;
}
