import { rulesOf } from './engine.ts';
import { isUnusable } from './job.ts';
import type { Chunk } from './lines.ts';
import { merge, type Merged, type Prepared, singleRecord } from './merge.ts';
import { hashPlainTexts } from './plain-text.ts';
import { overlongLine } from './overlong.ts';
import type { ParseTask } from '../../workers/protocol.ts';
import { endOfRepeats, findKnown, passOver } from './pass-over.ts';
import type { ChunkTransaction, Expected, Progress, Standing } from './ports.ts';
import type { ParsedChunk } from './rows.ts';
import { JobMoved, requireGoingOn, type Run, standingOf } from './run.ts';
import type { Step } from './sequence.ts';

/**
 * How long a merged chunk holds its locks for its turn. Its predecessor may be waiting for one of them, in a way that
 * the database cannot see: then this one gives way and goes again, behind it.
 */
const patienceMs = 2000;

/** Nobody is at fault: the chunk is to be merged again once its predecessor is committed. */
class GiveWay extends Error {
  override readonly name = 'GiveWay';
}

/**
 * Passes a known chunk over, or parses and merges it, and commits it in its turn. Called in the order of the chunks.
 * Rejects with what went wrong, for this and every later one.
 */
export async function importChunk(run: Run, chunk: Chunk, step: Step): Promise<void> {
  try {
    requireGoingOn(run);
    const known = await run.repeats.decide(() => findKnown(run, chunk));
    await (known ? passOver(run, chunk, step, known) : importInFull(run, chunk, step));
  } catch (error) {
    run.sequence.fail(step, error);
    throw error;
  }
}

async function importInFull(run: Run, chunk: Chunk, step: Step): Promise<void> {
  const input = await prepare(run, chunk, step);
  await step.mayEnter();
  await endOfRepeats(run, step);
  const merged = await run.engine.lanes.run(() => commitInTurn(run, chunk, step, input));
  if (merged.claims.length > 0) run.hasClaims = true;
  run.expected = expectedAfter(merged);
  run.sequence.commit(step, merged.movesKeys);
  if (merged.standing === 'cancelled') throw new JobMoved();
}

async function prepare(run: Run, chunk: Chunk, step: Step): Promise<Prepared> {
  const { engine, tenant, job } = run;
  const rules = await rulesOf(engine, tenant, job);
  const { bytes } = chunk;
  const isFirst = chunk.from === 0;
  const parsed = chunk.isOverlong
    ? overlongLine
    : await engine.threads.run({ type: 'parse', bytes, isFirst, rules, ...wantedOf(run) });
  const linesBefore = await step.tell(parsed.lines, parsed.keys);
  const input = { job, bytes, isFirst, parsed, rules, linesBefore, hashes: new Map() };
  if (!rules.allowPlainText) return input;
  const records = Array.from(parsed.complexRecords, (record) => singleRecord(input, record));
  return { ...input, hashes: await hashPlainTexts(engine, records) };
}

/** Finished rows are a guess: what the chunks before this one were may be known only when it is merged. */
function wantedOf({ job, expected, hasClaims, repeats }: Run): Pick<ParseTask, 'seals' | 'finishFor'> {
  // The first chunk of a dry run claims all of its keys, and whoever follows has to ask for claims.
  if (job.dryRun) return {};
  const isAllNew = expected === 'new' && !hasClaims && !repeats.hasPassed;
  return { seals: true, finishFor: isAllNew ? { appNo: job.appNo, id: job.id } : undefined };
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
        const { hasClaims, expected } = run;
        const merged = await merge(transaction, engine.threads, { ...input, hasClaims, expected });
        if (run.job.dryRun) await transaction.takeBack();
        await seal(transaction, input, merged);
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

/** A chunk is known from now on if it created all of its users, and just as it states them. */
async function seal(
  transaction: ChunkTransaction,
  { job, parsed }: Prepared,
  { byKind, createdAtOnce, userIds }: Merged,
): Promise<void> {
  const { seal: sealed, rows, rejects, lines } = parsed;
  if (sealed === undefined || userIds === undefined || createdAtOnce < rows.count) return;
  await transaction.seal({ job, seal: sealed, userIds, byKind, rejects, lines });
}

function progressOf(run: Run, chunk: Chunk, parsed: ParsedChunk, merged: Merged): Progress {
  const { counts, byKind, byFactor, rejects, claims } = merged;
  const physicalLines = parsed.lines;
  const unusable = rejects.filter(isUnusable).length;
  return { ...standingOf(run, chunk), physicalLines, counts, byKind, byFactor, rejects, unusable, claims };
}

function expectedAfter({ counts }: Merged): Expected {
  const { created, unchanged, updated, skipped } = counts;
  if (created > 0 && unchanged + updated + skipped === 0) return 'new';
  return unchanged > 9 * (created + updated + skipped) ? 'unchanged' : 'mixed';
}
