import { writeBulkFiles } from '../../load/files.ts';
import { type Stand, withStand } from '../../load/stand.ts';
import { type Import, importFile } from '../../load/upload.ts';
import { untilKnown } from '../../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';

/**
 * A file of users, and the same file again, whose jobs store the outcome of each line for a receipt, relative to jobs that do not.
 * Each round runs both, the first of them by turns.
 */
export const bulkReceipt: Scenario = {
  name: 'bulk-receipt',
  about:
    'a file of users as one upload that asks for a receipt, against the same without; then the same file again',
  run: (options) => withStand({}, (stand) => compare(stand, options)),
};

interface Pass {
  readonly first: Import;
  readonly again: Import;
}

interface Round {
  readonly plain: Pass;
  readonly listed: Pass;
}

async function compare(stand: Stand, options: BenchOptions): Promise<Measurement[]> {
  const files = await writeBulkFiles(options.quick ? 50_000 : 300_000);
  const { users } = files;
  const pass = async (query: string): Promise<Pass> => {
    const { cluster, core } = stand;
    await cluster.reset();
    const first = await importFile(cluster, core, files.export, { created: users }, query);
    return { first, again: await importFile(cluster, core, files.export, { unchanged: users }, query) };
  };
  const runRound = async (n: number): Promise<Round> => {
    const isFirst = n % 2 === 0;
    const before = isFirst ? await pass('?receipt=true') : undefined;
    const plain = await pass('');
    return { plain, listed: before ?? (await pass('?receipt=true')) };
  };
  try {
    // The code of both is warm in every round that counts.
    await runRound(1);
    return await untilKnown(options, { least: 4, most: 12, inWords }, runRound, (rounds) => [
      comparison('bulk-receipt', users, rounds, ({ first }) => first.rate),
      comparison('bulk-receipt-again', users, rounds, ({ again }) => again.rate),
    ]);
  } finally {
    await files.remove();
  }
}

function comparison(
  name: string,
  users: number,
  rounds: readonly Round[],
  rateOf: (pass: Pass) => number,
): Measurement {
  return measured(
    {
      name,
      unit: 'users/s',
      reference: 'the same import without a receipt',
      atLeast: 0.97,
      details: { users },
    },
    rounds.map(({ listed, plain }) => [rateOf(listed), rateOf(plain)]),
  );
}

function inWords({ listed, plain }: Round): string {
  const words = (of: (pass: Pass) => Import): string => {
    const [one, other] = [of(listed), of(plain)];
    return `${(one.rate / other.rate).toFixed(3)} × ${Math.round(other.rate).toLocaleString('en')}/s, CPU ${(cpuOf(one) / cpuOf(other)).toFixed(3)} ×`;
  };
  return `first ${words(({ first }) => first)}; again ${words(({ again }) => again)}`;
}

function cpuOf({ cpu: { coreMain, coreWorkers, postgres } }: Import): number {
  return coreMain + coreWorkers + postgres;
}
