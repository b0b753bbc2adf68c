import { rulesOf } from '../engine.ts';
import { isUnusable } from '../model.ts';
import type { Chunk } from '../upload/line-cutter.ts';
import { merge, type Merged, type Prepared } from './write-chunk.ts';
import { singleRecord } from './single-record.ts';
import { hashPlainTexts } from './plain-text.ts';
import { overlongLine } from './overlong.ts';
import type { ParseTask } from '../tasks.ts';
import type { Expected, Progress, Standing } from '../ports.ts';
import type { ParsedChunk } from '../parse/types.ts';
import { JobMoved, requireGoingOn, type Run, standingOf } from './run.ts';
import type { Step } from '../upload/commit-order.ts';

/**
 * How long a merged chunk holds its locks for its turn. Its predecessor may be waiting for one of them, in a way that
 * the database cannot see: then this one gives way and goes again, behind it.
 */
const patienceMs = 2000;

/**
 * Records that may wait for the end of the upload, where they are decided in one transaction; about so many, because chunks
 * that are parsed at the same time do not know of each other's. Further ones are refused at once.
 */
const mostPostponed = 20_000;

/** Nobody is at fault: the chunk is to be merged again once its predecessor is committed. */
class GiveWay extends Error {
  override readonly name = 'GiveWay';
}

/**
 * Parses and merges a chunk, and commits it in its turn. Called in the order of the chunks.
 * Rejects with what went wrong, for this and every later one.
 */
export async function importChunk(run: Run, chunk: Chunk, step: Step): Promise<void> {
  try {
    requireGoingOn(run);
    await importInFull(run, chunk, step);
  } catch (error) {
    run.sequence.fail(step, error);
    throw error;
  }
}

async function importInFull(run: Run, chunk: Chunk, step: Step): Promise<void> {
  const input = await prepare(run, chunk, step);
  await step.mayEnter();
  const merged = await run.engine.lanes.run(() => commitInTurn(run, chunk, step, input));
  run.claims.add(merged.claimed);
  run.postponed += merged.postponed.length;
  run.expected = expectedAfter(merged);
  run.sequence.commit(step, merged.movesKeys);
  if (merged.standing === 'cancelled') throw new JobMoved();
}

async function prepare(run: Run, chunk: Chunk, step: Step): Promise<Prepared> {
  const { engine, tenant, job } = run;
  const mayPostpone = run.postponed < mostPostponed;
  const rules = { ...(await rulesOf(engine, tenant, job)), mayPostpone };
  const { bytes } = chunk;
  const isFirst = chunk.from === 0;
  const parsed = chunk.isOverlong
    ? overlongLine
    : await engine.threads.run({ type: 'parse', bytes, isFirst, rules, ...wantedOf(run) });
  const linesBefore = await step.tell(parsed.lines, parsed.keys);
  const input = { job, bytes, isFirst, parsed, rules, linesBefore, hashes: new Map() };
  if (!rules.allowPlainText) return input;
  const records = Array.from(parsed.complexRecords, (record) => singleRecord(input, record));
  return { ...input, hashes: await hashPlainTexts(engine, run, records) };
}

/** What rows are made for is a guess: what the chunks before this one were may be known only when it is merged. */
function wantedOf({ job, expected }: Run): Pick<ParseTask, 'finishFor' | 'comparesOnly'> {
  // A dry run keeps no rows that a later one of its chunks could meet.
  const isAllNew = !job.dryRun && expected === 'new';
  const finishFor = isAllNew ? { appNo: job.appNo, id: job.id } : undefined;
  return { finishFor, comparesOnly: expected === 'unchanged' };
}

interface Committed extends Merged {
  readonly standing: Exclude<Standing, 'moved'>;
}

async function commitInTurn(run: Run, chunk: Chunk, step: Step, input: Prepared): Promise<Committed> {
  const { engine, sequence } = run;
  requireGoingOn(run);
  step.enter();
  for (let isBehind = false; ; isBehind = true) {
    if (isBehind) await step.turn();
    const commits = sequence.commits;
    try {
      return await engine.chunks.transaction(async (transaction) => {
        const { expected } = run;
        const hasClaims = run.claims.mayHold(input.parsed.keys);
        const merged = await merge(transaction, engine.threads, { ...input, hasClaims, expected });
        if (run.job.dryRun) await transaction.takeBack();
        if (merged.movesKeys) step.tellMove();
        const isMyTurn = await step.turnWithin(patienceMs);
        if (!isMyTurn || sequence.hasPassed(commits, merged.movesKeys)) throw new GiveWay();
        const standing = await transaction.progress(progressOf(run, chunk, input.parsed, merged));
        if (standing === 'moved') throw new JobMoved();
        return { ...merged, standing };
      });
    } catch (error) {
      if (!(error instanceof GiveWay)) throw error;
    }
  }
}

function progressOf(run: Run, chunk: Chunk, parsed: ParsedChunk, merged: Merged): Progress {
  return { ...standingOf(run, chunk), physicalLines: parsed.lines, ...foundIn(merged), settled: 0 };
}

/** Of a progress what the records have come to. */
export function foundIn(
  merged: Merged,
): Omit<Progress, 'job' | 'from' | 'to' | 'since' | 'now' | 'physicalLines' | 'settled'> {
  const { counts, byKind, byFactor, byState, oddDates, rejects, ...rest } = merged;
  const { conflicts, rebased, claims, postponed } = rest;
  const unusable = rejects.filter(isUnusable).length;
  const different = rejects.filter(({ code }) => code === 'DIFFERENT_PERSON').length;
  return {
    ...{ counts, byKind, byFactor, byState, oddDates, rejects, unusable, different },
    ...{ conflicts, rebased, claims, postponed },
  };
}

function expectedAfter({ counts }: Merged): Expected {
  const { created, unchanged, updated, skipped } = counts;
  if (created > 0 && unchanged + updated + skipped === 0) return 'new';
  return unchanged > 9 * (created + updated + skipped) ? 'unchanged' : 'mixed';
}
