import type { Admission } from './chunks/admission.ts';
import type { HashLimits } from '../domain/model.ts';
import type { PlaceSecret } from '../domain/place.ts';
import type { Counts, JobRef } from './model.ts';
import type { Lanes } from './chunks/lanes.ts';
import type { ChunkStore, ImportThreads, JobStore } from './ports.ts';

/** The copies of a chunk in memory: its bytes here and in its thread, its columns in both, and the message to the database. */
export const copiesOfChunk = 6;

/** Chunks of an upload that are under way at most: those in a lane, and two that are parsed meanwhile. */
export function mostChunks({ laneCount }: Pick<Engine, 'laneCount'>): number {
  return laneCount + 2;
}

/** What all uploads of a core share. */
export interface Engine {
  readonly jobs: JobStore;
  /** The chunks of an app are written where the app is. */
  readonly chunksOf: (appNo: number) => ChunkStore;
  readonly threads: ImportThreads;
  /** For bodies of requests, separate from those for chunks. */
  readonly bodyThreads: ImportThreads;
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
  /** Uploads whose chunks wait for those of other cores: at most half of the memory is theirs. */
  readonly mostAhead: number;
  readonly laneCount: number;
  readonly chunkBytes: number;
  readonly allowPlainText: boolean;
  /** 32 bytes each; the first one seals second factors. Without a key, records with second factors are rejected. */
  readonly encryptionKeys: readonly Uint8Array[];
  /** @throws Refusal while the database has not been reached */
  readonly placeSecret: () => PlaceSecret;
  /** Begins to remove the internal rows of a job that has ended; no caller waits for it. */
  readonly forgetLater: (job: JobRef) => void;
  /** Called with the outcome of each committed chunk's records; not in dry runs. */
  readonly onCommitted?: ((counts: Counts) => void) | undefined;
  /** ms since the epoch */
  readonly now: () => number;
}
