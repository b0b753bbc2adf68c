/**
 * An upload may be sent ahead: while other cores import the bytes before it, its own are parsed and their plain-text passwords
 * hashed. Nothing is written before its turn, so that a job imported by several cores ends as one imported by one core.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../engine.ts';
import type { Job } from '../model.ts';
import { JobMoved, requireGoingOn } from './stopped.ts';

/** ms between looks at the job's committed offset. A look takes a fraction of a millisecond. */
const lookEveryMs = 25;
/** ms without progress of the job. A chunk of plain-text passwords may take minutes; a sender that is gone ends the upload at once. */
const patienceMs = 600_000;

interface Ahead {
  readonly engine: Pick<Engine, 'jobs' | 'now'>;
  /** As it was when the upload began. */
  readonly job: Job;
  readonly isStopped: boolean;
}

/**
 * Waits until all bytes before `offset` are committed.
 * @returns the job as it is then
 * @throws JobMoved if the job does not reach the offset: it has ended, has passed it, or makes no progress
 */
export async function turnOf(upload: Ahead, offset: number): Promise<Job> {
  const { engine, job } = upload;
  let { bytes } = job;
  let movedAt = engine.now();
  for (;;) {
    requireGoingOn(upload);
    const current = await engine.jobs.find(job.appNo, job.id);
    if (current?.bytes === offset && current.state === 'receiving') return current;
    if (current?.state !== 'receiving' || current.bytes > offset) throw new JobMoved();
    if (current.bytes > bytes) movedAt = engine.now();
    else if (engine.now() - movedAt > patienceMs) throw new JobMoved();
    ({ bytes } = current);
    await sleep(lookEveryMs);
  }
}
