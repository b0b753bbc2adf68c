import type { HashLimits } from '../../src/model.ts';
import { costOf, requireHash } from '../../src/password/formats.ts';
import { ceilings } from '../../src/password/limits.ts';
import { hashLimitKeys } from '../../src/settings.ts';
import { dearestHashes } from '../../test/helpers/dearest-hashes.ts';
import { defaultLimits } from '../../test/helpers/hash-limits.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../scenario.ts';
import type { DearestJob, DearestResult } from './hashes-ceilings-client.ts';
import { runProcess } from './processes.ts';

/**
 * What the dearest hash under each ceiling takes: time, where the table in src/password/limits.ts has its figures from,
 * and memory, against what admission to the pool counts for it. Each in a process of its own, whose peak is its own.
 */
export const hashesCeilings: Scenario = {
  name: 'hashes-ceilings',
  about: 'time and memory of the dearest hash under each ceiling, against what admission counts for it',
  run: compare,
};

const MIB = 1_048_576;
/** What a process grows by at its first verification of any kind: code, buffers of libraries, garbage. */
const restBytes = 32 * MIB;

/** A quick run leaves out what takes longer. */
const quickMs = 1000;

async function compare({ quick, say }: BenchOptions): Promise<Measurement[]> {
  const results: Measurement[] = [];
  const names = (Object.keys(ceilings) as (keyof HashLimits)[]).filter(
    (name) => !quick || ceilings[name].ms < quickMs,
  );
  for (const name of names) {
    const { hash, given } = dearestHashes[name];
    const counted = costOf(requireHash(hash, given, defaultLimits)).memoryBytes;
    const job: DearestJob = { hash, given, times: quick ? 1 : 4 };
    const { ms, startBytes, peakBytes } = await runProcess<DearestResult>('hashes-ceilings-client.ts', job);
    const setting = hashLimitKeys[name];
    const { ms: ofTable } = ceilings[name];
    const figures = `${format(ms)} ms (table: ${format(ofTable)}), ${format((peakBytes - startBytes) / MIB)} MiB more`;
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
        [[peakBytes / MIB, (startBytes + counted + restBytes) / MIB]],
      ),
    );
  }
  return results;
}

function format(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0);
}
