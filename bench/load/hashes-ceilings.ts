import type { HashLimits } from '../../src/domain/model.ts';
import { costOf, requireHash } from '../../src/hashes/formats.ts';
import { ceilings } from '../../src/hashes/limits.ts';
import { hashLimitKeys } from '../../src/config/tenant-settings.ts';
import { dearestHashes } from '../../test/helpers/dearest-hashes.ts';
import { defaultLimits } from '../../test/helpers/hash-limits.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../scenario.ts';
import type { DearestJob, DearestResult } from './hashes-ceilings-client.ts';
import { median } from '../statistics.ts';
import { runProcess } from './processes.ts';

/**
 * What the dearest hash under each ceiling takes: time, where the table in src/hashes/limits.ts has its figures from,
 * and memory, against what admission to the pool counts for it. Each in processes of its own, whose peak is their own
 * and depends on when garbage was collected.
 */
export const hashesCeilings: Scenario = {
  name: 'hashes-ceilings',
  about: 'time and memory of the dearest hash under each ceiling, against what admission counts for it',
  run: compare,
};

const MIB = 1_048_576;
/** What a process grows by at its first verification of any kind: code, buffers of libraries, garbage. */
const restBytes = 32 * MIB;

interface Amounts {
  readonly processes: number;
  /** Verifications in each. */
  readonly times: number;
}

const full: Amounts = { processes: 3, times: 2 };
const quick: Amounts = { processes: 1, times: 1 };
/** A quick run leaves out what takes longer. */
const quickMs = 1000;

async function compare({ quick: isQuick, say }: BenchOptions): Promise<Measurement[]> {
  const results: Measurement[] = [];
  const names = (Object.keys(ceilings) as (keyof HashLimits)[]).filter(
    (name) => !isQuick || ceilings[name].ms < quickMs,
  );
  for (const name of names) {
    const { hash, given } = dearestHashes[name];
    const counted = costOf(requireHash(hash, given, defaultLimits)).memoryBytes;
    const found = await verifyIn(isQuick ? quick : full, { hash, given });
    const ms = Math.min(...found.map((each) => each.ms));
    const grownMib = median(found.map(({ peakBytes, startBytes }) => (peakBytes - startBytes) / MIB));
    const setting = hashLimitKeys[name];
    const { ms: ofTable } = ceilings[name];
    const figures = `${format(ms)} ms (table: ${format(ofTable)}), ${format(grownMib)} MiB more`;
    say(`${setting.padEnd(24)} ${figures}, ${format(counted / MIB)} counted`);
    results.push(
      measured(
        {
          name: `hashes-ceilings-${setting}`,
          unit: 'MiB at the peak',
          reference: 'at the start, counted, and 32',
          atMost: 1,
          details: { ms, msOfTable: ofTable },
        },
        found.map(({ peakBytes, startBytes }) => [peakBytes / MIB, (startBytes + counted + restBytes) / MIB]),
      ),
    );
  }
  return results;
}

async function verifyIn(
  { processes, times }: Amounts,
  hash: Pick<DearestJob, 'hash' | 'given'>,
): Promise<DearestResult[]> {
  const found: DearestResult[] = [];
  while (found.length < processes) {
    found.push(await runProcess<DearestResult>('hashes-ceilings-client.ts', { ...hash, times }));
  }
  return found;
}

function format(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0);
}
