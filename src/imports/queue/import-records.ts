import type { Tenant } from '../../domain/model.ts';
import { hashPlainTexts } from '../chunks/plain-text.ts';
import { placing } from '../chunks/plan.ts';
import { type ChunkToWrite, type PreparedChunk, singleRecord } from '../chunks/prepared.ts';
import { writeChunk } from '../chunks/write-chunk.ts';
import type { Engine } from '../engine.ts';
import type { Reject } from '../model.ts';
import { creatingOnly, rulesOf } from '../rules.ts';
import type { CreatesOnly } from '../tasks.ts';
import { LeaseLost } from './ports.ts';

interface HowImported {
  readonly id: string;
  readonly leaseId?: string | undefined;
  readonly createsOnly?: CreatesOnly | undefined;
}

/**
 * Imports records that belong to no job, in one transaction, by the same code as a job's chunk.
 * @param texts one record each, without line breaks; together no longer than a few chunks
 * @param id marks the rows of these records while they are written, as a job's id does
 * @param leaseId of the app's queue, if the records come from there
 * @param createsOnly set if the sender may only create users
 * @throws LeaseLost when another core has the lease by now: nothing is imported
 * @returns for each record why it was rejected; undefined if it was not
 */
export async function importRecords(
  engine: Engine,
  tenant: Tenant,
  texts: readonly string[],
  { id, leaseId, createsOnly }: HowImported,
): Promise<readonly (Reject | undefined)[]> {
  const rules = await rulesOf(engine, tenant, createsOnly && creatingOnly(createsOnly));
  const job = { appNo: tenant.appNo, id, dryRun: rules.dryRun };
  const bytes = Buffer.from(texts.join('\n'));
  const parsed = await engine.threads.run({ type: 'parse', bytes, rules });
  const plain: PreparedChunk = {
    job,
    bytes,
    parsed,
    rules,
    linesBefore: 0,
    hashes: new Map(),
  };
  const records = Array.from(parsed.complexRecords, (record) => singleRecord(plain, record));
  const hashes = rules.allowPlainText
    ? await hashPlainTexts(engine, { tenant, job, rules }, records)
    : plain.hashes;
  const input: ChunkToWrite = {
    ...plain,
    hashes,
    plan: placing,
    isNext: true,
    rivals: [],
  };
  const { rejects } = await engine.lanes.run(() =>
    engine.chunksOf(job.appNo).transaction(async (transaction) => {
      if (leaseId !== undefined && !(await transaction.holdLease(job, leaseId))) throw new LeaseLost();
      const written = await writeChunk(transaction, engine.threads, input);
      await transaction.forget(job);
      return written;
    }),
  );
  const byLine = new Map(rejects.map((reject) => [reject.line, reject]));
  return texts.map((_, place) => byLine.get(place + 1));
}
