import { jobOutcomes } from '../../domain/jobs/job-fields.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import type { Job } from '../../imports/model.ts';
import { textOf } from '../../imports/ledger/outcomes.ts';
import type { ImportThreads } from '../../imports/ports.ts';
import { type ReceiptFacts, signedReceipt } from '../../receipts/import-receipt.ts';
import type { StatedFile } from '../../receipts/statement.ts';
import { rootOf } from '../../receipts/tree.ts';
import { blocksOf } from './blocks.ts';
import { type KeyContext, signingKeyOf } from './keys.ts';
import type { ReceiptStore, StoredReceipt } from './model.ts';

export interface ReceiptContext extends KeyContext {
  readonly store: ReceiptStore;
  readonly threads: ImportThreads;
  /** Of this core. */
  readonly version: string;
}

/**
 * Makes a job's receipt, unless it has one.
 * @param files as the sender states them
 * @throws Refusal JOB_STILL_RECEIVING, RECEIPT_NOT_KEPT, JOB_PURGED
 */
export async function madeReceipt(
  context: ReceiptContext,
  tenant: Tenant,
  job: Job,
  files: readonly StatedFile[],
): Promise<StoredReceipt> {
  const { store } = context;
  const kept = await store.find(job);
  if (kept !== undefined) return kept;
  if (job.state === 'receiving') throw new Refusal('JOB_STILL_RECEIVING');
  const secret = secretOf(job);
  const { blocks, counts, lines } = await hashed(context, job, secret);
  requireWhole(job, counts, lines);
  const key = await signingKeyOf(context, job.appNo);
  const facts = await factsOf(context, tenant, job, counts);
  const envelope = signedReceipt({ facts, tree: { size: lines, root: rootOf(blocks) }, files, key });
  await store.keep(job, { envelope: JSON.stringify(envelope), blocks });
  return (await store.find(job)) ?? { envelope: JSON.stringify(envelope), blocks };
}

/** @throws Refusal RECEIPT_NOT_KEPT, JOB_PURGED */
export function secretOf({ receipt, receiptSecret, purgedAt }: Job): Buffer {
  if (receipt !== true) throw new Refusal('RECEIPT_NOT_KEPT');
  if (receiptSecret === undefined || purgedAt !== undefined)
    throw new Refusal('JOB_PURGED', 'What the job stored of its lines was removed with its personal data');
  return Buffer.from(receiptSecret, 'hex');
}

interface Hashed {
  readonly blocks: Buffer;
  readonly counts: ReadonlyMap<string, number>;
  readonly lines: number;
}

async function hashed({ store, threads }: ReceiptContext, job: Job, secret: Buffer): Promise<Hashed> {
  const roots: Uint8Array[] = [];
  const numbers = new Array<number>(256).fill(0);
  let lines = 0;
  for await (const blocks of blocksOf(store, job)) {
    const found = await Promise.all(blocks.map((block) => threads.run({ type: 'block', secret, ...block })));
    roots.push(...found.map(({ root }) => root));
    for (const { outcomes } of blocks) {
      lines += outcomes.length;
      for (const outcome of outcomes) numbers[outcome] = (numbers[outcome] ?? 0) + 1;
    }
  }
  const counts = numbers.flatMap((count, outcome) => (count > 0 ? [[textOf(outcome), count] as const] : []));
  return { blocks: Buffer.concat(roots), counts: new Map(counts), lines };
}

/** What would be signed has to be what the job counted. */
function requireWhole(job: Job, counts: ReadonlyMap<string, number>, lines: number): void {
  const countOf = (outcome: string): number =>
    [...counts].reduce((sum, [text, count]) => (text.split(' ')[0] === outcome ? sum + count : sum), 0);
  const isCounted = (Object.keys(jobOutcomes) as (keyof typeof jobOutcomes)[]).every(
    (outcome) => countOf(outcome) === job[outcome],
  );
  if (!isCounted || lines !== job.physicalLines)
    throw new Error('the outcomes of lines that a job has stored are not those that it has counted');
}

async function factsOf(
  { store, version, now }: ReceiptContext,
  { appId }: Tenant,
  job: Job,
  counts: ReadonlyMap<string, number>,
): Promise<ReceiptFacts> {
  const { id, name, state, dryRun, startedAt, finishedAt, bytes } = job;
  const { onConflict, secondFactor, sameIds, restoreRemoved, idPrefix, source, absent } = job;
  return {
    app: appId,
    job: {
      id,
      name,
      state,
      isDryRun: dryRun,
      startedAt: dateOf(startedAt),
      finishedAt: finishedAt === undefined ? undefined : dateOf(finishedAt),
    },
    counts: Object.fromEntries(counts),
    bytes,
    settings: { onConflict, secondFactor, sameIds, restoreRemoved, idPrefix, source, absent },
    versions: {
      carryover: version,
      node: process.versions.node,
      postgresql: await store.postgresqlVersion(job),
    },
    madeAt: dateOf(now()),
  };
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString();
}
