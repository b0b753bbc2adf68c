import type { Tenant } from '../model.ts';
import { type Engine, rulesOf } from './engine.ts';
import type { Job } from './job.ts';
import type { Chunk } from './lines.ts';
import { merge, type Merged, type Prepared, singleRecord } from './merge.ts';
import { hashPlainTexts } from './plain-text.ts';
import { overlongLine } from './overlong.ts';
import type { Expected, Progress } from './ports.ts';
import type { ParsedChunk } from './rows.ts';
import type { ChunkSequence, Step } from './sequence.ts';

/** What the chunks of one upload share. */
export interface Run {
  readonly engine: Engine;
  readonly tenant: Tenant;
  readonly job: Job;
  readonly sequence: ChunkSequence;
  /** See PlacedChunk. Once true it stays so. */
  hasClaims: boolean;
  expected: Expected;
}

/**
 * How long a merged chunk holds its locks for its turn. Its predecessor may be waiting for one of them, in a way that
 * the database cannot see: then this one gives way and goes again, behind it.
 */
const patienceMs = 2000;

/** Nobody is at fault: the chunk is to be merged again once its predecessor is committed. */
class GiveWay extends Error {
  override readonly name = 'GiveWay';
}

/** The upload is not where this chunk begins any more: cancelled, or continued through another core. */
export class JobMoved extends Error {
  override readonly name = 'JobMoved';
}

/** Parses, merges and commits one chunk, in its turn. Rejects with what went wrong, for this and every later one. */
export async function importChunk(run: Run, chunk: Chunk, step: Step): Promise<void> {
  const { engine, sequence } = run;
  try {
    const input = await prepare(run, chunk, step);
    await step.mayEnter();
    const merged = await engine.lanes.run(0, () => commitInTurn(run, chunk, step, input));
    if (merged.claims.length > 0) run.hasClaims = true;
    run.expected = expectedAfter(merged);
    sequence.commit(step, merged.movesKeys);
  } catch (error) {
    sequence.fail(step, error);
    throw error;
  }
}

async function prepare(run: Run, chunk: Chunk, step: Step): Promise<Prepared> {
  const { engine, tenant, job } = run;
  const rules = await rulesOf(engine, tenant, job);
  const parsed = chunk.isOverlong
    ? overlongLine
    : await engine.threads.run({ type: 'parse', bytes: chunk.bytes, isFirst: chunk.from === 0, rules });
  const linesBefore = await step.tell(parsed.lines, parsed.keys);
  const input = { job, bytes: chunk.bytes, parsed, rules, linesBefore, hashes: new Map() };
  if (!rules.allowPlainText) return input;
  const records = Array.from(parsed.complexRecords, (record) => singleRecord(input, record));
  return { ...input, hashes: await hashPlainTexts(engine, records) };
}

async function commitInTurn(run: Run, chunk: Chunk, step: Step, input: Prepared): Promise<Merged> {
  const { engine, sequence } = run;
  step.enter();
  for (let isBehind = false; ; isBehind = true) {
    if (isBehind) await step.turn();
    const commits = sequence.commits;
    try {
      return await engine.chunks.transaction(async (transaction) => {
        const { hasClaims, expected } = run;
        const merged = await merge(transaction, engine.threads, { ...input, hasClaims, expected });
        if (run.job.dryRun) await transaction.takeBack();
        const isMyTurn = await step.turnWithin(patienceMs);
        if (!isMyTurn || sequence.movedSince(commits)) throw new GiveWay();
        const standing = progressOf(run, chunk, input.parsed, merged);
        if (!(await transaction.progress(standing))) throw new JobMoved();
        return merged;
      });
    } catch (error) {
      if (!(error instanceof GiveWay)) throw error;
    }
  }
}

function progressOf(
  { engine, job }: Run,
  { from, to }: Chunk,
  parsed: ParsedChunk,
  merged: Merged,
): Progress {
  const { counts, byKind, rejects, claims } = merged;
  return { job, from, to, physicalLines: parsed.lines, counts, byKind, rejects, claims, now: engine.now() };
}

function expectedAfter({ counts }: Merged): Expected {
  const { created, unchanged, updated, skipped } = counts;
  if (created > 0 && unchanged + updated + skipped === 0) return 'new';
  return unchanged > 9 * (created + updated + skipped) ? 'unchanged' : 'mixed';
}
