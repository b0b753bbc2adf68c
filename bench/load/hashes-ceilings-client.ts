import { verifyParsed } from '../../src/hashes/verify/verifiers.ts';
import { type HashKind, requireHash } from '../../src/hashes/formats.ts';
import { defaultLimits } from '../../test/helpers/hash-limits.ts';

/** Verifies one hash some times, in a process of its own. */
export interface DearestJob {
  readonly hash: string;
  readonly given: HashKind | undefined;
  readonly times: number;
}

export interface DearestResult {
  /** The least: what others on the machine take is not the algorithm's. */
  readonly ms: number;
  /** Resident memory of the process: the most until it began, and until its end. */
  readonly startBytes: number;
  readonly peakBytes: number;
}

const password = Buffer.alloc(16, 'x');

function verifyAll({ hash, given, times }: DearestJob): DearestResult {
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

process.once('message', (job: DearestJob) => {
  process.send?.(verifyAll(job), () => {
    process.disconnect();
  });
});
