import type { Admission } from '../process/admission.ts';
import type { HashLimits, Tenant } from '../domain/model.ts';
import type { PlaceSecret } from '../domain/place.ts';
import type { JobRules } from './tasks.ts';
import type { Job, JobRef } from './model.ts';
import type { Lanes } from './upload/lanes.ts';
import type { RowsThreads } from './chunk/write-chunk.ts';
import type { ChunkStore, JobStore } from './ports.ts';

/** A chunk in memory: its bytes here and in its thread, its columns in both, and the message to the database. */
export const copiesOfChunk = 6;

/** What all uploads of a core share. */
export interface Engine {
  readonly jobs: JobStore;
  readonly chunks: ChunkStore;
  readonly threads: RowsThreads;
  /** For bodies of requests, beside those for chunks. */
  readonly bodyThreads: RowsThreads;
  readonly hasher: {
    hash(password: string, behalf: { readonly isBackground: true }): Promise<string>;
    verify(
      password: string,
      hash: string,
      context: {
        readonly limits: HashLimits;
        readonly signerKey: Buffer | undefined;
        readonly pepper: Buffer | undefined;
      },
      behalf: { readonly isBackground: true },
    ): Promise<boolean>;
  };
  /** The app's tenants: numbers by name. */
  readonly tenantNumbers: (appNo: number) => Promise<Readonly<Record<string, number>>>;
  readonly lanes: Lanes;
  /** Bytes of chunks under way, in all uploads together. */
  readonly memory: Admission;
  readonly laneCount: number;
  readonly chunkBytes: number;
  readonly allowPlainText: boolean;
  /** @throws Refusal while the database has not been reached */
  readonly placeSecret: () => PlaceSecret;
  /** Begins to remove what was remembered of a job that has ended; nobody waits for it. */
  readonly forgetLater: (job: JobRef) => void;
  /** ms since the epoch */
  readonly now: () => number;
}

/** By what the records of a job are judged now. */
export async function rulesOf(
  engine: Pick<Engine, 'tenantNumbers' | 'allowPlainText' | 'placeSecret' | 'now'>,
  tenant: Tenant,
  job: Pick<Job, 'onConflict' | 'dryRun' | 'secondFactor' | 'sameIds' | 'idPrefix' | 'restoreRemoved'>,
): Promise<JobRules> {
  const { signerKey, pepper, hashLimits } = tenant.settings;
  return {
    tenants: await engine.tenantNumbers(tenant.appNo),
    limits: hashLimits,
    signerKey,
    pepper,
    allowPlainText: engine.allowPlainText,
    onConflict: job.onConflict,
    dryRun: job.dryRun,
    secondFactor: job.secondFactor,
    sameIds: job.sameIds ?? false,
    idPrefix: job.idPrefix,
    restoreRemoved: job.restoreRemoved ?? false,
    placeSecret: engine.placeSecret(),
    now: engine.now(),
  };
}
