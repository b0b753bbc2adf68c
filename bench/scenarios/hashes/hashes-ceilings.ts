import { runProcess } from '../../load/processes.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';
import { median } from '../../statistics.ts';
import { hashLimitKeys } from '../../../src/config/tenant-settings.ts';
import type { HashLimits } from '../../../src/domain/model.ts';
import { costOf } from '../../../src/hashes/assess.ts';
import { ceilings } from '../../../src/hashes/limits.ts';
import { requireHash } from '../../../test/helpers/require-hash.ts';
import type { HashKindName } from '../../../src/hashes/registry.ts';
import { verifyParsed } from '../../../src/hashes/verify/verifiers.ts';
import { mostExpensiveHashes } from '../../../test/helpers/most-expensive-hashes.ts';
import { defaultLimits } from '../../../test/helpers/hash-limits.ts';

/**
 * The cost of the most expensive hash under each ceiling: time, from which the table in src/hashes/limits.ts has its figures, and
 * memory, relative to the estimate of the pool's admission. Each in separate processes, with their own peak, which depends on
 * when garbage was collected.
 */
export const hashesCeilings: Scenario = {
  name: 'hashes-ceilings',
  about:
    'time and memory of the most expensive hash under each ceiling, against what admission counts for it',
  run: compare,
};

const MIB = 1_048_576;
/** The growth of a process at its first verification of any kind: code, buffers of libraries, garbage. */
const restBytes = 32 * MIB;

/** Processes, and verifications in each. */
const full = { processes: 3, times: 2 } as const;
const quick = { processes: 1, times: 1 } as const;
/** A quick run leaves out longer ones. */
const quickMs = 1000;

async function compare({ quick: isQuick, say }: BenchOptions): Promise<Measurement[]> {
  const { processes, times } = isQuick ? quick : full;
  const results: Measurement[] = [];
  const names = (Object.keys(ceilings) as (keyof HashLimits)[]).filter(
    (name) => !isQuick || ceilings[name].ms < quickMs,
  );
  for (const name of names) {
    const { hash, given } = mostExpensiveHashes[name];
    const counted = costOf(requireHash(hash, given, defaultLimits)).memoryBytes;
    const found: DearestResult[] = [];
    while (found.length < processes) {
      found.push(await runProcess(import.meta.url, verifySome, { hash, given, times }));
    }
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

function format(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0);
}

interface DearestTask {
  readonly hash: string;
  readonly given: HashKindName | undefined;
  readonly times: number;
}

interface DearestResult {
  /** The minimum: other load on the machine is not the algorithm's. */
  readonly ms: number;
  /** Resident memory of the process: the maximum before it began, and until its end. */
  readonly startBytes: number;
  readonly peakBytes: number;
}

const password = Buffer.alloc(16, 'x');

/** Verifies one hash several times, in a separate process. */
export function verifySome({ hash, given, times }: DearestTask): DearestResult {
  const parsed = requireHash(hash, given, defaultLimits);
  const startBytes = peakBytes();
  let ms = Infinity;
  for (let n = 0; n < times; n++) {
    const startedAt = performance.now();
    verifyParsed(parsed, password, { signerKey: undefined });
    ms = Math.min(ms, performance.now() - startedAt);
  }
  return { ms, startBytes, peakBytes: peakBytes() };
}

function peakBytes(): number {
  return process.resourceUsage().maxRSS * 1024;
}
