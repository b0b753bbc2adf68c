import { foundIn } from './pipeline.ts';
import { copiesOfChunk, rulesOf } from '../engine.ts';
import { mergeTogether, type MergeInput } from './write-chunk.ts';
import type { Job } from '../model.ts';
import type { Postponed, Standing } from '../ports.ts';
import type { ParsedChunk } from '../parse/types.ts';
import { JobMoved, type Run, standingOf } from './run.ts';

/**
 * Decides the records that were postponed, when all lines of the upload are committed: in one transaction, because users
 * may hand keys on in a ring. What cannot be written even then is rejected.
 * @throws JobMoved when another core has done it, or the job is not receiving any more
 */
export async function settlePostponed(run: Run): Promise<void> {
  const { engine } = run;
  const job = await engine.jobs.find(run.job.appNo, run.job.id);
  const postponed = job?.state === 'receiving' ? await engine.jobs.postponed(job) : [];
  if (job === undefined || postponed.length === 0) return;
  const bytes = postponed.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const standing = await engine.memory.run(bytes * copiesOfChunk, () => decideTogether(run, job, postponed));
  if (standing === 'moved') throw new JobMoved();
}

async function decideTogether(run: Run, job: Job, postponed: readonly Postponed[]): Promise<Standing> {
  const { engine } = run;
  const input = await prepare(run, postponed);
  return engine.lanes.run(() =>
    engine.chunks.transaction(async (transaction) => {
      const merged = await mergeTogether(transaction, engine.threads, input);
      if (job.dryRun) await transaction.takeBack();
      return transaction.progress({
        ...{ ...standingOf(run, { from: job.bytes, to: job.bytes }), ...foundIn(merged) },
        ...{ physicalLines: 0, settled: postponed.length },
      });
    }),
  );
}

async function prepare({ engine, tenant, job }: Run, postponed: readonly Postponed[]): Promise<MergeInput> {
  const rules = { ...(await rulesOf(engine, tenant, job)), isTogether: true };
  const bytes = Buffer.from(postponed.map(({ text }) => text).join('\n'));
  const parsed = await engine.threads.run({ type: 'parse', bytes, isFirst: false, rules });
  return {
    ...{ job, bytes, isFirst: false, rules, linesBefore: 0, hashes: new Map() },
    ...{ parsed: inUpload(parsed, postponed), hasClaims: true, expected: 'mixed' },
  };
}

/** With lines of the upload in place of those of the few records. Their keys were claimed when they were postponed. */
function inUpload(parsed: ParsedChunk, postponed: readonly Postponed[]): ParsedChunk {
  const lineOf = (line: number): number => postponed[line - 1]?.line ?? 0;
  return {
    ...parsed,
    rejects: parsed.rejects.map((reject) => ({ ...reject, line: lineOf(reject.line) })),
    linesOf: parsed.linesOf.map(lineOf),
    factors: parsed.factors.map((each) => ({ ...each, line: lineOf(each.line) })),
    oddDates: parsed.oddDates.map(lineOf),
    keptOut: parsed.keptOut.map(({ state, lines }) => ({ state, lines: lines.map(lineOf) })),
    claims: [],
  };
}
