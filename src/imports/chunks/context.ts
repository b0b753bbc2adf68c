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
import { turnOf } from './turn.ts';

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
  readonly rareKeys: RareKeysOfApp;
  readonly outlook: Outlook;
  /** Bytes before the upload are not committed yet. */
  isAhead: boolean;
  /** What the job has left for later chunks. Replaced when the turn of an upload comes that was sent ahead. */
  claims: ClaimFilter;
  seen: SeenUsers;
  /** Records that wait for the end of the upload. */
  postponed: number;
}

type Left = Pick<UploadContext, 'claims' | 'seen' | 'postponed'>;

interface Beginning extends Pick<UploadContext, 'tenant' | 'job' | 'rareKeys'> {
  /** The first byte. */
  readonly offset: number;
  /** The sender's limits, if it has any. */
  readonly createsOnly?: JobRules['createsOnly'];
}

/** For an upload from the committed offset of its job, or from one ahead of it. */
export async function uploadContext(
  engine: Engine,
  { tenant, job, rareKeys, offset, createsOnly }: Beginning,
): Promise<UploadContext> {
  const hasImported = await engine.jobs.hasImported(job.appNo);
  const { allowPlainText } = engine;
  const outlook = new Outlook(job, { hasImported, allowPlainText });
  // The search for absent users asks for each by its row.
  const mayShareRows = outlook.usesMarks && job.absent === undefined;
  const turn = Promise.withResolvers<number>();
  const context: UploadContext = {
    engine,
    tenant,
    job,
    since: engine.now(),
    rules: rulesOfUpload(engine, tenant, { ...job, createsOnly }),
    sequence: new ChunkSequence(turn.promise),
    isStopped: false,
    isAhead: offset > job.bytes,
    rareKeys,
    outlook,
    ...(await leftBy(engine, job, mayShareRows)),
  };
  const takeTurn = async (): Promise<number> => {
    const reached = await turnOf(context, offset);
    Object.assign(context, (await leftBy(engine, reached, mayShareRows)) satisfies Left);
    context.isAhead = false;
    return reached.physicalLines;
  };
  // If it fails before a chunk has begun, none waits for it.
  turn.promise.catch(() => undefined);
  turn.resolve(context.isAhead ? takeTurn() : job.physicalLines);
  return context;
}

/** @param job as it is committed */
async function leftBy(engine: Engine, job: Job, mayShareRows: boolean): Promise<Left> {
  const isNew = job.bytes === 0;
  const claimed = isNew ? [] : await engine.jobs.claimedDigests(job);
  const claims = new ClaimFilter({ isUnknown: claimed === undefined });
  claims.add(claimed ?? []);
  const seen = new SeenUsers(() => engine.jobs.splitSeenRows(job), { isNew, mayShareRows });
  return { claims, seen, postponed: job.postponed };
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
