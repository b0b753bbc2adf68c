import { Refusal } from '../../domain/errors.ts';
import type { Job } from '../../imports/model.ts';
import { textOf } from '../../imports/ledger/outcomes.ts';
import { headOfList, lineOfRun } from '../../receipts/outcome-list.ts';
import type { LineProof } from '../../receipts/proof.ts';
import { pathOf } from '../../receipts/tree.ts';
import { type Block, blockOf, blocksOf } from './blocks.ts';
import { type ReceiptContext, secretOf } from './make.ts';

/**
 * @param line from 1
 * @throws Refusal RECEIPT_NOT_MADE, RECEIPT_NOT_KEPT, JOB_PURGED; LINE_NOT_FOUND
 */
export async function proofOf(
  { store, threads }: ReceiptContext,
  job: Job,
  line: number,
): Promise<LineProof> {
  const secret = secretOf(job);
  const receipt = await store.find(job);
  if (receipt === undefined) throw new Refusal('RECEIPT_NOT_MADE');
  const of = job.physicalLines;
  if (line > of) throw new Refusal('LINE_NOT_FOUND', `The job has ${of} lines: there is no line ${line}`);
  const place = blockOf(line);
  const block = await blockAt(store, job, place);
  const outcome = block.outcomes[line - block.first];
  const { proof } = await threads.run({ type: 'block', secret, ...block, proves: line });
  if (proof === undefined || outcome === undefined) throw new Error('a block was hashed without its proof');
  const path = Buffer.concat([proof.path, pathOf(receipt.blocks, place)]);
  return { line, of, outcome: textOf(outcome), salt: proof.salt, path };
}

async function blockAt(store: ReceiptContext['store'], job: Job, place: number): Promise<Block> {
  for await (const [block] of blocksOf(store, job, place)) if (block !== undefined) return block;
  throw new Error('a job has lost lines of its receipt');
}

/** The list of outcomes, read while it is iterated: see receipts/outcome-list.ts. */
export async function* outcomesOf({ store }: ReceiptContext, job: Job): AsyncGenerator<string> {
  yield headOfList(job.id, secretOf(job).toString('hex'));
  let run: { outcome: number; lines: number } | undefined;
  for await (const blocks of blocksOf(store, job)) {
    const runs: string[] = [];
    for (const { outcomes } of blocks)
      for (const outcome of outcomes) {
        if (run?.outcome === outcome) run.lines++;
        else {
          if (run) runs.push(lineOfRun({ outcome: textOf(run.outcome), lines: run.lines }));
          run = { outcome, lines: 1 };
        }
      }
    yield runs.join('');
  }
  if (run) yield lineOfRun({ outcome: textOf(run.outcome), lines: run.lines });
}
