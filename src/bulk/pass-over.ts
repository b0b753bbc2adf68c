/** Chunks that are not parsed because they are known: see repeats.ts. */

import { rulesOf } from './engine.ts';
import { isUnusable } from './job.ts';
import type { Chunk } from './lines.ts';
import type { KnownChunk, Progress } from './ports.ts';
import { JobMoved, type Run, standingOf } from './run.ts';
import type { Step } from './sequence.ts';

/** @returns the chunk as it is known, if it is */
export async function findKnown(
  { engine, tenant, job }: Run,
  { bytes, from, isOverlong }: Chunk,
): Promise<KnownChunk | undefined> {
  if (isOverlong) return undefined;
  const rules = await rulesOf(engine, tenant, job);
  const digest = await engine.threads.run({ type: 'digest', bytes, isFirst: from === 0, rules });
  return engine.lanes.run(() =>
    engine.chunks.transaction((transaction) => transaction.findKnown(job, digest)),
  );
}

const noKeys = new Float64Array(0);

/** Commits a known chunk in its turn, and takes a lane no earlier: the lanes are for those that look. */
export async function passOver(run: Run, chunk: Chunk, step: Step, known: KnownChunk): Promise<void> {
  const { engine, job, sequence } = run;
  const linesBefore = await step.tell(known.lines, noKeys);
  await step.mayEnter();
  await step.turn();
  await engine.lanes.run(() => {
    step.enter();
    return engine.chunks.transaction(async (transaction) => {
      const standing = await transaction.progress(progressOf(run, chunk, known, linesBefore));
      // Another core may have taken the job up, and passed over the same.
      if (standing === 'moved' || !(await transaction.passOver(job, known))) throw new JobMoved();
    });
  });
  sequence.commit(step, false);
}

function progressOf(run: Run, chunk: Chunk, known: KnownChunk, linesBefore: number): Progress {
  const { records: unchanged, byKind, lines: physicalLines } = known;
  const rejects = known.rejects.map((reject) => ({ ...reject, line: linesBefore + reject.line }));
  const counts = { created: 0, updated: 0, unchanged, skipped: 0, rejected: rejects.length };
  const unusable = rejects.filter(isUnusable).length;
  const whole = { physicalLines, counts, byKind, byFactor: {} };
  return { ...standingOf(run, chunk), ...whole, rejects, unusable, claims: [] };
}

/** Before a chunk that is not passed over is merged. */
export async function endOfRepeats(run: Run, step: Step): Promise<void> {
  const { engine, job, repeats } = run;
  const hasClaimed = await repeats.turn(async () => {
    await step.turn();
    const claimSome = () => engine.chunks.transaction((transaction) => transaction.claimRepeats(job));
    while (await engine.lanes.run(claimSome));
  });
  if (hasClaimed) run.expected = 'mixed';
}
