import { copiesOfChunk } from '../engine.ts';
import { isRolledBack, type Job } from '../model.ts';
import type { ParsedChunk } from '../parse/types.ts';
import type { Postponed, ProgressOutcome } from '../ports.ts';
import { rangeOf, reportCommitted, type UploadContext } from './context.ts';
import { placing } from './plan.ts';
import { type ChunkToWrite, withLines } from './prepared.ts';
import { JobMoved } from './stopped.ts';
import { writeTogether } from './write-chunk.ts';

/**
 * Decides the postponed records, when all lines of the upload are committed: in one transaction, because users may pass keys on
 * in a ring. What cannot be written even then is rejected.
 * @throws JobMoved when another core has done it, or the job is not receiving any more
 */
export async function settlePostponed(upload: UploadContext): Promise<void> {
  const { engine } = upload;
  const job = await engine.jobs.find(upload.job.appNo, upload.job.id);
  const postponed = job?.state === 'receiving' ? await engine.jobs.postponed(job) : [];
  if (job === undefined || postponed.length === 0) return;
  await upload.seen.split();
  const bytes = postponed.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const outcome = await engine.memory.run(bytes * copiesOfChunk, () =>
    decideTogether(upload, job, postponed),
  );
  if (outcome === 'moved') throw new JobMoved();
}

async function decideTogether(
  upload: UploadContext,
  job: Job,
  postponed: readonly Postponed[],
): Promise<ProgressOutcome> {
  const { engine } = upload;
  const input = await prepare(upload, postponed);
  const { outcome, written } = await engine.lanes.run(() =>
    engine.chunksOf(job.appNo).transaction(async (transaction) => {
      const written = await writeTogether(transaction, engine.threads, input);
      if (isRolledBack(job)) await transaction.rollBack();
      const outcome = await transaction.progress({
        ...rangeOf(upload, { from: job.bytes, to: job.bytes }),
        ...written,
        settledOutcomes: written.outcomes,
        physicalLines: 0,
        settled: postponed.length,
      });
      return { outcome, written };
    }),
  );
  if (outcome !== 'moved') reportCommitted(upload, written);
  return outcome;
}

async function prepare(upload: UploadContext, postponed: readonly Postponed[]): Promise<ChunkToWrite> {
  const rules = { ...(await upload.rules()), isTogether: true };
  const bytes = Buffer.from(postponed.map(({ text }) => text).join('\n'));
  const parsed = await upload.engine.threads.run({ type: 'parse', bytes, rules });
  return {
    job: upload.job,
    bytes,
    rules,
    linesBefore: 0,
    hashes: new Map(),
    parsed: inUpload(parsed, postponed),
    plan: { ...placing, hasClaims: true },
    isNext: true,
    rivals: [],
  };
}

/**
 * Gives the postponed records the lines of the upload instead of their positions. Their keys were claimed when they were
 * postponed.
 */
function inUpload(parsed: ParsedChunk, postponed: readonly Postponed[]): ParsedChunk {
  return { ...withLines(parsed, (line) => postponed[line - 1]?.line ?? 0), claims: [] };
}
