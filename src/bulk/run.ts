import type { Tenant } from '../model.ts';
import type { Engine } from './engine.ts';
import type { Job } from './job.ts';
import type { Expected } from './ports.ts';
import type { Repeats } from './repeats.ts';
import type { ChunkSequence } from './sequence.ts';

/** What the chunks of one upload share. */
export interface Run {
  readonly engine: Engine;
  readonly tenant: Tenant;
  readonly job: Job;
  /** Its beginning, ms since the epoch. */
  readonly since: number;
  readonly sequence: ChunkSequence;
  readonly repeats: Repeats;
  /** See PlacedChunk. Once true it stays so. */
  hasClaims: boolean;
  expected: Expected;
}

/** The upload is not where this chunk begins any more: cancelled, or continued through another core. */
export class JobMoved extends Error {
  override readonly name = 'JobMoved';
}
