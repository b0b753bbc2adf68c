import type { Tenant } from '../../domain/model.ts';
import { type Engine, rulesOf } from '../engine.ts';
import { defaultSecondFactor, type Job, type Reject } from '../model.ts';
import { merge, type MergeInput, type Prepared } from './write-chunk.ts';
import { singleRecord } from './single-record.ts';
import { hashPlainTexts } from './plain-text.ts';
import { LeaseLost } from '../queue/ports.ts';

/**
 * Imports records that belong to no job, in one transaction, by the same code as a job's chunk.
 * @param texts one record each, without line breaks; together no longer than a few chunks
 * @param id marks what belongs together while it is written, as a job's id does
 * @param leaseId of the app's queue, where the records are from there
 * @throws LeaseLost when the lease is another's by now: nothing is imported
 * @returns for each record why it was rejected; undefined where it was not
 */
export async function importRecords(
  engine: Engine,
  tenant: Tenant,
  texts: readonly string[],
  { id, leaseId }: { readonly id: string; readonly leaseId?: string | undefined },
): Promise<readonly (Reject | undefined)[]> {
  const job = passingJob(tenant, id, engine.now());
  const rules = await rulesOf(engine, tenant, job);
  const bytes = Buffer.from(texts.join('\n'));
  const parsed = await engine.threads.run({ type: 'parse', bytes, isFirst: true, rules });
  const plain: Prepared = { job, bytes, isFirst: true, parsed, rules, linesBefore: 0, hashes: new Map() };
  const records = Array.from(parsed.complexRecords, (record) => singleRecord(plain, record));
  const hashes = rules.allowPlainText ? await hashPlainTexts(engine, { tenant, job }, records) : plain.hashes;
  const input: MergeInput = { ...plain, hashes, hasClaims: false, expected: 'mixed' };
  const { rejects } = await engine.lanes.run(() =>
    engine.chunks.transaction(async (transaction) => {
      if (leaseId !== undefined && !(await transaction.holdLease(job, leaseId))) throw new LeaseLost();
      const merged = await merge(transaction, engine.threads, input);
      await transaction.forget(job);
      return merged;
    }),
  );
  const byLine = new Map(rejects.map((reject) => [reject.line, reject]));
  return texts.map((_, place) => byLine.get(place + 1));
}

function passingJob({ appNo }: Tenant, id: string, now: number): Job {
  return {
    appNo,
    id,
    name: '',
    onConflict: 'update',
    dryRun: false,
    secondFactor: defaultSecondFactor,
    uploadLength: undefined,
    state: 'receiving',
    bytes: 0,
    physicalLines: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    conflicts: 0,
    skipped: 0,
    rejected: 0,
    byKind: {},
    byFactor: {},
    byState: {},
    oddDates: 0,
    postponed: 0,
    startedAt: now,
    finishedAt: undefined,
    lastCommitAt: undefined,
    pausedMs: 0,
    purgedAt: undefined,
    cancelReason: undefined,
  };
}
