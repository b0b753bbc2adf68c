import { pickCells } from '../../domain/columns.ts';
import { jobOutcomes } from '../../domain/jobs/job-fields.ts';
import type { Tenant } from '../../domain/model.ts';
import type { Engine } from '../engine.ts';
import type { Job } from '../model.ts';
import type { Progress } from '../ports.ts';
import { rulesOfUpload } from '../rules.ts';
import type { JobRules } from '../tasks.ts';
import { ChunkSequence } from './commit-order.ts';
import type { Chunk } from './line-cutter.ts';
import { ClaimFilter } from './claim-filter.ts';
import { Outlook } from './plan.ts';
import type { RareKeysOfApp } from './rare-keys.ts';
import { SeenUsers } from './seen-users.ts';

/** Shared by the chunks of one upload. */
export interface UploadContext {
  readonly engine: Engine;
  readonly tenant: Tenant;
  readonly job: Job;
  /** The rules by which records are judged, at most a second old. */
  readonly rules: () => Promise<JobRules>;
  /** When the upload began, ms since the epoch. */
  readonly since: number;
  readonly sequence: ChunkSequence;
  /** The sender disconnected, or the job stopped: no further chunk begins; those that have a lane finish. */
  isStopped: boolean;
  readonly claims: ClaimFilter;
  readonly seen: SeenUsers;
  readonly rareKeys: RareKeysOfApp;
  readonly outlook: Outlook;
  /** Records that wait for the end of the upload. */
  postponed: number;
}

/** @param createsOnly the sender's limits, if it has any */
export async function uploadContext(
  engine: Engine,
  {
    tenant,
    job,
    rareKeys,
    createsOnly,
  }: Pick<UploadContext, 'tenant' | 'job' | 'rareKeys'> & Pick<JobRules, 'createsOnly'>,
): Promise<UploadContext> {
  const hasImported = await engine.jobs.hasImported(job.appNo);
  const { allowPlainText } = engine;
  const outlook = new Outlook(job, { hasImported, allowPlainText });
  // The search for absent users asks for each by its row.
  const mayShareRows = outlook.usesMarks && job.absent === undefined;
  return {
    engine,
    tenant,
    job,
    since: engine.now(),
    rules: rulesOfUpload(engine, tenant, { ...job, createsOnly }),
    sequence: new ChunkSequence(job.physicalLines),
    isStopped: false,
    claims: new ClaimFilter({ isUnknown: job.bytes > 0 }),
    seen: new SeenUsers(() => engine.jobs.splitSeenRows(job), { isNew: job.bytes === 0, mayShareRows }),
    rareKeys,
    outlook,
    postponed: job.postponed,
  };
}

/** The part of a chunk's progress that does not depend on its records. */
export function rangeOf(
  { engine, job, since }: Pick<UploadContext, 'engine' | 'job' | 'since'>,
  { from, to }: Pick<Chunk, 'from' | 'to'>,
): Pick<Progress, 'job' | 'from' | 'to' | 'since' | 'now'> {
  return { job, from, to, since, now: engine.now() };
}

/** Reports a committed chunk to the metrics. */
export function reportCommitted(
  { engine, job }: Pick<UploadContext, 'engine' | 'job'>,
  { added }: Pick<Progress, 'added'>,
): void {
  if (!job.dryRun) engine.onCommitted?.(pickCells(jobOutcomes, added));
}

/** @throws UploadStopped before a step whose result is no longer needed */
export function requireGoingOn({ isStopped }: Pick<UploadContext, 'isStopped'>): void {
  if (isStopped) throw new UploadStopped();
}

/** The chunk was not begun, or was abandoned before it had a lane. */
class UploadStopped extends Error {
  override readonly name = 'UploadStopped';
}

/** The upload cannot continue here: its job stopped, was cancelled, or continued through another core. */
export class JobMoved extends Error {
  override readonly name = 'JobMoved';
}
